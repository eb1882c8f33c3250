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

std::string polygon_text(Glyph glyph) {
  std::string text;
  for (const auto& [x, y] : glyph_outline(glyph))
    text += (text.empty() ? "" : ",") + json_place(50 + 50 * x / glyph_reach) + "% " +
            json_place(50 + 50 * y / glyph_reach) + "%";
  return text;
}

std::size_t PageColours::put(Rgb light, Rgb dark) {
  const std::pair colours{hex_text(light), hex_text(dark)};
  const auto [found, is_new] = index_.try_emplace(colours, inks_.size());
  if (is_new) inks_.push_back(colours);
  return found->second;
}

std::size_t PageColours::look(const TableCell& cell) {
  const auto variable = [this](auto colour_of) { return "var(--c" + std::to_string(ink(colour_of)) + ")"; };
  const auto part = [&](Rgb CellLook::*colour) {
    return variable([&](const Theme& theme) { return look_of(theme, cell, false).*colour; });
  };
  const CellLook light = look_of(theme(ThemeId::light), cell, false);
  // The first use of a colour numbers it, and the order of the terms of a sum differs between compilers.
  std::string rule = "{background:";
  rule += part(&CellLook::ground);
  rule += ";color:";
  rule += part(&CellLook::ink);
  if (light.bold) rule += ";font-weight:700";
  if (light.glyph)
    rule += ";--shape:" + part(&CellLook::shape) + ";--glyph:var(--g" + std::to_string(static_cast<int>(*light.glyph)) +
            ")";
  rule += "}";
  const auto [found, is_new] = look_index_.try_emplace(rule, looks_.size());
  if (is_new) looks_.push_back(rule);
  return found->second;
}

std::string PageColours::css() const {
  std::string light, dark, css = ":root{";
  for (int glyph = 0; glyph < glyph_count; ++glyph)
    css += "--g" + std::to_string(glyph) + ":polygon(" + polygon_text(static_cast<Glyph>(glyph)) + ");";
  css += "}\n";
  for (const ThemeColour& named : theme_colours) {
    light += std::string("--") + named.name + ":" + hex_text(theme(ThemeId::light).*named.colour) + ";";
    dark += std::string("--") + named.name + ":" + hex_text(theme(ThemeId::dark).*named.colour) + ";";
  }
  for (const Role role : {Role::read, Role::write, Role::compare}) {
    const std::string name = std::string("--role-") + name_of(role) + ":";
    light += name + hex_text(role_colour(theme(ThemeId::light), role)) + ";";
    dark += name + hex_text(role_colour(theme(ThemeId::dark), role)) + ";";
  }
  for (std::size_t i = 0; i < inks_.size(); ++i) {
    const std::string name = "--c" + std::to_string(i) + ":";
    light += name + inks_[i].first + ";";
    dark += name + inks_[i].second + ";";
  }
  // Printers get the light colours, whatever the display has.
  css += ":root{color-scheme:light;" + light + "}\n";
  css += "@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;" + dark + "}}\n";
  for (std::size_t i = 0; i < looks_.size(); ++i) css += ".k" + std::to_string(i) + looks_[i] + "\n";
  return css;
}

}  // namespace kdscope
