// Which eigensolver? Block Lanczos as it is used, and two that were tried: Chebyshev-filtered
// subspace iteration and LOBPCG, on the same operator in the same precision. docs/solvers.md holds
// the table that this prints. REPSC_DATA names the folder of real networks.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

#include "linalg/dense.hpp"
#include "linalg/lanczos.hpp"
#include "repsc/constraint.hpp"
#include "repsc/io.hpp"
#include "repsc/models.hpp"
#include "repsc/operators.hpp"
#include "repsc/representation.hpp"

namespace repsc {
namespace {

using Block = FloatMatrix;

struct Outcome {
  int products = 0;  // with a block
  double seconds = 0;
  double residual = 0;
};

struct Problem {
  FloatKrylovOperator A;
  Index count;
  double tolerance;
};

void orthonormalize(const Problem& problem, Block& X) {
  for (int pass = 0; pass < 2; ++pass) {
    problem.A.project(X);
    const Eigen::LLT<Eigen::MatrixXd> gram(Eigen::MatrixXd(transposed_product(X, X)));
    multiply_in_place(X,
                      gram.matrixU().solve(Eigen::MatrixXd::Identity(X.cols(), X.cols())).eval());
  }
}

Block random_block(Index rows, Index cols) {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  return Block::NullaryExpr(rows, cols, [&] { return normal(random); });
}

/// Rayleigh-Ritz within X; AX is rotated alike. Returns the values.
Vector ritz(Block& X, Block& AX) {
  const Matrix H = transposed_product(X, AX);
  const SymmetricEigen small = symmetric_eigen(0.5 * (H + H.transpose()));
  multiply_in_place(X, small.vectors);
  multiply_in_place(AX, small.vectors);
  return small.values;
}

double residual(const Block& X, const Block& AX, const Vector& values, Index count) {
  double largest = 0;
  for (Index j = 0; j < count; ++j) {
    largest =
        std::max(largest, double((AX.col(j) - static_cast<float>(values[j]) * X.col(j)).norm()));
  }
  return largest;
}

/// One product and Rayleigh-Ritz within X: the values, and the residual into `outcome`.
Vector step(const Problem& problem, Block& X, Block& AX, Outcome& outcome) {
  problem.A.apply(X, AX);
  problem.A.project(AX);
  ++outcome.products;
  Vector values = ritz(X, AX);
  outcome.residual = residual(X, AX, values, problem.count) / problem.A.norm;
  return values;
}

/// Zhou, Saad, Tiago, Chelikowsky 2006, with the projector after every product.
Outcome chebyshev(const Problem& problem, Index block, int degree, double upper) {
  const Stopwatch timer;
  Outcome outcome;
  Block X = random_block(problem.A.size, block);
  orthonormalize(problem, X);
  Block AX;
  for (;;) {
    const Vector values = step(problem, X, AX, outcome);
    if (outcome.residual <= problem.tolerance || outcome.products > 400) break;
    // Damp [lower, upper]: everything above the largest Ritz value of the block.
    const double lower = values[block - 1];
    const auto center = static_cast<float>((upper + lower) / 2);
    const auto half = static_cast<float>((upper - lower) / 2);
    Block previous = X;
    Block current = (AX - center * X) / half;
    for (int k = 2; k <= degree; ++k) {
      Block next;
      problem.A.apply(current, next);
      problem.A.project(next);
      ++outcome.products;
      next = (2 / half) * (next - center * current) - previous;
      previous = std::move(current);
      current = std::move(next);
      const float size = current.cwiseAbs().maxCoeff();
      current /= size;  // both grow alike; single precision has room, the loop keeps it so
      previous /= size;
    }
    X = std::move(current);
    orthonormalize(problem, X);
  }
  outcome.seconds = timer.seconds();
  return outcome;
}

/// Knyazev 2001 without a preconditioner, the basis [X W P] orthonormalized.
Outcome lobpcg(const Problem& problem, Index block) {
  const Stopwatch timer;
  Outcome outcome;
  Block X = random_block(problem.A.size, block), P, AX;
  orthonormalize(problem, X);
  for (;;) {
    const Vector values = step(problem, X, AX, outcome);
    if (outcome.residual <= problem.tolerance || outcome.products > 400) break;
    Block W = AX - X * values.cast<float>().asDiagonal();
    Block basis(X.rows(), X.cols() + W.cols() + P.cols());
    basis << X, W, P;
    for (Eigen::Index j = 0; j < basis.cols(); ++j) basis.col(j).normalize();
    const Matrix gram = transposed_product(basis, basis);
    const SymmetricEigen metric = symmetric_eigen(gram);
    const Eigen::Index drop = (metric.values.array() < 1e-5 * metric.values.maxCoeff()).count();
    const Eigen::Index kept = basis.cols() - drop;
    const Matrix whiten = metric.vectors.rightCols(kept) *
                          metric.values.tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
    Block S(X.rows(), kept), AS;
    assign_product(S, basis, whiten);
    problem.A.project(S);
    problem.A.apply(S, AS);
    problem.A.project(AS);
    outcome.products += static_cast<int>((kept + block - 1) / block);
    const Matrix H = transposed_product(S, AS);
    const SymmetricEigen small = symmetric_eigen(0.5 * (H + H.transpose()));
    Block next(X.rows(), block);
    assign_product(next, S, small.vectors.leftCols(block));
    P = next;
    subtract_product(P, X, transposed_product(X, next));
    X = std::move(next);
    orthonormalize(problem, X);
  }
  outcome.seconds = timer.seconds();
  return outcome;
}

Outcome lanczos(const Problem& problem, Index block, Index basis) {
  const Stopwatch timer;
  double last = 0;
  const KrylovResult found =
      thick_restart_lanczos(problem.A, {.count = problem.count,
                                        .tolerance = problem.tolerance,
                                        .max_iterations = 400,
                                        .block_size = block,
                                        .basis_size = basis,
                                        .progress = [&](const Progress& at) { last = at.value; }});
  return {found.iterations, timer.seconds(), last};
}

void print(const char* graph, const char* solver, double tolerance, const Outcome& outcome) {
  fmt::print("{:<26} {:<22} {:>7.0e} {:>9} {:>9.2f} {:>10.1e}\n", graph, solver, tolerance,
             outcome.products, outcome.seconds, outcome.residual);
  std::fflush(stdout);
}

void compare(const char* name, const Graph& graph, Index clusters, int num_groups) {
  const Laplacian L(graph, Normalization::symmetric);
  Labels groups(static_cast<std::size_t>(graph.num_nodes()));
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<Label>(i) % num_groups;
  const Constraint constraint = group_constraint(groups, L.scale());
  const FloatMatrix known = L.null_vector().cast<float>();
  const Index count = clusters - 1;
  const Index block = std::max<Index>(4, (count + 3) / 4 * 4);
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    const Problem problem{.A = {.size = graph.num_nodes(),
                                .dimension = constraint.projector.dimension() - 1,
                                .norm = 1,
                                .apply = [&](const Block& X, Block& Y) { L.apply(X, Y); },
                                .project =
                                    [&](Block& X) {
                                      constraint.projector.apply(X);
                                      subtract_product(X, known, transposed_product(known, X));
                                    }},
                          .count = count,
                          .tolerance = tolerance};
    print(name, "lanczos, basis 24", tolerance, lanczos(problem, block, 24));
    print(name, "lanczos, basis 32", tolerance, lanczos(problem, block, 32));
    print(name, "lanczos, basis 64", tolerance, lanczos(problem, block, 64));
    print(name, "lanczos, basis 128", tolerance, lanczos(problem, block, 128));
    print(name, "lanczos, wider block", tolerance, lanczos(problem, block + 4, 64));
    print(name, "chebyshev, degree 8", tolerance, chebyshev(problem, block + 4, 8, 2));
    print(name, "lobpcg", tolerance, lobpcg(problem, block));
  }
}

/// Preferential attachment with a chain of ten nodes on every hundredth node.
Graph power_law_with_whiskers(Index nodes) {
  std::mt19937 random(3);
  std::vector<Edge> edges;
  std::vector<Index> ends{0, 1};
  edges.push_back({0, 1});
  for (Index i = 2; i < nodes; ++i) {
    for (int k = 0; k < 5; ++k) {
      const Index to = ends[random() % ends.size()];
      if (to == i) continue;
      edges.push_back({i, to});
      ends.push_back(i);
      ends.push_back(to);
    }
  }
  Index next = nodes;
  for (Index i = 0; i < nodes; i += 100) {
    Index at = i;
    for (int k = 0; k < 10; ++k, ++next) {
      edges.push_back({at, next});
      at = next;
    }
  }
  return build_graph(NodeNames(next, 0), std::move(edges), {}, SelfLoops::drop).graph;
}

/// Ten nearest neighbours of points in the unit square, found on a grid.
Graph neighbors_of_points(Index nodes) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform;
  std::vector<std::array<double, 2>> points(static_cast<std::size_t>(nodes));
  for (auto& point : points) point = {uniform(random), uniform(random)};
  const int side = static_cast<int>(std::sqrt(nodes / 8.0));
  std::vector<std::vector<Index>> cells(static_cast<std::size_t>(side) * side);
  const auto cell = [&](double x) { return std::min(side - 1, static_cast<int>(x * side)); };
  for (Index i = 0; i < nodes; ++i) {
    const auto& p = points[static_cast<std::size_t>(i)];
    cells[static_cast<std::size_t>(cell(p[0]) * side + cell(p[1]))].push_back(i);
  }
  std::vector<Edge> edges;
  std::vector<std::pair<double, Index>> near;
  for (Index i = 0; i < nodes; ++i) {
    const auto& p = points[static_cast<std::size_t>(i)];
    near.clear();
    for (int u = std::max(0, cell(p[0]) - 2); u <= std::min(side - 1, cell(p[0]) + 2); ++u) {
      for (int v = std::max(0, cell(p[1]) - 2); v <= std::min(side - 1, cell(p[1]) + 2); ++v) {
        for (const Index j : cells[static_cast<std::size_t>(u * side + v)]) {
          const auto& q = points[static_cast<std::size_t>(j)];
          if (j != i) near.emplace_back(std::hypot(p[0] - q[0], p[1] - q[1]), j);
        }
      }
    }
    std::sort(near.begin(), near.end());
    for (std::size_t k = 0; k < std::min<std::size_t>(10, near.size()); ++k)
      edges.push_back({i, near[k].second});
  }
  return build_graph(NodeNames(nodes, 0), std::move(edges), {}, SelfLoops::drop).graph;
}

Graph rpp(Index nodes, double degree, double p, double q, double r, double s) {
  const Labels truth = equal_clusters(nodes, 5);
  Labels groups(static_cast<std::size_t>(nodes));
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<Label>(i % 4);
  const double mean = (p / 5 + 4 * q / 5) / 4 + (r / 5 + 4 * s / 5) * 3 / 4;
  const double unit = degree / nodes / mean;
  return sample_rpp_groups(groups, truth, {p * unit, q * unit, r * unit, s * unit}, 1);
}

Graph without_isolated(const Graph& graph) {
  std::vector<bool> keep(static_cast<std::size_t>(graph.num_nodes()), true);
  for (const Index node : isolated_nodes(graph)) keep[static_cast<std::size_t>(node)] = false;
  return induced_subgraph(graph, keep);
}

}  // namespace
}  // namespace repsc

int main() {
  using namespace repsc;
  fmt::print("{:<26} {:<22} {:>7} {:>9} {:>9} {:>10}\n", "graph", "solver", "tol", "products",
             "seconds", "residual");
  compare("R-PP 4:3:2:1, 50k x 200", rpp(50'000, 200, 4, 3, 2, 1), 5, 4);
  compare("R-PP 10:2:2:1, 50k x 40", rpp(50'000, 40, 10, 2, 2, 1), 5, 4);
  compare("points, 50k x 10", neighbors_of_points(50'000), 5, 4);
  compare("power law, whiskers", power_law_with_whiskers(50'000), 5, 4);
  if (const char* data = std::getenv("REPSC_DATA")) {
    for (const char* file : {"musae_github", "email_enron", "lastfm_asia"}) {
      for (const auto& entry :
           std::filesystem::directory_iterator(std::filesystem::path(data) / file)) {
        const std::string name = entry.path().filename().string();
        if (name.find("edges") == std::string::npos && name.find("Enron") == std::string::npos &&
            name.find("enron") == std::string::npos)
          continue;
        compare(file, without_isolated(read_graph(entry.path().string()).graph), 5, 4);
        break;
      }
    }
  }
}
