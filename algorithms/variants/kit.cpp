#include "algorithms/variants/kit.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "algorithms/text/quotes.hpp"
#include "algorithms/variants/child_program.hpp"

namespace kdscope::variants {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_programs = 50, most_headers = 12;  // headers take 100 MB each

/// Returns the FNV-1a hash of a text, for file names.
std::string digest_of_text(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15];
  return digits;
}

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the path of nvcc; empty if there is none.
std::string find_cuda_compiler() {
  if (const std::string named = environment("CUDACXX"); !named.empty()) return named;
  std::istringstream folders(environment("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path compiler = fs::path(folder) / "nvcc"; ::access(compiler.c_str(), X_OK) == 0)
      return compiler.string();
  constexpr const char* usual = "/usr/local/cuda/bin/nvcc";
  return ::access(usual, X_OK) == 0 ? usual : "";
}

Error no_kit(const std::string& what, const std::string& where) {
  return {ErrorKind::bad_usage, what, where,
          "build kdscope with its target kdscope_kit, or name the file kit.txt in the variable KDSCOPE_KIT"};
}

/// Returns the words of the command for CUDA up to the input. Line numbers, for the tools that watch a device's
/// accesses; otherwise the flags of the builders.
std::vector<std::string> cuda_command(const Kit& kit, Purpose purpose) {
  std::vector<std::string> command{kit.cuda_compiler,
                                   "-std=c++20",
                                   purpose == Purpose::measure ? "-O3" : "-O1",
                                   "-lineinfo",
                                   "-arch=native",
                                   "-fmad=false",
                                   "--expt-relaxed-constexpr",
                                   "--extended-lambda",
                                   "-Xcompiler=-Wall,-Wextra,-ffp-contract=off,-fPIE",
                                   "-DKDSCOPE_HAS_CUDA",
                                   "-DKDSCOPE_KIT_ID=\"" + kit.id + "\""};
  if (purpose == Purpose::measure) command.insert(command.end(), {"-DNDEBUG", "-DKDSCOPE_MEASURED"});
  for (const std::string& folder : kit.include_folders) command.push_back("-I" + folder);
  return command;
}

/// Returns the words of the command for a timed variant on the CPU, up to the input.
std::vector<std::string> measuring_command(const Kit& kit) {
  std::vector<std::string> command{kit.compiler,
                                   "-std=c++20",
                                   "-O3",
                                   "-DNDEBUG",
                                   "-fPIE",
                                   "-ffp-contract=off",
                                   "-fdiagnostics-color=never",
                                   "-DKDSCOPE_MEASURED",
                                   "-DKDSCOPE_KIT_ID=\"" + kit.id + "\""};
  command.insert(command.end(), kit.options.begin(), kit.options.end());
  for (const std::string& folder : kit.include_folders) command.push_back("-I" + folder);
  return command;
}

/// Returns the words of the command for a variant whose accesses are counted or recorded, up to the input. The
/// sanitizer reports them, but its library is not linked. Optimised, so that values in registers do not count; loops
/// stay what they are, as an access by a call of memcpy would not be reported. To be recorded, they keep their lines.
std::vector<std::string> counting_command(const Kit& kit, Purpose purpose) {
  const bool inside = purpose == Purpose::inside;
  std::vector<std::string> command{kit.compiler,
                                   "-std=c++20",
                                   inside ? "-O1" : "-O2",
                                   inside ? "-g1" : "-g0",
                                   "-fno-tree-vectorize",
                                   "-fno-tree-loop-distribute-patterns",
                                   "-DNDEBUG",
                                   "-fPIE",
                                   "-ffp-contract=off",
                                   "-fsanitize=thread",
                                   "-Wno-tsan",
                                   "-fdiagnostics-color=never",
                                   inside ? "-DKDSCOPE_INSIDE" : "-DKDSCOPE_COUNTED",
                                   "-DKDSCOPE_SEQUENTIAL",
                                   "-DKDSCOPE_KIT_ID=\"" + kit.id + "\""};
  for (const std::string& folder : kit.include_folders) command.push_back("-I" + folder);
  return command;
}

/// Returns the words of a compiler's command up to the input.
std::vector<std::string> compiler_command(const Kit& kit) {
  std::vector<std::string> command{kit.compiler,
                                   "-std=c++20",
                                   "-g1",
                                   "-O0",
                                   "-Wall",
                                   "-Wextra",
                                   "-fPIE",
                                   "-ffp-contract=off",
                                   "-fsanitize=address,integer-divide-by-zero",
                                   "-fno-sanitize-recover=integer-divide-by-zero",
                                   "-fno-omit-frame-pointer",
                                   "-fdiagnostics-color=never",
                                   "-DKDSCOPE_SEQUENTIAL",
                                   "-DKDSCOPE_KIT_ID=\"" + kit.id + "\""};
  for (const std::string& folder : kit.include_folders) command.push_back("-I" + folder);
  return command;
}

/// Returns the error of a full disk if that is why the compiler failed.
std::optional<Error> full_disk(const ProgramEnd& ended, const fs::path& cache) {
  if (ended.code == 0 || ended.output.find("No space left on device") == std::string::npos) return std::nullopt;
  return Error{ErrorKind::io_failure, "the disk is full", cache.string(),
               "free some space there, or in the folder for temporary files, or name another folder in the variable "
               "XDG_CACHE_HOME"};
}

Result<ProgramEnd> run_compiler(const std::vector<std::string>& command, std::stop_token stop) {
  ProgramLimits limits;
  limits.time = std::chrono::minutes(5);
  limits.memory_bytes = std::uint64_t(8) << 30;
  auto ended = run_program(
      command, "", limits, [](const std::string&) {}, stop);
  if (!ended) return ended;
  using Reason = ProgramEnd::Reason;
  if (ended->reason == Reason::stopped) return Error{ErrorKind::cancelled, "stopped on request", "", ""};
  if (ended->reason == Reason::exit && ended->code == 127)
    return Error{ErrorKind::bad_usage, "the compiler " + kdscope::quoted(command.front()) + " cannot be started", "",
                 "install g++, or name another compiler in the variable CXX"};
  if (ended->reason != Reason::exit)
    return Error{ErrorKind::device_failure, "the compiler was ended, because it took too much time, memory or output",
                 "", "simplify the variant"};
  return ended;
}

/// Returns whether a precompiled header exists and no header of the kit is newer. With a stale one, the compiler would
/// read changed headers a second time. Work O(headers).
bool is_current(const fs::path& compiled, const Kit& kit) {
  std::error_code failed;
  const auto made = fs::last_write_time(compiled, failed);
  if (failed) return false;
  for (const std::string& folder : kit.include_folders)
    for (auto file = fs::recursive_directory_iterator(folder + "/algorithms", failed);
         !failed && file != fs::recursive_directory_iterator(); file.increment(failed)) {
      const fs::path ending = file->path().extension();
      if ((ending == ".hpp" || ending == ".cuh") && fs::last_write_time(file->path(), failed) > made) return false;
    }
  return true;
}

/// Removes the oldest files with an ending.
void remove_oldest(const fs::path& cache, const char* ending, std::size_t most) {
  std::vector<std::pair<fs::file_time_type, fs::path>> files;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(cache, failed))
    if (entry.path().extension() == ending) files.emplace_back(entry.last_write_time(failed), entry.path());
  std::ranges::sort(files);
  for (std::size_t i = 0; i + most < files.size(); ++i) fs::remove(files[i].second, failed);
}

/// Returns the lines of a variant that include headers of kdscope.
std::string included_headers(const std::string& text) {
  std::istringstream lines(text);
  std::string included;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("#include \"algorithms/")) included += line + "\n";
  return included;
}

/// Precompiles the headers that a variant includes for a command, once per kit, and again after a header was changed.
/// Returns the header to include.
Result<fs::path> prepare_headers(const std::string& included, std::vector<std::string> command, const Kit& kit,
                                 const fs::path& cache, bool& prepared, std::stop_token stop) {
  std::string made_by = kit.id + included;
  for (const std::string& word : command) made_by += " " + word;
  const std::string name = "headers-" + digest_of_text(made_by);
  const fs::path header = cache / (name + ".hpp");
  const fs::path compiled = header.string() + ".gch";
  if (is_current(compiled, kit)) return header;
  remove_oldest(cache, ".gch", most_headers - 1);
  prepared = true;
  const fs::path draft = cache / (name + "-" + std::to_string(::getpid()) + ".hpp");
  std::ofstream(header) << included;
  for (const std::string& word :
       {std::string("-x"), std::string("c++-header"), header.string(), std::string("-o"), draft.string()})
    command.push_back(word);
  const auto ended = run_compiler(command, stop);
  if (!ended) return ended.error();
  if (ended->code != 0) {
    std::error_code ignored;
    fs::remove(draft, ignored);
  }
  if (const auto full = full_disk(*ended, cache)) return *full;
  if (ended->code != 0)
    return no_kit("the headers of kdscope do not compile: " + ended->output.substr(0, ended->output.find('\n')),
                  header.string());
  std::error_code failed;
  fs::rename(draft, compiled, failed);  // another process may do the same at the same time
  if (failed) return Error{ErrorKind::io_failure, "cannot be written", compiled.string(), "check the disk"};
  return header;
}

}  // namespace

Result<fs::path> cache_folder() {
  fs::path folder = environment("XDG_CACHE_HOME");
  if (folder.empty() && !environment("HOME").empty()) folder = fs::path(environment("HOME")) / ".cache";
  if (folder.empty()) folder = fs::temp_directory_path() / ("kdscope-cache-" + std::to_string(::getuid()));
  folder = folder / "kdscope" / "variants";
  std::error_code failed;
  fs::create_directories(folder, failed);
  struct stat there {};
  // Programs in the folder are run, so nobody else may put files there.
  if (failed || ::stat(folder.c_str(), &there) != 0 || there.st_uid != ::geteuid() ||
      ::chmod(folder.c_str(), 0700) != 0)
    return Error{ErrorKind::io_failure, "this folder for compiled variants cannot be made", folder.string(),
                 "name another one in the variable XDG_CACHE_HOME"};
  return folder;
}

Result<Kit> find_kit() {
  std::vector<fs::path> places{KDSCOPE_BUILD_KIT};
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) places.insert(places.begin(), program.parent_path().parent_path() / "share/kdscope/kit/kit.txt");
  if (const std::string named = environment("KDSCOPE_KIT"); !named.empty()) places = {named};
  for (const fs::path& place : places) {
    std::ifstream file(place);
    if (!file) continue;
    Kit kit;
    kit.compiler = environment("CXX");
    for (std::string line; std::getline(file, line);) {
      const std::size_t space = line.find(' ');
      const std::string key = line.substr(0, space), value = space == std::string::npos ? "" : line.substr(space + 1);
      const std::string path = (place.parent_path() / value).lexically_normal().string();
      if (key == "include")
        kit.include_folders.push_back(path);
      else if (key == "library")
        kit.library = path;
      else if (key == "compiler" && kit.compiler.empty())
        kit.compiler = value;
      else if (key == "option")
        kit.options.push_back(value);
      else if (key == "link_option")
        kit.link_options.push_back(value);
      else if (key == "cuda_compiler")
        kit.cuda_compiler = value;
      else if (key == "cuda_library")
        kit.cuda_library = path;
    }
    struct stat library {};
    if (kit.library.empty() || ::stat(kit.library.c_str(), &library) != 0)
      return no_kit("the library for variants is missing", kit.library.empty() ? place.string() : kit.library);
    if (kit.compiler.empty()) kit.compiler = "g++";
    if (kit.cuda_compiler.empty()) kit.cuda_compiler = find_cuda_compiler();
    kit.id = digest_of_text(kit.library + " " + std::to_string(library.st_size) + " " +
                            std::to_string(library.st_mtim.tv_sec) + "." + std::to_string(library.st_mtim.tv_nsec));
    return kit;
  }
  return no_kit("there is no kit to compile variants with", places.front().string());
}

std::vector<CompilerMessage> messages_in(const std::string& output, const std::string& file) {
  std::vector<CompilerMessage> messages;
  std::istringstream lines(output);
  const std::string start = file + ":";
  for (std::string line; std::getline(lines, line);) {
    CompilerMessage message;
    char mark = 0;
    if (line.starts_with(start)) {
      // Parse g++'s LINE:COLUMN: KIND: TEXT
      std::istringstream rest(line.substr(start.size()));
      if (!(rest >> message.line >> mark >> message.column >> mark)) continue;
      line = line.substr(start.size() + static_cast<std::size_t>(rest.tellg()));
    } else if (line.starts_with(file + "(")) {
      // Parse nvcc's (LINE): KIND NUMBER: TEXT
      std::istringstream rest(line.substr(start.size()));
      if (!(rest >> message.line >> mark) || mark != ')' || !(rest >> mark)) continue;
      line = line.substr(start.size() + static_cast<std::size_t>(rest.tellg()));
      message.column = 1;
    } else {
      continue;
    }
    std::istringstream rest(line);
    std::getline(rest >> std::ws, message.kind, ':');
    message.kind = message.kind.substr(0, message.kind.find(" #"));
    std::getline(rest >> std::ws, message.text);
    if (message.kind.starts_with("fatal ")) message.kind = "error";
    if (!message.text.empty()) messages.push_back(std::move(message));
  }
  return messages;
}

Result<CompiledVariant> compile(const VariantFile& variant, const Kit& kit, CompilerErrors& errors,
                                std::stop_token stop, Backend backend, Purpose purpose) {
  if (variant.is_search && purpose != Purpose::inside)
    return Error{ErrorKind::bad_usage, "is a search, which kdscope-cli inside alone can run", variant.path,
                 "kdscope-cli inside FILE --data SPEC --query X,Y"};
  const auto cache = cache_folder();
  if (!cache) return cache.error();
  const std::string text = contents_of(variant.path);
  CompiledVariant compiled;
  compiled.program = *cache / (digest_of_text(variant.path + "\n" + text + "\n" + kit.id + "\n" +
                                              (backend == Backend::cuda ? kit.cuda_compiler : kit.compiler) +
                                              (purpose == Purpose::measure  ? "\nmeasure"
                                               : purpose == Purpose::count  ? "\ncount"
                                               : purpose == Purpose::inside ? "\ninside"
                                                                            : "")) +
                               ".variant");
  std::error_code failed;
  if (fs::exists(compiled.program)) {
    fs::last_write_time(compiled.program, fs::file_time_type::clock::now(), failed);
    return compiled;
  }
  if (backend == Backend::cuda && kit.cuda_compiler.empty())
    return Error{ErrorKind::bad_usage, "there is no compiler for CUDA", "",
                 "install the CUDA toolkit, name nvcc in the variable CUDACXX, or choose --backend cpu"};
  const auto begin = Clock::now();
  const fs::path draft = compiled.program.string() + "." + std::to_string(::getpid());
  const std::string run_path = "-rpath=" + fs::path(kit.library).parent_path().string();
  const auto run = [&](std::vector<std::string> command, const std::vector<std::string>& rest) {
    command.insert(command.end(), rest.begin(), rest.end());
    return run_compiler(command, stop);
  };
  Result<ProgramEnd> ended = ProgramEnd{};
  if (backend == Backend::cuda) {
    const std::string object = draft.string() + ".o";
    ended = run(cuda_command(kit, purpose), {"-x", "cu", "-c", variant.path, "-o", object});
    if (ended && ended->code == 0 && !kit.cuda_library.empty())
      ended =
          run({kit.cuda_compiler}, {object, kit.cuda_library, kit.library, "-Xlinker", run_path, "-o", draft.string()});
    fs::remove(object, failed);
  } else if (purpose == Purpose::count || purpose == Purpose::inside) {
    const std::string object = draft.string() + ".o";
    const auto command = counting_command(kit, purpose);
    std::vector<std::string> input{"-x", "c++", "-c", variant.path, "-o", object};
    // A stage is changed again and again; other programs are compiled once
    if (purpose == Purpose::inside && !variant.replaced.empty()) {
      const auto header = prepare_headers(included_headers(text), command, kit, *cache, compiled.prepared, stop);
      if (!header) return header.error();
      input.insert(input.begin(), {"-include", header->string()});
    }
    ended = run(command, input);
    std::vector<std::string> rest{object, kit.library, "-Xlinker", run_path, "-o", draft.string()};
    if (purpose == Purpose::inside) rest.push_back("-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset");
    if (ended && ended->code == 0) ended = run({kit.compiler}, rest);
    fs::remove(object, failed);
  } else if (purpose == Purpose::measure) {
    std::vector<std::string> rest{"-x", "c++",          variant.path, "-x",       "none",
                                  "-o", draft.string(), kit.library,  "-Xlinker", run_path};
    rest.insert(rest.end(), kit.link_options.begin(), kit.link_options.end());
    ended = run(measuring_command(kit), rest);
  } else {
    const auto header =
        prepare_headers(included_headers(text), compiler_command(kit), kit, *cache, compiled.prepared, stop);
    if (!header) return header.error();
    ended = run(compiler_command(kit), {"-include", header->string(), "-x", "c++", variant.path, "-x", "none", "-o",
                                        draft.string(), kit.library, "-Xlinker", run_path});
  }
  if (!ended) return ended.error();
  auto messages = messages_in(ended->output, variant.path);
  if (ended->code != 0) {
    fs::remove(draft, failed);
    if (const auto full = full_disk(*ended, *cache)) return *full;
    errors = {messages, ended->output};
    for (const CompilerMessage& message : messages)
      if (message.kind == "error")
        return Error{ErrorKind::bad_input, message.text,
                     variant.path + ":" + std::to_string(message.line) + ":" + std::to_string(message.column),
                     "correct the line"};
    return Error{ErrorKind::bad_input, "does not compile", variant.path, "see the compiler's messages"};
  }
  if (backend == Backend::cuda && kit.cuda_library.empty()) {
    errors = {messages, ""};
    return Error{ErrorKind::no_device,
                 "the variant compiles for CUDA, but cannot run: this kdscope was built without it", variant.path,
                 "build kdscope where nvcc and a GPU are, or choose --backend cpu"};
  }
  fs::rename(draft, compiled.program, failed);
  if (failed) return Error{ErrorKind::io_failure, "cannot be written", compiled.program.string(), "check the disk"};
  compiled.warnings = std::move(messages);
  compiled.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  remove_oldest(*cache, ".variant", most_programs);
  return compiled;
}

}  // namespace kdscope::variants
