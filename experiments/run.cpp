// Runs experiments.
#include "experiments/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <iterator>
#include <limits>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "experiments/figures.hpp"
#include "experiments/folder.hpp"
#include "experiments/page.hpp"
#include "experiments/rows.hpp"
#include "repsc/constraint.hpp"
#include "repsc/io.hpp"
#include "repsc/models.hpp"
#include "repsc/report.hpp"

namespace repsc::experiments {
namespace {

/// An instance with the settings that have no row yet.
struct Work {
  const Instance* instance;
  std::vector<Setting> wanted;
  double cost;
};

// Rows, and what they share: the decomposition of R, that of its Laplacian, and groups.
double cost_of(const std::vector<Setting>& settings) {
  // Of 600 nodes, see recorded_cost(); of the Laplacian all eigenvectors, or a tenth of them.
  constexpr double decomposition = 0.16, laplacian = 0.4, part_of_laplacian = 0.08;
  double cost = 0, size = 0, of_groups = 0;
  bool ranks = false;
  std::set<int> groups;
  for (const Setting& setting : settings) {
    cost += recorded_cost(setting);
    const double n = setting.nodes / 600.0;
    size = n * n * n;
    ranks = ranks || setting.rank > 0;
    if (setting.groups == 0 || !groups.insert(setting.groups).second) continue;
    cost += grouping_cost(setting.nodes, setting.groups);
    of_groups =
        std::max(of_groups, 5 * setting.groups > setting.nodes ? laplacian : part_of_laplacian);
  }
  return cost + size * ((ranks ? decomposition : 0) + of_groups);
}

struct Job {
  const Experiment* experiment;
  std::string folder;
  std::vector<Instance> instances;
  std::unique_ptr<RowFile> file;
  std::vector<Work> work;
  bool resumed = false;

  [[nodiscard]] double cost() const {
    double sum = 0;
    for (const Work& part : work) sum += part.cost;
    return sum;
  }
  [[nodiscard]] std::size_t num_rows() const {
    std::size_t count = 0;
    for (const Instance& instance : instances) count += instance.settings.size();
    return count;
  }
};

Job prepare(const Experiment& experiment, const RunOptions& options) {
  Job job;
  job.experiment = &experiment;
  job.folder = options.out + '/' + experiment.id;
  job.instances = experiment.instances(options.request);
  std::filesystem::create_directories(job.folder);
  fix_parameters(job.folder, experiment, options.request, job.instances);
  job.file = std::make_unique<RowFile>(job.folder + "/results.csv");
  for (const Instance& instance : job.instances) {
    std::vector<Setting> wanted;
    for (const Setting& setting : instance.settings) {
      if (!job.file->holds(setting)) wanted.push_back(setting);
    }
    job.resumed = job.resumed || wanted.size() < instance.settings.size();
    if (wanted.empty()) continue;
    const double cost = cost_of(wanted);
    job.work.push_back({&instance, std::move(wanted), cost});
  }
  // The longest first, so that no thread is left alone with one of them at the end.
  std::stable_sort(job.work.begin(), job.work.end(),
                   [](const Work& x, const Work& y) { return x.cost > y.cost; });
  return job;
}

/// Progress of the whole run; updated by any thread.
class Ledger {
 public:
  Ledger(double total, const Watcher& watcher) : total_(total), watcher_(watcher) {}

  void row_finished(const Job& job, double cost, const std::function<void()>& store) {
    const std::lock_guard lock(mutex_);
    store();
    done_ += cost;
    if (!watcher_.progress) return;
    const double share = total_ > 0 ? std::min(1.0, done_ / total_) : 1;
    const double left = share > 0.005 ? watch_.seconds() * (1 - share) / share : unknown;
    watcher_.progress({job.experiment->id, job.file->rows().size(), job.num_rows(), share, left});
  }

 private:
  std::mutex mutex_;
  double total_;
  double done_ = 0;
  Stopwatch watch_;
  const Watcher& watcher_;
};

void answer(const Job& job, const Work& work, Ledger& ledger) {
  const double share = work.cost / static_cast<double>(work.wanted.size());
  work.instance->answer(work.wanted, [&](const Row& row) {
    ledger.row_finished(job, share, [&] { job.file->append(row); });
  });
}

// Runs instances in parallel. The first failure ends the run; finished rows are kept.
void answer_side_by_side(const Job& job, int threads, Ledger& ledger) {
  std::atomic<std::size_t> next = 0;
  std::mutex failing;
  std::exception_ptr failure;
  std::vector<std::thread> workers;
  workers.reserve(static_cast<std::size_t>(threads));
  const auto work = [&] {
    try {
      for (std::size_t i = next++; i < job.work.size(); i = next++)
        answer(job, job.work[i], ledger);
    } catch (...) {
      next = job.work.size();
      const std::lock_guard lock(failing);
      failure = std::current_exception();
    }
  };
  try {
    for (int worker = 0; worker < threads; ++worker) workers.emplace_back(work);
  } catch (const std::system_error&) {
    // The system cannot create more threads; continue with fewer.
    if (workers.empty()) work();
  }
  for (std::thread& worker : workers) worker.join();
  if (failure) std::rethrow_exception(failure);
}

void run_job(const Job& job, const RunOptions& options, Ledger& ledger) {
  set_num_threads(options.threads);
  const int threads = std::min(num_threads(), static_cast<int>(job.work.size()));
  const bool side_by_side = !job.experiment->alone && threads > 1;
  if (job.experiment->alone || side_by_side) set_num_threads(1);
  if (side_by_side) {
    answer_side_by_side(job, threads, ledger);
  } else {
    for (const Work& work : job.work) answer(job, work, ledger);
  }
  set_num_threads(options.threads);
}

void finish_job(const Job& job, const RunOptions& options, double seconds, const Watcher& watcher) {
  job.file->finish();
  const Summary summary(job.file->rows());
  write_text_file(job.folder + "/summary.csv", summary.csv());
  About about;
  const bool finished_before = read_about(job.folder, about);
  // If all rows exist already, only the figures are drawn again.
  if (!finished_before || !job.work.empty()) {
    about.seconds = seconds;
    about.resumed = job.resumed;
  }
  about.size = options.request.size;
  about.repeats = options.request.repeats;
  about.seed = options.request.seed;
  about.notes =
      job.experiment->notes ? job.experiment->notes(options.request) : std::vector<std::string>();
  std::vector<Panel> panels;
  for (ReadingPanels& part : panels_by_reading(*job.experiment, job.file->rows()))
    std::move(part.panels.begin(), part.panels.end(), std::back_inserter(panels));
  const std::string complaints = draw(panels, job.folder);
  if (!complaints.empty() && complaints != how_to_draw && watcher.note) watcher.note(complaints);
  write_about(job.folder, about);
}

}  // namespace

RunReport run_experiments(const RunOptions& options, const Watcher& watcher) {
  RunReport report;
  std::filesystem::create_directories(options.out);
  const FolderLock lock(options.out);
  std::vector<Job> jobs;
  double total = 0;
  for (const std::string& id : options.ids) {
    try {
      jobs.push_back(prepare(experiment_by_id(id), options));
      total += jobs.back().cost();
    } catch (const DataMissing& missing) {
      report.skipped.emplace_back(id, missing.what());
      if (watcher.note) watcher.note(missing.what());
    }
  }
  Ledger ledger(total, watcher);
  for (const Job& job : jobs) {
    const Stopwatch watch;
    run_job(job, options, ledger);
    const double seconds = watch.seconds();
    finish_job(job, options, seconds, watcher);
    report.finished.push_back(job.experiment->id);
    if (watcher.note) {
      watcher.note(job.work.empty() ? fmt::format("{}: already complete, {} rows",
                                                  job.experiment->id, job.num_rows())
                                    : fmt::format("{}: {} rows in {:.0f} s", job.experiment->id,
                                                  job.num_rows(), seconds));
    }
  }
  jobs.clear();
  if (!can_draw() && !report.finished.empty() && watcher.note) watcher.note(how_to_draw);
  const std::vector<Chapter> chapters = finished_chapters(options.out);
  report.claims = all_claims(chapters);
  write_text_file(options.out + "/claims.json", claims_json(chapters));
  write_text_file(options.out + "/index.html", index_html(chapters));
  return report;
}

double estimated_seconds(const Experiment& experiment, const Request& request, double factor) {
  double cost = 0;
  for (const Instance& instance : experiment.instances(request)) cost += cost_of(instance.settings);
  return cost * factor;
}

double machine_factor() {
  constexpr double recorded = 0.035;  // seconds of the same on the machine of recorded_cost()
  const Graph R = sample_planted_partition(equal_clusters(300, 5), 0.8, 0.2, 1, SelfLoops::add);
  set_num_threads(1);
  double seconds = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {  // the first includes the start of the libraries
    const Stopwatch watch;
    (void)decompose(R, 300);
    seconds = std::min(seconds, watch.seconds());
  }
  set_num_threads(std::nullopt);
  return std::clamp(seconds / recorded, 0.05, 50.0);
}

}  // namespace repsc::experiments
