// The real networks: FAO trade (Figures 3, 7, 12, 18, 19) and European air transport (9, 10, 20,
// 21).
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <memory>
#include <mutex>

#include "experiments/experiments.hpp"
#include "experiments/sweep.hpp"
#include "experiments/work.hpp"
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
  return path.string();
}

void keep_only(Network& network, const std::vector<bool>& keep) {
  network.similarity = induced_subgraph(network.similarity, keep);
  network.representation = induced_subgraph(network.representation, keep);
}

// Drops isolated nodes until there are none: dropping a node that is isolated in one graph may
// isolate its neighbours in the other.
void drop_isolated(Network& network, bool in_representation) {
  while (true) {
    network.nodes_by_pass.push_back(network.similarity.num_nodes());
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

Network read_network(const Source& source, const std::string& folder) {
  const std::string path = data_path(source, folder);
  Network network;
  network.similarity = graph_from_multiplex(path, {.layers = parse_layers(source.similarity_layers),
                                                   .nearest = source.nearest,
                                                   .self_loops = SelfLoops::drop});
  network.representation =
      graph_from_multiplex(path, {.layers = parse_layers(source.representation_layers),
                                  .nearest = source.nearest,
                                  .self_loops = SelfLoops::add});
  drop_isolated(network, source.drop_isolated_in_representation);
  return network;
}

std::vector<Index> grid_of(Index nodes, Size size) {
  std::vector<Index> all{2,  4,  6,   8,   12,  16,  24,  32,  48, 64,
                         80, 96, 112, 128, 144, 160, 176, 192, 200};
  if (size == Size::quick) all = {2, 4, 8, 16, 32, 48, 64, 80, 96, 128, 160, 192, 200};
  if (size == Size::tiny) all = {2, 16, 64};
  std::erase_if(all, [&](Index value) { return value > nodes - 8; });
  return all;
}

std::vector<Instance> instances_of(const Source& source, const Request& request) {
  const auto network = std::make_shared<const Network>(read_network(source, request.data));
  const Index nodes = network->similarity.num_nodes();
  const std::vector<Index> ranks = grid_of(nodes, request.size);
  const std::vector<int> groups(ranks.begin(), ranks.end());
  const std::vector<int> clusters =
      request.size == Size::tiny ? std::vector{2} : std::vector{2, 4, 6, 8};
  std::vector<Instance> instances;
  for (int run = 0; run < request.repeats; ++run) {
    const std::array<std::int64_t, 2> numbers{nodes, run};
    const Setting base{.experiment = source.id,
                       .nodes = nodes,
                       .run = run,
                       .seed = mixed_seed(request.seed, numbers)};
    Instance instance;
    instance.settings = sweep_settings(base, {clusters, ranks, groups, strengths_of(request),
                                              mus_of(request), request.wants("default")});
    instance.answer = [network](std::span<const Setting> wanted, const Emit& emit) {
      const auto R = shared_representation(network->representation, wanted);
      const auto problem = [&](int) { return Problem{Pipeline(network->similarity, R)}; };
      answer_with(wanted, problem, emit);
    };
    instances.push_back(std::move(instance));
  }
  return instances;
}

std::string found_in(const Source& source, const std::string& folder) {
  const Network network = read_network(source, folder);
  std::string passes;
  for (const Index nodes : network.nodes_by_pass)
    passes += fmt::format("{}{}", passes.empty() ? "" : ", then ", nodes);
  return fmt::format(
      "Nodes left after each pass of dropping isolated ones: {}. G has {} edges, R {} besides its "
      "self-loops. Repeats differ in the seeds of k-means only.",
      passes, network.similarity.num_edges(),
      network.representation.num_edges() - network.representation.num_self_loops());
}

Experiment network_experiment(const Source& source, const SweepFigures& figures,
                              const std::vector<std::string>& readings) {
  Experiment experiment;
  experiment.id = source.id;
  experiment.varies = "rank r, groups P (K = 2, 4, 6, 8)";
  experiment.needs_data = true;
  experiment.instances = [source](const Request& request) { return instances_of(source, request); };
  experiment.panels = [figures](const Summary& summary) {
    return sweep_panels(summary, figures, true);
  };
  experiment.claims = [id = experiment.id](const Summary& summary) {
    return sweep_claims(summary, id);
  };
  experiment.notes = [source, readings](const Request& request) {
    std::vector<std::string> notes = readings;
    notes.push_back(found_in(source, request.data));
    return notes;
  };
  return experiment;
}

}  // namespace

Experiment fao() {
  Experiment experiment = network_experiment(
      fao_source, {{"Figures 3 and 12", "Figure 7"}, {"Figure 18", "Figure 19"}},
      {"Each node is linked to its five partners of largest trade volume (both directions summed) "
       "in each layer, ties to the smaller number; G joins layers 183-364, R layers 1-182.",
       "Four countries have no edge in G; they are dropped, because the normalized methods need "
       "degrees above 0. The paper keeps 214 and does not say what it did with them."});
  experiment.title = "FAO trade network: balance and cut against rank r and number of groups P";
  experiment.paper = "Figures 3, 7, 12; 18, 19";
  return experiment;
}

Experiment air() {
  Experiment experiment =
      network_experiment(air_source, {{"Figure 9", "Figure 10"}, {"Figure 20", "Figure 21"}},
                         {"G joins Air France, British Airways and Lufthansa, R joins Air Berlin, "
                          "Easyjet and Ryanair. "
                          "The paper reports 106 airports; the public files give 100 after one "
                          "pass of dropping and 96 "
                          "once no airport is isolated in either graph, which is what runs here."});
  experiment.title =
      "Air-transportation network: balance and cut against rank r and number of groups P";
  experiment.paper = "Figures 9, 10; 20, 21";
  return experiment;
}

}  // namespace repsc::experiments
