#pragma once
// Guides a device's compiler. KDSCOPE_NOT_INLINED before a function keeps it out of line, and KDSCOPE_ROLLED before a
// loop keeps it from being unrolled, so that the registers of what few threads do do not become every thread's.
// KDSCOPE_UNROLLED before a loop unrolls it, so that a lane's small arrays stay in registers and its reads overlap.

#if defined(__CUDACC__)
#define KDSCOPE_NOT_INLINED __noinline__
#else
#define KDSCOPE_NOT_INLINED __attribute__((noinline))
#endif
#if defined(__CUDA_ARCH__)
#define KDSCOPE_ROLLED _Pragma("unroll 1")
#define KDSCOPE_UNROLLED _Pragma("unroll")
#define KDSCOPE_UNROLLED_BY_8 _Pragma("unroll 8")
#else
#define KDSCOPE_ROLLED
#define KDSCOPE_UNROLLED
#define KDSCOPE_UNROLLED_BY_8
#endif
