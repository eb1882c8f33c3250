#pragma once
// The program that a variant's file becomes.

namespace kdscope {

/// The main function of a variant. Reads one request from standard input and records it, or any number of requests to
/// build, and reports events (protocol.hpp). file: the variant's source, as the compiler names it. kit_id: the library
/// for which it was compiled. Returns the exit code: 0 if the trace was written.
int run_as_variant(const char* file, const char* kit_id);

}  // namespace kdscope
