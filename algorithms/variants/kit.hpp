#pragma once
// Compiles a variant's file into a program. It uses the public headers, precompiled once, and one shared library with
// everything of kdscope except its list of builders.

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

#include "algorithms/builders/algorithm.hpp"
#include "algorithms/core/error.hpp"
#include "algorithms/variants/stage_source.hpp"

namespace kdscope::variants {

/// The locations of the headers, the library and the compiler.
struct Kit {
  std::vector<std::string> include_folders;
  std::string library;
  std::string compiler;  ///< "g++", or a path
  std::string cuda_compiler = {};  ///< path of nvcc; empty if there is none
  std::string cuda_library = {};   ///< the archive of CudaExec; empty if this kdscope was built without CUDA
  std::vector<std::string> options = {}, link_options = {};  ///< with which the compiler builds at full speed
  std::string id = {};  ///< changes when the library does; a variant runs only with the kit for which it was compiled
};

/// What a variant is compiled for: to be recorded with its accesses checked, to be timed, to have the bytes counted
/// that it reads and writes in arrays, or to have the accesses of its lanes recorded. The last two are done on the CPU.
enum class Purpose : std::uint8_t { record, measure, count, inside };

/// Finds the kit, and a compiler for CUDA if the kit has none: the one in the variable CUDACXX, in the PATH, or where
/// NVIDIA's installer puts it. The kit is in the file that the environment variable KDSCOPE_KIT names, beside an
/// installed program, or in the build folder. Errors of kind bad_usage: there is no kit, or a part of it is missing.
Result<Kit> find_kit();

/// Returns the user's folder for compiled variants, and makes it. Errors of kind io_failure.
Result<std::filesystem::path> cache_folder();

/// A message of the compiler that names a line of the variant's file.
struct CompilerMessage {
  std::uint32_t line = 0, column = 0;
  std::string kind;  ///< "error", "warning", "note"
  std::string text;
};

/// A compiled variant.
struct CompiledVariant {
  std::filesystem::path program;
  std::vector<CompilerMessage> warnings;
  double seconds = 0;     ///< compile time; 0 if the program existed already
  bool prepared = false;  ///< whether the headers were precompiled first
};

/// The reasons why a variant does not compile.
struct CompilerErrors {
  std::vector<CompilerMessage> messages;  ///< messages that name lines of the file
  std::string output;                     ///< everything that the compiler printed
};

/// Compiles a variant for a back end, unless the same text was compiled with the same kit before. Programs and
/// precompiled headers are in the user's cache folder; the oldest are removed. If the file does not compile, `errors`
/// receives the messages, and the result is an error of kind bad_input that names the first. Other errors: bad_usage if
/// there is no compiler for the back end; no_device if the file compiles for CUDA, but this kdscope was built without
/// it, so that nothing can run. Purpose::count and Purpose::inside: for the CPU alone.
Result<CompiledVariant> compile(const VariantFile& variant, const Kit& kit, CompilerErrors& errors,
                                std::stop_token stop = {}, Backend backend = Backend::cpu,
                                Purpose purpose = Purpose::record);

/// Returns the messages in a compiler's output that name a line of the file.
std::vector<CompilerMessage> messages_in(const std::string& output, const std::string& file);

}  // namespace kdscope::variants
