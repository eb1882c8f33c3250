#pragma once
// For functions that receive the compiler's reports of accesses: they must not report their own.

#if defined(__clang__)
#define KDSCOPE_UNREPORTED __attribute__((disable_sanitizer_instrumentation))
#else
#define KDSCOPE_UNREPORTED __attribute__((no_sanitize("thread")))
#endif
