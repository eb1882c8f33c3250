#include "algorithms/variants/kit.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string_view>
#include <system_error>

#include "algorithms/text/quotes.hpp"
#include "algorithms/variants/child_program.hpp"

namespace kdscope::variants {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_programs = 50;

/// Returns the FNV-1a hash of a text, for file names.
std::string digest(std::string_view text) {
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

Error no_kit(const std::string& what, const std::string& where) {
  return {ErrorKind::bad_usage, what, where,
          "build kdscope with its target kdscope_kit, or name the file kit.txt in the variable KDSCOPE_KIT"};
}

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
                                   "-fsanitize=address",
                                   "-fno-omit-frame-pointer",
                                   "-fdiagnostics-color=never",
                                   "-DKDSCOPE_KIT_ID=\"" + kit.id + "\""};
  for (const std::string& folder : kit.include_folders) command.push_back("-I" + folder);
  return command;
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

/// Precompiles the headers of an algorithm once per kit, and again after a header was changed. Returns the header to
/// include.
Result<fs::path> prepare_headers(const std::string& algorithm, const Kit& kit, const fs::path& cache, bool& prepared,
                                 std::stop_token stop) {
  std::string name = algorithm;
  std::ranges::replace(name, '-', '_');
  const fs::path header = cache / (name + "-" + digest(kit.id + kit.compiler) + ".hpp");
  const fs::path compiled = header.string() + ".gch";
  if (is_current(compiled, kit)) return header;
  prepared = true;
  const fs::path draft = cache / (name + "-" + std::to_string(::getpid()) + ".hpp");
  std::ofstream(header) << "#include \"algorithms/builders/" << algorithm << "/" << name
                        << ".hpp\"\n#include \"algorithms/variants/variant.hpp\"\n";
  auto command = compiler_command(kit);
  for (const std::string& word :
       {std::string("-x"), std::string("c++-header"), header.string(), std::string("-o"), draft.string()})
    command.push_back(word);
  const auto ended = run_compiler(command, stop);
  if (!ended) return ended.error();
  if (ended->code != 0)
    return no_kit("the headers of kdscope do not compile: " + ended->output.substr(0, 300), header.string());
  std::error_code failed;
  fs::rename(draft, compiled, failed);  // another process may do the same at the same time
  if (failed) return Error{ErrorKind::io_failure, "cannot be written", compiled.string(), "check the disk"};
  return header;
}

void remove_oldest_programs(const fs::path& cache) {
  std::vector<std::pair<fs::file_time_type, fs::path>> programs;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(cache, failed))
    if (entry.path().extension() == ".variant") programs.emplace_back(entry.last_write_time(failed), entry.path());
  std::ranges::sort(programs);
  for (std::size_t i = 0; i + most_programs < programs.size(); ++i) fs::remove(programs[i].second, failed);
}

}  // namespace

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
    }
    struct stat library {};
    if (kit.library.empty() || ::stat(kit.library.c_str(), &library) != 0)
      return no_kit("the library for variants is missing", kit.library.empty() ? place.string() : kit.library);
    if (kit.compiler.empty()) kit.compiler = "g++";
    kit.id = digest(kit.library + " " + std::to_string(library.st_size) + " " + std::to_string(library.st_mtim.tv_sec) +
                    "." + std::to_string(library.st_mtim.tv_nsec));
    return kit;
  }
  return no_kit("there is no kit to compile variants with", places.front().string());
}

std::vector<CompilerMessage> messages_in(const std::string& output, const std::string& file) {
  std::vector<CompilerMessage> messages;
  std::istringstream lines(output);
  const std::string start = file + ":";
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(start)) continue;
    // Parse LINE:COLUMN: KIND: TEXT
    CompilerMessage message;
    char colon = 0;
    std::istringstream rest(line.substr(start.size()));
    if (!(rest >> message.line >> colon >> message.column >> colon)) continue;
    std::getline(rest >> std::ws, message.kind, ':');
    std::getline(rest >> std::ws, message.text);
    if (message.kind.starts_with("fatal ")) message.kind = "error";
    if (!message.text.empty()) messages.push_back(std::move(message));
  }
  return messages;
}

Result<CompiledVariant> compile(const VariantFile& variant, const Kit& kit, CompilerErrors& errors,
                                std::stop_token stop) {
  const auto cache = cache_folder();
  if (!cache) return cache.error();
  const std::string text = contents_of(variant.path);
  CompiledVariant compiled;
  compiled.program = *cache / (digest(variant.path + "\n" + text + "\n" + kit.id + "\n" + kit.compiler) + ".variant");
  std::error_code failed;
  if (fs::exists(compiled.program)) {
    fs::last_write_time(compiled.program, fs::file_time_type::clock::now(), failed);
    return compiled;
  }
  const auto begin = Clock::now();
  const auto header = prepare_headers(variant.algorithm, kit, *cache, compiled.prepared, stop);
  if (!header) return header.error();
  const fs::path draft = compiled.program.string() + "." + std::to_string(::getpid());
  auto command = compiler_command(kit);
  const std::string folder = fs::path(kit.library).parent_path().string();
  for (const std::string& word :
       {std::string("-include"), header->string(), std::string("-x"), std::string("c++"), variant.path,
        std::string("-x"), std::string("none"), std::string("-o"), draft.string(), kit.library, "-Wl,-rpath," + folder})
    command.push_back(word);
  const auto ended = run_compiler(command, stop);
  if (!ended) return ended.error();
  auto messages = messages_in(ended->output, variant.path);
  if (ended->code != 0) {
    fs::remove(draft, failed);
    errors = {messages, ended->output};
    for (const CompilerMessage& message : messages)
      if (message.kind == "error")
        return Error{ErrorKind::bad_input, message.text,
                     variant.path + ":" + std::to_string(message.line) + ":" + std::to_string(message.column),
                     "correct the line"};
    return Error{ErrorKind::bad_input, "does not compile", variant.path, "see the compiler's messages"};
  }
  fs::rename(draft, compiled.program, failed);
  if (failed) return Error{ErrorKind::io_failure, "cannot be written", compiled.program.string(), "check the disk"};
  compiled.warnings = std::move(messages);
  compiled.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  remove_oldest_programs(*cache);
  return compiled;
}

}  // namespace kdscope::variants
