// Available memory: what Linux reports, and the limit of the control group.
#include "core/memory.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>

#include "repsc/core.hpp"

namespace repsc {
namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

/// The number that follows `key` in a file of "key number" lines.
std::optional<std::int64_t> number_after(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    std::int64_t number = 0;
    if (word == key && file >> number) return number;
  }
  return std::nullopt;
}

/// The number in a file; `otherwise` for a missing file or a word such as "max".
std::int64_t number_in(const std::string& path, std::int64_t otherwise) {
  std::ifstream file(path);
  std::int64_t number = 0;
  return file >> number ? number : otherwise;
}

/// The unused part of a limit; page cache that can be dropped does not count as used.
std::int64_t left_of(std::int64_t limit, std::int64_t used, std::int64_t droppable) {
  return limit >= unlimited / 2
             ? unlimited
             : std::max<std::int64_t>(0, limit - std::max<std::int64_t>(0, used - droppable));
}

/// The path of this process in the hierarchy named by `prefix`, "0::" or "...:memory:".
std::string group_of_process(const std::string& root, const std::string& prefix) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto at = line.find(prefix);
    const bool whole = prefix != "0::" || at == 0;
    if (at != std::string::npos && whole) return line.substr(at + prefix.size());
  }
  return "/";
}

/// The tightest limit from a group up to the top of its hierarchy.
template <typename Left>
std::int64_t tightest(std::string group, const Left& left) {
  std::int64_t least = unlimited;
  for (;;) {
    if (group == "/") group.clear();
    least = std::min(least, left(group));
    const auto parent = group.rfind('/');
    if (group.empty() || parent == std::string::npos) return least;
    group.resize(parent);
  }
}

/// Where a version of control groups keeps its numbers.
struct GroupFiles {
  const char* prefix;  ///< of the line in /proc/self/cgroup
  const char* folder;
  const char* limit;
  const char* used;
  const char* droppable;  ///< the key in memory.stat
};

constexpr std::array<GroupFiles, 2> versions{{
    {":memory:", "/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes",
     "total_inactive_file"},
    {"0::", "/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"},
}};

std::int64_t left_in_groups(const std::string& root) {
  std::int64_t least = unlimited;
  for (const GroupFiles& files : versions) {
    const auto left = [&](const std::string& group) {
      const std::string folder = joined(root, files.folder, group, '/');
      return left_of(number_in(folder + files.limit, unlimited), number_in(folder + files.used, 0),
                     number_after(folder + "memory.stat", files.droppable).value_or(0));
    };
    least = std::min(least, tightest(group_of_process(root, files.prefix), left));
  }
  return least;
}

bool address_space_is_limited() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// Mode 2 of Linux: what is mapped counts as used. Allocates nothing, since it is asked for before
/// anybody could catch an exception.
bool overcommit_is_forbidden() {
  const int file = ::open("/proc/sys/vm/overcommit_memory", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char mode = '0';
  const bool known = ::read(file, &mode, 1) == 1;
  ::close(file);
  return known && mode == '2';
}

}  // namespace

std::int64_t free_memory_bytes(const std::string& root) {
  const auto kilobytes = number_after(root + "/proc/meminfo", "MemAvailable:");
  return std::min(kilobytes ? *kilobytes * 1024 : unlimited, left_in_groups(root));
}

bool address_space_may_run_out() { return address_space_is_limited() || overcommit_is_forbidden(); }

std::string bytes_in_words(std::int64_t bytes) {
  constexpr std::array<const char*, 5> units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto number = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; number >= 1024 && unit + 1 < units.size(); ++unit) number /= 1024;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", number, units[unit]);
  return text.data();
}

std::int64_t peak_memory_bytes() {
  constexpr std::int64_t kilobyte = 1024;
  // Of this program alone. The peak of getrusage() is also that of the process which started it.
  if (const auto peak = number_after("/proc/self/status", "VmHWM:")) return *peak * kilobyte;
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return static_cast<std::int64_t>(usage.ru_maxrss) * kilobyte;  // Linux counts in kilobytes
}

}  // namespace repsc
