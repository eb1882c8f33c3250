#include "datasets/moving_data.hpp"

#include <algorithm>
#include <cstdlib>

#include "datasets/datasets.hpp"
#include "datasets/generators/workbench_scan.hpp"

namespace kdscope {
namespace {

constexpr char file_frame[] = "{frame}";
constexpr char parameter[] = "frame=";

std::string source_of(const std::string& specification) { return specification.substr(0, specification.find(':')); }

/// Where the value of the parameter "frame" begins; npos if there is none.
std::size_t value_at(const std::string& specification) {
  std::size_t at = specification.find(':');
  while (at != std::string::npos) {
    if (specification.compare(at + 1, sizeof(parameter) - 1, parameter) == 0) return at + sizeof(parameter);
    at = specification.find(',', at + 1);
  }
  return at;
}

}  // namespace

std::uint32_t frames_of(const std::string& specification) {
  if (specification.find(file_frame) != std::string::npos) return 1u << 31;
  const auto& sources = data_sources();
  const auto source = std::ranges::find(sources, source_of(specification), &DataSource::id);
  if (source == sources.end()) return 1;
  const auto frame = std::ranges::find(source->parameters, "frame", &DataParameter::name);
  return frame == source->parameters.end() ? 1 : static_cast<std::uint32_t>(frame->max + 1);
}

std::uint32_t frame_of(const std::string& specification) {
  const std::size_t at = value_at(specification);
  return at == std::string::npos ? 0
                                 : static_cast<std::uint32_t>(std::strtoul(specification.c_str() + at, nullptr, 10));
}

std::string with_frame(const std::string& specification, std::uint32_t frame) {
  const std::string number = std::to_string(frame);
  std::string with = specification;
  if (const std::size_t at = with.find(file_frame); at != std::string::npos)
    return with.replace(at, sizeof(file_frame) - 1, number);
  if (frames_of(specification) == 1) return specification;
  if (const std::size_t at = value_at(specification); at != std::string::npos)
    return with.replace(at, with.find(',', at) == std::string::npos ? std::string::npos : with.find(',', at) - at,
                        number);
  return with + (with.find(':') == std::string::npos ? ":" : ",") + parameter + number;
}

std::optional<KnownScan> known_scan(const std::string& specification) {
  if (source_of(specification) != "workbench") return std::nullopt;
  return KnownScan{"piston", piston_place(frame_of(specification)), workbench_camera};
}

}  // namespace kdscope
