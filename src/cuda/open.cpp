// Finds librepsc_cuda.so, loads it and opens devices. Where something is missing, the message says
// what, and what to do.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>

#include "core/text.hpp"
#include "cuda/device.hpp"

namespace repsc {
namespace {

std::string name_of(int number) { return number == 0 ? "cuda" : joined("cuda:", number); }

/// There is no device to be used, for whatever reason.
class Unavailable : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

Unavailable unavailable(const std::string& what, int number) {
  return Unavailable(Fault{.what = "no CUDA device can be used: " + what,
                           .option = "device",
                           .value = name_of(number),
                           .remedies = {{Remedy::Action::use, "device", "cpu"}}});
}

/// The folder of the file that this code is in: the tool, the library or the Python module.
std::string own_folder() {
  Dl_info facts = {};
  const auto* const here = reinterpret_cast<const void*>(&device_by_name);
  if (dladdr(here, &facts) == 0 || facts.dli_fname == nullptr) return "";
  const std::string file = facts.dli_fname;
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "" : file.substr(0, slash + 1);
}

/// Where the library may be. REPSC_CUDA_LIBRARY names it, if it is set.
std::vector<std::string> places() {
  constexpr const char* file = "librepsc_cuda.so";
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  if (const char* const named = std::getenv("REPSC_CUDA_LIBRARY"); named != nullptr) return {named};
  const std::string own = own_folder();
  return {own + file, own + "../lib/" + file, own + "../" + file, file};
}

/// REPSC_CUDA_MEMORY: how many bytes of a device may be used, where others need some or to try what
/// happens if a graph does not fit.
std::int64_t memory_limit_of_user() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody here changes the environment
  const char* const text = std::getenv("REPSC_CUDA_MEMORY");
  if (text == nullptr || *text == 0) return std::numeric_limits<std::int64_t>::max();
  const std::string_view given = text;
  std::int64_t number = 0;
  const char* const end = given.data() + given.size();
  const auto [stopped, failure] = std::from_chars(given.data(), end, number);
  const std::string_view unit(stopped, static_cast<std::size_t>(end - stopped));
  constexpr std::array<std::string_view, 4> units{"", "K", "M", "G"};
  const auto* const found = std::find(units.begin(), units.end(), unit);
  const auto shift = 10 * (found - units.begin());
  if (failure != std::errc() || found == units.end() || number < 1 ||
      number > (std::numeric_limits<std::int64_t>::max() >> shift)) {
    throw InvalidInput(joined("REPSC_CUDA_MEMORY is ", in_quotes(given),
                              ", but must be a number of bytes such as 8G or 500M"));
  }
  return number << shift;
}

/// `number`: of the device that is asked for.
const repsc_cuda_functions& load(int number) {
  std::string failure;
  void* library = nullptr;
  for (const std::string& place : places()) {
    library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
    if (failure.empty()) failure = dlerror();
  }
  if (library == nullptr) {
    throw unavailable(
        "librepsc_cuda.so could not be loaded (" + failure + "); build it with nvcc, docs/gpu.md",
        number);
  }
  using Entry = const repsc_cuda_functions* (*)();
  const auto entry = reinterpret_cast<Entry>(dlsym(library, "repsc_cuda"));
  if (entry == nullptr) throw unavailable("librepsc_cuda.so is not a library of repsc", number);
  const repsc_cuda_functions& functions = *entry();
  if (functions.version != REPSC_CUDA_VERSION) {
    throw unavailable(joined("librepsc_cuda.so has version ", functions.version,
                             " of the interface, and version ", REPSC_CUDA_VERSION,
                             " is needed; build both from the same sources"),
                      number);
  }
  std::array<char, 512> message = {};
  const std::int32_t count =
      functions.count_devices(message.data(), static_cast<std::int64_t>(message.size()));
  if (count < 0) throw unavailable(message.data(), number);
  if (count == 0) throw unavailable("this machine has none", number);
  return functions;
}

}  // namespace

std::optional<DeviceChoice> device_by_name(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "cpu") return DeviceChoice{};
  if (text == "cuda") return DeviceChoice{.kind = DeviceChoice::Kind::cuda};
  if (text.starts_with("cuda:")) {
    int number = -1;
    const char* const end = text.data() + text.size();
    const auto [stopped, failure] = std::from_chars(text.data() + 5, end, number);
    if (failure == std::errc() && stopped == end && number >= 0)
      return DeviceChoice{.kind = DeviceChoice::Kind::cuda, .number = number};
  }
  throw InvalidOptions(
      Fault{.what = "it must be auto, cpu, cuda or cuda:N", .option = "device", .value = text});
}

CudaDevice::CudaDevice(const repsc_cuda_functions& functions, int number)
    : functions_(functions), context_(nullptr, functions.close), number_(number) {
  const std::int64_t limit = memory_limit_of_user();
  std::array<char, 512> message = {};
  context_.reset(functions.open(number, message.data(), static_cast<std::int64_t>(message.size())));
  if (context_ == nullptr) throw unavailable(message.data(), number);
  repsc_cuda_facts facts = {};
  call(&repsc_cuda_functions::facts, &facts);
  // Looked up once: what this process takes of it later is not in use by others.
  memory_bytes_ = std::min({facts.memory_bytes, facts.free_bytes, limit});
  name_ = joined("cuda:", number, ", ", static_cast<const char*>(facts.name));
}

void* CudaDevice::allocate(std::int64_t bytes) const {
  void* const data = functions_.allocate(context_.get(), bytes);
  if (data == nullptr) fail();
  return data;
}

void CudaDevice::fail() const {
  throw DeviceFailure(Fault{.what = joined(name_, ": ", functions_.message(context_.get())),
                            .option = "device",
                            .value = "cuda",
                            .remedies = {{Remedy::Action::use, "device", "cpu"}}});
}

std::shared_ptr<CudaDevice> open_cuda_device(int number) {
  static std::mutex opening;
  // Never closed: when a process ends, the driver may be gone before its static objects.
  static auto* const open = new std::map<int, std::shared_ptr<CudaDevice>>;
  const std::lock_guard lock(opening);
  std::shared_ptr<CudaDevice>& device = (*open)[number];
  if (device == nullptr) device = std::make_shared<CudaDevice>(load(number), number);
  return device;
}

std::shared_ptr<CudaDevice> cuda_device_if_any(int number) {
  try {
    return open_cuda_device(number);
  } catch (const Unavailable&) {
    return nullptr;
  } catch (const DeviceFailure&) {
    return nullptr;
  }
}

std::string name(const std::shared_ptr<CudaDevice>& device) {
  return device == nullptr ? "cpu" : device->name();
}

std::shared_ptr<CudaDevice> device_of_name(const std::string& name) {
  const auto choice = device_by_name(name.substr(0, name.find(',')));
  if (!choice || choice->kind == DeviceChoice::Kind::cpu) return nullptr;
  return cuda_device_if_any(choice->number);
}

bool copy_from_device(int number, const void* from, std::span<std::byte> to) {
  const std::shared_ptr<CudaDevice> device = cuda_device_if_any(number);
  if (device == nullptr) return false;
  try {
    const std::unique_lock in_use = device->use();
    device->call(&repsc_cuda_functions::download, to.data(), from, std::ssize(to));
    return true;
  } catch (const DeviceFailure&) {
    return false;
  }
}

}  // namespace repsc
