// The real networks: FAO trade (Figures 3, 7, 12, 18, 19) and European air transport (9, 10, 20,
// 21).
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>

#include "experiments/experiments.hpp"
#include "experiments/sweep.hpp"
#include "experiments/work.hpp"
#include "repsc/io.hpp"
#include "repsc/representation.hpp"

namespace repsc::experiments {
namespace {

struct Source {
  const char* id;
  const char* file;  ///< below the data folder
  const char* sha256;
  const char* origin;
  const char* similarity_layers;
  const char* representation_layers;
  int nearest;
  bool drop_isolated_in_representation;
};

constexpr Source fao_source{
    "fao",
    "fao_trade/fao_trade_multiplex.edges",
    "85b32c47443c5f829487326f1e8ee402ac391f8927281cbff45259ea453a47b3",
    "the FAO multiplex trade network of De Domenico et al., Nature Communications 6, 6864 (2015), "
    "published by its authors as FAO_Multiplex_Trade",
    "183-364",
    "1-182",
    5,
    false};

constexpr Source air_source{
    "air",
    "eu_air/EUAirTransportation_multiplex.edges",
    "781bc202cdce79cf196c9ec7c5b8379de0f2bcf94a25e525860cf8e022ec67ec",
    "the European air transportation network of Cardillo et al., Scientific Reports 3, 1344 "
    "(2013), "
    "published by its authors as EUAir_Multiplex_Transport",
    "1,4,7",
    "2,3,6",
    0,
    true};

/// How a network is read: the default, or with one change.
struct How {
  Volume volume = Volume::sum;
  bool self_loops = true;  ///< in R
  int passes = -1;         ///< of dropping isolated nodes; below 0: until there are none
};

How how_to_read(const std::string& reading) {
  if (reading == "volume-larger") return {.volume = Volume::larger};
  if (reading == "volume-out") return {.volume = Volume::outgoing};
  if (reading == "volume-in") return {.volume = Volume::incoming};
  if (reading == "nodes-214") return {.passes = 0};
  if (reading == "nodes-100") return {.passes = 1};
  if (reading == "no-self-loops") return {.self_loops = false};
  return {};
}

struct Network {
  Graph similarity;
  Graph representation;
  std::vector<Index>
      nodes_by_pass;  ///< nodes after each pass of dropping; the first is that of the file
};

std::string data_path(const Source& source, const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder) / source.file;
  if (folder.empty() || !std::filesystem::exists(path)) {
    throw DataMissing(
        fmt::format("{}: {} is missing; download {}, check that its `sha256sum` is {}, and save it "
                    "as {} in the folder given by --data or REPSC_DATA",
                    source.id, folder.empty() ? source.file : path.string(), source.origin,
                    source.sha256, source.file));
  }
  const std::string found = digest_of_file(path.string()).sha256;
  if (found != source.sha256) {
    throw InvalidInput(Fault{
        .what = fmt::format("this is not the file that the experiment was made for: its SHA-256 is "
                            "{}, expected {}",
                            found, source.sha256),
        .remedies =
            {{Remedy::Action::advice, "",
              fmt::format("give the folder that holds {} by --data or REPSC_DATA", source.origin)},
             {Remedy::Action::advice, "", fmt::format("leave the experiment {} out", source.id)}},
        .where = path.string()});
  }
  return path.string();
}

void keep_only(Network& network, const std::vector<bool>& keep) {
  network.similarity = induced_subgraph(network.similarity, keep);
  network.representation = induced_subgraph(network.representation, keep);
}

// Drops isolated nodes until there are none: dropping a node that is isolated in one graph may
// isolate its neighbours in the other.
void drop_isolated(Network& network, bool in_representation, int passes) {
  for (int pass = 0;; ++pass) {
    network.nodes_by_pass.push_back(network.similarity.num_nodes());
    if (pass == passes) return;
    std::vector<bool> keep(static_cast<std::size_t>(network.similarity.num_nodes()), true);
    std::vector<Index> isolated = isolated_nodes(network.similarity);
    if (in_representation) {
      const auto more = isolated_nodes(network.representation);
      isolated.insert(isolated.end(), more.begin(), more.end());
    }
    if (isolated.empty()) return;
    for (const Index node : isolated) keep[static_cast<std::size_t>(node)] = false;
    keep_only(network, keep);
  }
}

Network read_network(const Source& source, const std::string& folder, const std::string& reading) {
  const std::string path = data_path(source, folder);
  const How how = how_to_read(reading);
  Network network;
  network.similarity = graph_from_multiplex(path, {.layers = parse_layers(source.similarity_layers),
                                                   .nearest = source.nearest,
                                                   .volume = how.volume,
                                                   .self_loops = SelfLoops::drop});
  network.representation =
      graph_from_multiplex(path, {.layers = parse_layers(source.representation_layers),
                                  .nearest = source.nearest,
                                  .volume = how.volume,
                                  .self_loops = how.self_loops ? SelfLoops::add : SelfLoops::drop});
  drop_isolated(network, source.drop_isolated_in_representation, how.passes);
  return network;
}

// Ranks and numbers of groups: to N - K, dense at the end, where the best ranks are.
SweepGrid grid_of(const Request& request) {
  SweepGrid grid{
      .clusters = {2, 4, 6, 8},
      .ranks = {2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 200},
      .ends = {0, 1, 2, 4, 8, 16, 32},
      .strengths = strengths_of(request),
      .mus = mus_of(request),
      .bargain = request.wants("default")};
  if (request.size == Size::quick) {
    grid.ranks = {2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 160, 192, 200};
    grid.ends = {0, 1, 2, 4, 8};
  } else if (request.size == Size::tiny) {
    grid.clusters = {2};
    grid.ranks = {2, 16, 64};
    grid.ends = {0, 2};
  }
  grid.groups.assign(grid.ranks.begin(), grid.ranks.end());
  grid.group_ends = grid.ends;
  return grid;
}

std::vector<Instance> instances_of(const Source& source, const std::string& reading,
                                   const Request& request) {
  const auto network = std::make_shared<const Network>(read_network(source, request.data, reading));
  const Index nodes = network->similarity.num_nodes();
  SweepGrid grid = grid_of(request);
  grid.normalized = isolated_nodes(network->similarity).empty();
  std::vector<Instance> instances;
  for (int run = 0; run < request.repeats; ++run) {
    const std::array<std::int64_t, 2> numbers{nodes, run};
    const Setting base{.experiment = source.id,
                       .reading = reading,
                       .nodes = nodes,
                       .run = run,
                       .seed = mixed_seed(request.seed, numbers)};
    Instance instance;
    instance.settings = sweep_settings(base, grid);
    instance.answer = [network](std::span<const Setting> wanted, const Emit& emit) {
      const auto R = shared_representation(network->representation, wanted);
      const auto problem = [&](int) { return Problem{Pipeline(network->similarity, R)}; };
      answer_with(wanted, problem, emit);
    };
    instances.push_back(std::move(instance));
  }
  return instances;
}

std::string found_in(const Source& source, const std::string& folder, const std::string& reading) {
  const Network network = read_network(source, folder, reading);
  std::string passes;
  for (const Index nodes : network.nodes_by_pass)
    passes += fmt::format("{}{}", passes.empty() ? "" : ", then ", nodes);
  const bool normalized = isolated_nodes(network.similarity).empty();
  return fmt::format(
      "{}odes left after each pass of dropping isolated ones: {}. G has {} edges, R {} besides its "
      "self-loops.{}",
      reading.empty() ? "N" : fmt::format("Reading {}: n", reading), passes,
      network.similarity.num_edges(),
      network.representation.num_edges() - network.representation.num_self_loops(),
      normalized ? ""
                 : " Some nodes have no edge in G: only the unnormalized methods run, because the "
                   "normalized ones need degrees above 0.");
}

Experiment network_experiment(const Source& source, const SweepNames& names,
                              const std::vector<std::string>& notes,
                              std::vector<Reading> readings) {
  Experiment experiment;
  experiment.id = source.id;
  experiment.varies = "rank r, groups P (K = 2, 4, 6, 8)";
  experiment.needs_data = true;
  readings.push_back(fairsc_by_nsc_reading());
  experiment.readings = readings;
  experiment.instances = [source, readings](const Request& request) {
    std::vector<Instance> all;
    for (const std::string& reading : wanted_readings(readings, request)) {
      std::vector<Instance> more = instances_of(source, reading, request);
      std::move(more.begin(), more.end(), std::back_inserter(all));
    }
    return all;
  };
  experiment.panels = [names](const Summary& summary) { return sweep_panels(summary, names); };
  experiment.claims = [names](const Summary& summary) { return sweep_claims(summary, names); };
  experiment.notes = [source, notes, readings](const Request& request) {
    std::vector<std::string> all = notes;
    for (const std::string& reading : wanted_readings(readings, request)) {
      if (reading != fairsc_by_nsc) all.push_back(found_in(source, request.data, reading));
    }
    all.emplace_back("Repeats differ in the seeds of k-means only.");
    return all;
  };
  return experiment;
}

}  // namespace

Experiment fao() {
  Experiment experiment = network_experiment(
      fao_source,
      {.experiment = "fao",
       .network = "FAO trade",
       .ratio = {"Figures 3 and 12", "Figure 7"},
       .separated = {"Figure 18", "Figure 19"},
       .best_ratio = "\"URepSC (approx.) achieves a higher ratio of average balance to ratio-cut\" "
                     "(Section 5, A real-world network)",
       .real_network = true},
      {"Each node is linked to its five partners of largest trade volume (both directions summed) "
       "in each layer, ties to the smaller number; G joins layers 183-364, R layers 1-182. The "
       "paper says \"five nearest neighbors\" by \"the volume of trade\" and makes the edges "
       "undirected; the sum treats both directions alike.",
       "Four countries have no edge in G; they are dropped, because the normalized methods need "
       "degrees above 0 and the paper shows both families. It reports 214 nodes."},
      {{.name = "volume-larger",
        .changes = "the volume of two countries is that of the larger direction"},
       {.name = "volume-out", .changes = "the volume is that of the lines from a country"},
       {.name = "volume-in", .changes = "the volume is that of the lines to a country"},
       {.name = "nodes-214",
        .changes = "the four countries without an edge in G stay (unnormalized methods only)"}});
  experiment.title = "FAO trade network: balance and cut against rank r and number of groups P";
  experiment.paper = "Figures 3, 7, 12; 18, 19";
  return experiment;
}

Experiment air() {
  Experiment experiment = network_experiment(
      air_source,
      {.experiment = "air",
       .network = "air transport",
       .ratio = {"Figure 9", "Figure 10"},
       .separated = {"Figure 20", "Figure 21"},
       .best_ratio = "\"the value of R can be chosen to get a high balance at a competitive "
                     "ratio-cut\" (Appendix, Air-Transportation Network)",
       .competitive = true,
       .real_network = true},
      {"G joins Air France, British Airways and Lufthansa, R joins Air Berlin, Easyjet and "
       "Ryanair. The paper drops nodes that are isolated in either graph and reports 106 airports; "
       "the public file gives 100 after one pass of dropping and 96 once no airport is isolated in "
       "either graph, which is what runs here.",
       "R has self-loops (R_ii = 1, as Assumption 4.1 has them): a node represents itself."},
      {{.name = "nodes-100", .changes = "isolated airports are dropped in one pass only"},
       {.name = "no-self-loops", .changes = "R has no self-loops"}});
  experiment.title =
      "Air-transportation network: balance and cut against rank r and number of groups P";
  experiment.paper = "Figures 9, 10; 20, 21";
  return experiment;
}

}  // namespace repsc::experiments
