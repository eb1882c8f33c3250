#pragma once
// Keeps the registers of what few threads do from becoming every thread's: KDSCOPE_NOT_INLINED before a function keeps
// it out of line, KDSCOPE_ROLLED before a loop keeps a device's compiler from unrolling it.

#if defined(__CUDACC__)
#define KDSCOPE_NOT_INLINED __noinline__
#else
#define KDSCOPE_NOT_INLINED __attribute__((noinline))
#endif
#if defined(__CUDA_ARCH__)
#define KDSCOPE_ROLLED _Pragma("unroll 1")
#else
#define KDSCOPE_ROLLED
#endif
