// parameters.json and about.json of an experiment's folder.
#include "experiments/folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "repsc/io.hpp"
#include "repsc/report.hpp"

namespace repsc::experiments {
namespace {

using Json = nlohmann::ordered_json;

template <typename Value, typename Read>
Json distinct(const std::vector<Instance>& instances, const Read& read) {
  std::set<Value> values;
  for (const Instance& instance : instances) {
    for (const Setting& setting : instance.settings) values.insert(read(setting));
  }
  return values;
}

Json parameters_of(const Experiment& experiment, const Request& request,
                   const std::vector<Instance>& instances) {
  std::size_t rows = 0;
  for (const Instance& instance : instances) rows += instance.settings.size();
  return {{"repsc", version},
          {"experiment", experiment.id},
          {"size", name(request.size)},
          {"repeats", request.repeats},
          {"seed", request.seed},
          {"also", request.also},
          {"readings", wanted_readings(experiment.readings, request)},
          {"methods", distinct<std::string>(instances, [](const Setting& a) { return a.method; })},
          {"nodes", distinct<Index>(instances, [](const Setting& a) { return a.nodes; })},
          {"clusters", distinct<int>(instances, [](const Setting& a) { return a.clusters; })},
          {"degree", distinct<Index>(instances, [](const Setting& a) { return a.degree; })},
          {"rank", distinct<Index>(instances, [](const Setting& a) { return a.rank; })},
          {"groups", distinct<int>(instances, [](const Setting& a) { return a.groups; })},
          {"strength", distinct<double>(instances, [](const Setting& a) { return a.strength; })},
          {"mu", distinct<double>(instances, [](const Setting& a) { return a.mu; })},
          {"p", distinct<double>(instances, [](const Setting& a) { return a.p; })},
          {"q", distinct<double>(instances, [](const Setting& a) { return a.q; })},
          {"r", distinct<double>(instances, [](const Setting& a) { return a.r; })},
          {"s", distinct<double>(instances, [](const Setting& a) { return a.s; })},
          {"rows", rows}};
}

bool holds_all(const Json& list, const Json& of) {
  return std::all_of(of.begin(), of.end(), [&](const Json& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  });
}

/// Whether a run was finished or begun with fewer readings and is the same otherwise: readings only
/// add rows.
bool adds_readings(const Json& found, const Json& wanted) {
  if (!found.contains("readings") || found["readings"] == wanted["readings"]) return false;
  return std::all_of(wanted.items().begin(), wanted.items().end(), [&](const auto& item) {
    if (!found.contains(item.key())) return false;
    const Json& before = found[item.key()];
    if (before == item.value() || item.key() == "rows") return true;
    return item.key() != "also" && before.is_array() && item.value().is_array() &&
           holds_all(item.value(), before);
  });
}

Remedy use_another_folder() { return {Remedy::Action::advice, "", "use another folder"}; }

[[noreturn]] void refuse_folder(const std::string& folder, const std::string& what,
                                std::vector<Remedy> remedies) {
  throw InvalidInput(
      Fault{.what = what, .option = "out", .value = folder, .remedies = std::move(remedies)});
}

Json read_json(const std::string& path) {
  std::ifstream file(path);
  try {
    return Json::parse(file);
  } catch (const Json::exception& error) {
    throw InvalidInput(Fault{.what = joined("not the JSON that repsc wrote (", error.what(), ")"),
                             .remedies = {use_another_folder()},
                             .where = path});
  }
}

bool exists(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

}  // namespace

FolderLock::FolderLock(const std::string& folder) {
  const std::string path = folder + "/.lock";
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw IoError(path + ": " + std::strerror(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  ::close(descriptor_);
  refuse_folder(folder, "another run is writing to this folder",
                {{Remedy::Action::advice, "", "wait until it ends"}, use_another_folder()});
}

FolderLock::~FolderLock() { ::close(descriptor_); }

void fix_parameters(const std::string& folder, const Experiment& experiment, const Request& request,
                    const std::vector<Instance>& instances) {
  const std::string path = folder + "/parameters.json";
  const Json wanted = parameters_of(experiment, request, instances);
  if (!exists(path)) {
    if (exists(folder + "/results.csv")) {
      refuse_folder(folder,
                    "it has results but no parameters.json, so their parameters are unknown",
                    {use_another_folder()});
    }
    write_text_file(path, wanted.dump(2) + '\n');
    return;
  }
  const Json found = read_json(path);
  if (adds_readings(found, wanted)) return write_text_file(path, wanted.dump(2) + '\n');
  for (const auto& [field, value] : wanted.items()) {
    if (!found.contains(field)) {
      refuse_folder(folder, "it was made by a version of repsc without " + field,
                    {use_another_folder()});
    }
    const Json& before = found[field];
    if (before == value) continue;
    refuse_folder(
        folder,
        joined("it was made with ", field, " ", before.dump(), ", now it is ", value.dump()),
        {use_another_folder(), {Remedy::Action::advice, "", "use the same parameters to resume"}});
  }
}

void write_about(const std::string& folder, const About& about) {
  const Json json{{"size", name(about.size)}, {"repeats", about.repeats},
                  {"seed", about.seed},       {"notes", about.notes},
                  {"seconds", about.seconds}, {"resumed", about.resumed}};
  write_text_file(folder + "/about.json", json.dump(2) + '\n');
}

bool read_about(const std::string& folder, About& about) {
  const std::string path = folder + "/about.json";
  if (!exists(path)) return false;
  const Json json = read_json(path);
  for (const Size size : {Size::tiny, Size::quick, Size::paper}) {
    if (json.value("size", "") == name(size)) about.size = size;
  }
  about.repeats = json.value("repeats", 0);
  about.seed = json.value("seed", std::uint64_t{0});
  about.notes = json.value("notes", std::vector<std::string>());
  about.seconds = json.value("seconds", 0.0);
  about.resumed = json.value("resumed", false);
  return true;
}

}  // namespace repsc::experiments
