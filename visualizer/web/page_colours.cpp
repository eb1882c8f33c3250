#include "visualizer/web/page_colours.hpp"

#include <cstdio>

#include "visualizer/web/baked_text.hpp"

namespace kdscope {
namespace {

struct ThemeColour {
  const char* name;
  Rgb Theme::*colour;
};
constexpr ThemeColour theme_colours[] = {
    {"window", &Theme::window},       {"base", &Theme::base},           {"button", &Theme::button},
    {"text", &Theme::text},           {"muted", &Theme::muted_text},    {"line", &Theme::line},
    {"axis", &Theme::axis},           {"selection", &Theme::selection}, {"focus", &Theme::focus},
    {"pivot", &Theme::pivot},         {"changed", &Theme::changed},     {"plane", &Theme::plane},
    {"new-plane", &Theme::new_plane}, {"passed", &Theme::passed},       {"failed", &Theme::failed},
    {"warning", &Theme::warning}};

}  // namespace

std::string hex_text(Rgb colour) {
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", colour.r, colour.g, colour.b);
  return text;
}

std::size_t PageColours::put(Rgb light, Rgb dark) {
  const std::pair colours{hex_text(light), hex_text(dark)};
  const auto [found, is_new] = index_.try_emplace(colours, inks_.size());
  if (is_new) inks_.push_back(colours);
  return found->second;
}

std::string PageColours::css() const {
  std::string light, dark;
  for (const ThemeColour& named : theme_colours) {
    light += std::string("--") + named.name + ":" + hex_text(theme(ThemeId::light).*named.colour) + ";";
    dark += std::string("--") + named.name + ":" + hex_text(theme(ThemeId::dark).*named.colour) + ";";
  }
  for (std::size_t i = 0; i < inks_.size(); ++i) {
    const std::string name = "--c" + std::to_string(i) + ":";
    light += name + inks_[i].first + ";";
    dark += name + inks_[i].second + ";";
  }
  // Printers get the light colours, whatever the display has.
  std::string css = ":root{color-scheme:light;" + light + "}\n";
  css += "@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;" + dark + "}}\n";
  return css;
}

}  // namespace kdscope
