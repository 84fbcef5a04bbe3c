// Function multiversioning: one binary that uses the vector units of the machine it runs on.
#pragma once

// gcc compiles a function so marked for each of these processors and picks one when the program
// starts. Other architectures have one set of units. Functions that it calls must be always_inline.
// Not with the thread sanitizer: gcc instruments what picks one, which runs before the sanitizer.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define REPSC_VECTOR_UNITS \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define REPSC_VECTOR_UNITS
#endif
