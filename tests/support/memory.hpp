// Whether memory can be measured: sanitizers allocate more than the program requests.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define REPSC_MEMORY_IS_INSTRUMENTED 1
#else
#define REPSC_MEMORY_IS_INSTRUMENTED 0
#endif
