// The command-line tool with the allocator that fails: REPSC_FAIL_ALLOCATION=N names the
// allocation, counted from the start of main(), from which on none succeeds; =N,once that one only.
#include <cstdlib>
#include <cstring>

#include "allocation/failing_allocator.hpp"

extern "C" {

// The linker calls __wrap_main in place of main (--wrap=main), and main by this name.
int __real_main(int argc, char** argv);

int __wrap_main(int argc, char** argv) {
  using repsc::tests::Failing;
  if (const char* const number = std::getenv("REPSC_FAIL_ALLOCATION")) {
    const bool once = std::strstr(number, "once") != nullptr;
    repsc::tests::fail_allocation(std::atoll(number), once ? Failing::once : Failing::from_then_on);
  }
  return __real_main(argc, argv);
}
}
