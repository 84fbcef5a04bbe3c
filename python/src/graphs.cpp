// Graphs: views of CSR arrays, files, and the way back to arrays.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "repsc/cuda.hpp"
#include "repsc/io.hpp"

namespace repsc::python {
namespace {

SelfLoops self_loops_by_name(const std::string& word) {
  if (word == "drop") return SelfLoops::drop;
  if (word == "keep") return SelfLoops::keep;
  if (word == "add") return SelfLoops::add;
  throw InvalidOptions(
      Fault{.what = "not one of drop, keep, add", .option = "self_loops", .value = word});
}

std::optional<GraphFormat> format_by_name(const std::string& word) {
  constexpr std::array<std::pair<const char*, GraphFormat>, 5> formats{
      {{"txt", GraphFormat::edge_list},
       {"mtx", GraphFormat::matrix_market},
       {"graph", GraphFormat::metis},
       {"npz", GraphFormat::npz},
       {"rgraph", GraphFormat::rgraph}}};
  if (word == "auto") return std::nullopt;
  std::string known = "auto";
  for (const auto& [name, format] : formats) {
    if (word == name) return format;
    known += ", " + std::string(name);
  }
  throw InvalidOptions(Fault{.what = "not one of " + known, .option = "format", .value = word});
}

using Weights = std::optional<InputArray<double>>;

/// Objects of Python that live as long as a graph. The last one to use it may be a thread of the
/// engine, which does not hold the GIL.
template <typename Objects>
std::shared_ptr<Objects> held(Objects objects) {
  return {new Objects(std::move(objects)), [](Objects* last) {
            const nb::gil_scoped_acquire acquire;
            delete last;
          }};
}

/// The arrays that a graph views.
struct Owner {
  InputArray<Offset> offsets;
  InputArray<Index> neighbors;
  Weights weights;
};

CsrArrays arrays_of(InputArray<Offset> offsets, InputArray<Index> neighbors, Weights weights) {
  const std::shared_ptr<Owner> owner =
      held(Owner{std::move(offsets), std::move(neighbors), std::move(weights)});
  std::span<const double> values;
  if (owner->weights) values = {owner->weights->data(), owner->weights->size()};
  return {{owner->offsets.data(), owner->offsets.size()},
          {owner->neighbors.data(), owner->neighbors.size()},
          values,
          owner};
}

std::optional<Graph> view(InputArray<Offset> offsets, InputArray<Index> neighbors, Weights weights,
                          const std::string& self_loops) {
  const SelfLoops loops = self_loops_by_name(self_loops);
  const CsrArrays arrays = arrays_of(std::move(offsets), std::move(neighbors), std::move(weights));
  const nb::gil_scoped_release release;
  std::optional<Graph> graph = view_graph(arrays, SelfLoops::keep);
  if (graph) graph = with_self_loops(*graph, loops);
  return graph;
}

/// Addresses in the memory of a device of what the graph has on the host; weights 0: not there.
Graph also_on_device(const Graph& graph, int device, std::uintptr_t neighbors,
                     std::uintptr_t weights, nb::object owner) {
  return graph.also_on_device(std::make_shared<ArraysOnDevice>(
      ArraysOnDevice{.device = device,
                     .neighbors = reinterpret_cast<const Index*>(neighbors),
                     .weights = reinterpret_cast<const double*>(weights),
                     .owner = held(std::move(owner))}));
}

/// False if there is no device to copy from.
bool copied_from_device(int device, std::uintptr_t from,
                        nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> to) {
  const nb::gil_scoped_release release;
  return copy_from_device(device, reinterpret_cast<const void*>(from),
                          std::as_writable_bytes(std::span(to.data(), to.size())));
}

Graph on_host(const Graph& graph) { return graph.also_on_device(nullptr); }

nb::tuple arrays(nb::handle_t<Graph> self) {
  const auto& graph = nb::cast<const Graph&>(self);
  const auto as_array = [&]<typename Value>(std::span<const Value> values) {
    return nb::cast(nb::ndarray<nb::numpy, const Value>(values.data(), {values.size()}, self));
  };
  return nb::make_tuple(as_array(graph.offsets()), as_array(graph.neighbors()),
                        graph.weighted() ? as_array(graph.weights()) : nb::none());
}

std::vector<std::string> names(const Graph& graph) {
  std::vector<std::string> result;
  for (Index node = 0; node < graph.num_nodes(); ++node) result.push_back(graph.names()[node]);
  return result;
}

Graph with_names(const Graph& graph, const std::vector<std::string>& given) {
  return {graph.offsets(), graph.neighbors(), graph.weights(), std::make_shared<Graph>(graph),
          NodeNames(given)};
}

void restore(Graph& self, const std::tuple<InputArray<Offset>, InputArray<Index>, Weights>& state) {
  const auto& [offsets, neighbors, weights] = state;
  const CsrArrays arrays = arrays_of(offsets, neighbors, weights);
  const auto num_nodes = static_cast<Index>(arrays.offsets.size() - 1);
  new (&self) Graph(arrays.offsets, arrays.neighbors, arrays.weights, arrays.owner,
                    NodeNames(num_nodes, 0));
}

nb::tuple read(const std::string& path, const std::string& format, const std::string& self_loops,
               bool trusted, std::optional<std::int64_t> memory, const nb::object& on_progress) {
  const ReadOptions options{.format = format_by_name(format),
                            .self_loops = self_loops_by_name(self_loops),
                            .memory = memory,
                            .trusted = trusted};
  BuiltGraph built = interruptible(
      [path, options](const ProgressFn& progress) {
        ReadOptions with_progress = options;
        with_progress.progress = progress;
        return read_graph(path, with_progress);
      },
      on_progress);
  return nb::make_tuple(std::move(built.graph), describe(built.changes));
}

void write(const Graph& graph, const std::string& path, const std::string& format, bool compress) {
  const std::optional<GraphFormat> chosen = format_by_name(format);
  const nb::gil_scoped_release release;
  write_graph(graph, path, chosen, compress ? Neighbors::gaps : Neighbors::plain);
}

}  // namespace

void bind_graphs(nb::module_& module) {
  nb::class_<Graph>(module, "Graph")
      .def_prop_ro("num_nodes", &Graph::num_nodes)
      .def_prop_ro("num_entries", &Graph::num_entries)
      .def_prop_ro("num_edges", &Graph::num_edges)
      .def_prop_ro("weighted", &Graph::weighted)
      .def_prop_ro("names", &names)
      .def("arrays", &arrays)
      .def("also_on_device", &also_on_device, nb::arg("device"), nb::arg("neighbors"),
           nb::arg("weights"), nb::arg("owner"))
      .def("on_host", &on_host)
      .def("with_names", &with_names, nb::arg("names"))
      .def("__getstate__", &arrays)
      .def("__setstate__", &restore);
  module.def("view_graph", &view, nb::arg("indptr"), nb::arg("indices"), nb::arg("weights").none(),
             nb::arg("self_loops"));
  module.def("read_graph", &read, nb::arg("path"), nb::arg("format"), nb::arg("self_loops"),
             nb::arg("trusted"), nb::arg("memory").none(), nb::arg("on_progress").none());
  module.def("write_graph", &write, nb::arg("graph"), nb::arg("path"), nb::arg("format"),
             nb::arg("compress"));
  module.def("copy_from_device", &copied_from_device, nb::arg("device"), nb::arg("address"),
             nb::arg("to"));
  module.def("isolated_nodes", &isolated_nodes, nb::arg("graph"),
             nb::call_guard<nb::gil_scoped_release>());
  module.def(
      "connected_components",
      [](const Graph& graph) { return numpy_array(connected_components(graph)); },
      nb::arg("graph"));
}

}  // namespace repsc::python
