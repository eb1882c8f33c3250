#pragma once
// What a function needs so that the same source compiles for the host (g++) and for a CUDA device (nvcc).

#if defined(__CUDACC__)
#define KDSCOPE_HD __host__ __device__
#else
#define KDSCOPE_HD
#endif
