#pragma once
// KDSCOPE_NOT_INLINED keeps a function that few threads call out of line, so that its registers are not every thread's.

#if defined(__CUDACC__)
#define KDSCOPE_NOT_INLINED __noinline__
#else
#define KDSCOPE_NOT_INLINED __attribute__((noinline))
#endif
