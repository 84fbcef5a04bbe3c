// SLEPc on a shell matrix: its vectors have our rows, and its products are ours. PETSc's own sparse
// matrix would take 16 bytes per entry (a 64-bit index and a double); ours takes 4.
//
// The operator is P L P + sigma (I - P) with sigma above the spectrum of L, so that the directions
// which P removes, and the known eigenvector, are not among the lowest (docs/numerics.md, fact 5).
#include <slepceps.h>

#include <cctype>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "distributed/eigensolver.hpp"

namespace repsc {
namespace {

void check(PetscErrorCode code) {
  if (code == 0) return;
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  throw InvalidInput(
      Fault{.what = joined("SLEPc failed: ", text == nullptr ? "unknown error" : text),
            .option = "solver",
            .value = "slepc",
            .remedies = {{Remedy::Action::use, "solver", "lanczos"}}});
}

/// "-eps_ncv 40 -eps_monitor": names, each with its value, if it has one.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& options) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::istringstream words(options);
  for (std::string word; words >> word;) {
    const bool is_name = word.size() > 1 && word[0] == '-' && std::isalpha(word[1]) != 0;
    if (is_name || pairs.empty()) {
      pairs.emplace_back(word, "");
    } else {
      pairs.back().second = word;
    }
  }
  return pairs;
}

/// PETSc runs from the start to the end of a solve. It leaves signals to the tool, and standard
/// output to the labels.
class Session {
 public:
  explicit Session(const std::string& options) {
    check(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"));
    // -log_view is looked for at the start; all others come after those of the environment.
    const auto set = [](const std::pair<std::string, std::string>& option) {
      const auto& [name, value] = option;
      check(PetscOptionsSetValue(nullptr, name.c_str(), value.empty() ? nullptr : value.c_str()));
    };
    const auto is_log = [](const auto& option) { return option.first.starts_with("-log_"); };
    const auto given = pairs_of(options);
    for (const auto& option : given) {
      if (is_log(option)) set(option);
    }
    check(SlepcInitializeNoArguments());
    PETSC_STDOUT = stderr;
    for (const auto& option : given) {
      if (!is_log(option)) set(option);
    }
    check(PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr));
  }
  ~Session() { SlepcFinalize(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
};

struct Shell {
  const DistributedOperator* A;
  double lift;
  std::exception_ptr failure = {};  ///< of a product: exceptions do not pass through PETSc
};

/// y = P L P x + sigma (x - P x).
PetscErrorCode multiply(Mat matrix, Vec x, Vec y) {
  PetscFunctionBeginUser;
  Shell* shell = nullptr;
  PetscCall(MatShellGetContext(matrix, &shell));
  const Index rows = shell->A->rows().stored();
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  PetscCall(VecGetArrayRead(x, &from));
  const Matrix X = Eigen::Map<const Matrix>(from, rows, 1);
  PetscCall(VecRestoreArrayRead(x, &from));
  Matrix within = X;
  Matrix Y;
  try {
    shell->A->project(within);
    shell->A->multiply(within, Y);
    shell->A->project(Y);
  } catch (...) {
    shell->failure = std::current_exception();
    PetscFunctionReturn(PETSC_ERR_USER);
  }
  PetscCall(VecGetArray(y, &to));
  Eigen::Map<Matrix>(to, rows, 1) = Y + shell->lift * (X - within);
  PetscCall(VecRestoreArray(y, &to));
  PetscFunctionReturn(0);
}

/// Objects of PETSc, destroyed with it.
struct Objects {
  Mat matrix = nullptr;
  EPS solver = nullptr;
  Vec start = nullptr;
  Vec found = nullptr;
  ~Objects() {
    EPSDestroy(&solver);
    MatDestroy(&matrix);
    VecDestroy(&start);
    VecDestroy(&found);
  }
};

void fill(Vec vector, const Matrix& X) {
  PetscScalar* to = nullptr;
  check(VecGetArray(vector, &to));
  Eigen::Map<Matrix>(to, X.rows(), 1) = X;
  check(VecRestoreArray(vector, &to));
}

/// LOBPCG and Davidson's methods precondition; PETSc's choice would need the entries of the matrix.
/// The user's options come after this, and may choose another one.
void use_no_preconditioner(EPS solver) {
  ST transformation = nullptr;
  KSP system = nullptr;
  PC preconditioner = nullptr;
  check(EPSGetST(solver, &transformation));
  check(STGetKSP(transformation, &system));
  check(KSPGetPC(system, &preconditioner));
  check(PCSetType(preconditioner, PCNONE));
}

/// SLEPc's own test, but for the last restart that is allowed: what it has found by then counts as
/// converged, so that there are labels. How good that is, is measured for every solver alike.
/// (Block solvers such as LOBPCG test before that, and end without results.)
struct ConvergenceTest {
  PetscReal tolerance;
  PetscInt restarts;
  bool gave_up = false;
};

PetscErrorCode test_convergence(EPS solver, PetscScalar, PetscScalar, PetscReal residual,
                                PetscReal* error, void* context) {
  PetscFunctionBeginUser;
  auto* const test = static_cast<ConvergenceTest*>(context);
  PetscInt restart = 0;
  PetscCall(EPSGetIterationNumber(solver, &restart));
  *error = residual;
  if (restart >= test->restarts && residual >= test->tolerance) {
    test->gave_up = true;
    *error = 0;
  }
  PetscFunctionReturn(0);
}

/// Options that no part of SLEPc has read are misspelled.
void refuse_unread_options() {
  PetscInt count = 0;
  char** names = nullptr;
  char** values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  std::string unread;
  for (PetscInt i = 0; i < count; ++i) {
    if (std::string(names[i]) != "no_signal_handler") unread += joined(" -", names[i]);
  }
  check(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
  require<InvalidOptions>(unread.empty(),
                          "SLEPc does not know, or did not use, the options:", unread);
}

}  // namespace

void require_slepc() {}

KrylovResult solve_by_slepc(const DistributedOperator& A, const EigenQuery& query,
                            const std::string& options) {
  const Session session(options);
  const Index rows = A.rows().stored();
  const Index N = A.rows().num_nodes();
  const Index count = query.count - 1;
  Shell shell{&A, 5 * A.norm()};
  Objects petsc;
  check(MatCreateShell(PETSC_COMM_WORLD, rows, rows, N, N, &shell, &petsc.matrix));
  check(MatShellSetOperation(petsc.matrix, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  check(MatSetOption(petsc.matrix, MAT_SYMMETRIC, PETSC_TRUE));
  check(MatCreateVecs(petsc.matrix, &petsc.found, &petsc.start));
  Matrix start = A.rows().random(1, query.seed, 1);
  A.project(start);
  fill(petsc.start, start);

  check(EPSCreate(PETSC_COMM_WORLD, &petsc.solver));
  check(EPSSetOperators(petsc.solver, petsc.matrix, nullptr));
  check(EPSSetProblemType(petsc.solver, EPS_HEP));
  check(EPSSetWhichEigenpairs(petsc.solver, EPS_SMALLEST_REAL));
  check(EPSSetDimensions(petsc.solver, count, PETSC_DEFAULT, PETSC_DEFAULT));
  check(EPSSetTolerances(petsc.solver, 0.5 * query.tolerance * A.residual_unit(),
                         query.max_iterations));
  check(EPSSetInitialSpace(petsc.solver, 1, &petsc.start));
  use_no_preconditioner(petsc.solver);
  ConvergenceTest test{};
  check(EPSSetConvergenceTestFunction(petsc.solver, test_convergence, &test, nullptr));
  check(EPSSetFromOptions(petsc.solver));
  check(EPSGetTolerances(petsc.solver, &test.tolerance, &test.restarts));
  const PetscErrorCode solved = EPSSolve(petsc.solver);
  if (shell.failure) std::rethrow_exception(shell.failure);
  check(solved);
  refuse_unread_options();

  PetscInt converged = 0;
  PetscInt iterations = 0;
  check(EPSGetConverged(petsc.solver, &converged));
  check(EPSGetIterationNumber(petsc.solver, &iterations));
  if (converged < count) {
    throw InvalidInput(
        Fault{.what = joined("only ", converged, " of ", count, " eigenvectors converged in ",
                             iterations, " restarts of SLEPc"),
              .option = "solver",
              .value = "slepc",
              .remedies = {{Remedy::Action::raise, "max_iterations"},
                           {Remedy::Action::use, "solver", "lanczos"}}});
  }
  KrylovResult result;
  result.converged = !test.gave_up;
  result.iterations = static_cast<int>(iterations);
  result.values = Vector(count);
  result.vectors = Matrix(rows, count);
  for (Index k = 0; k < count; ++k) {
    check(EPSGetEigenpair(petsc.solver, k, &result.values[k], nullptr, petsc.found, nullptr));
    const PetscScalar* from = nullptr;
    check(VecGetArrayRead(petsc.found, &from));
    result.vectors.col(k) = Eigen::Map<const Vector>(from, rows);
    check(VecRestoreArrayRead(petsc.found, &from));
  }
  if (converged > count && !test.gave_up)
    check(EPSGetEigenvalue(petsc.solver, count, &result.next, nullptr));
  return result;
}

}  // namespace repsc
