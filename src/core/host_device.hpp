// Marks functions that are also compiled for a device, where nvcc compiles them (src/cuda).
#pragma once

#if defined(__CUDACC__)
#define REPSC_HOST_DEVICE __host__ __device__
#else
#define REPSC_HOST_DEVICE
#endif
