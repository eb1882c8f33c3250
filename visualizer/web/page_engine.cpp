#include "visualizer/web/page_engine.hpp"

#include <cstdlib>
#include <filesystem>

#include "algorithms/core/input_file.hpp"

namespace kdscope {
namespace {

constexpr std::uint64_t most_engine_bytes = 16 << 20;
constexpr const char* how_to_build = "build it with: bash visualizer/web/engine/build.sh";

/// Returns the path of the engine's file; empty if there is none.
std::filesystem::path engine_path() {
  namespace fs = std::filesystem;
  if (const char* chosen = std::getenv("KDSCOPE_ENGINE"); chosen && *chosen) return chosen;
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  for (const fs::path& folder : {program.parent_path().parent_path() / "share/kdscope", fs::path(KDSCOPE_BUILD_ENGINE)})
    if (fs::is_regular_file(folder / engine_file_name, failed)) return folder / engine_file_name;
  return {};
}

}  // namespace

Result<std::string> read_engine() {
  const std::filesystem::path path = engine_path();
  if (path.empty())
    return Error{ErrorKind::bad_usage, "there is no engine, with which pages run on their readers' own points", "",
                 how_to_build};
  auto text = read_file(path.string(), most_engine_bytes);
  if (text && !text->starts_with("// kdscope engine " KDSCOPE_VERSION ", sources "))
    return Error{ErrorKind::bad_input, "is not the engine of kdscope " KDSCOPE_VERSION, path.string(), how_to_build};
  return text;
}

}  // namespace kdscope
