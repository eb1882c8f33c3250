#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "tests/support/catch.hpp"
#include "visualizer/figure/partition_picture.hpp"
#include "visualizer/style/glyph.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope::style_test {

TEST_CASE("texts are readable on every ground of every theme") {
  for (ThemeId id : all_themes) {
    const Theme& t = theme(id);
    CAPTURE(t.name);
    for (Rgb ground : {t.window, t.base, t.button, changed_ground(t)}) {
      CHECK(contrast(t.text, ground) >= 7);
      CHECK(contrast(t.muted_text, ground) >= 4.5);
    }
    CHECK(contrast(t.changed, t.base) >= 4.5);
    CHECK(contrast(t.selection, t.base) >= 4.5);
    CHECK(contrast(t.pivot, t.base) >= 7);
    for (Rgb sign : {t.passed, t.failed, t.warning, t.focus}) CHECK(contrast(sign, t.base) >= 4.5);
    for (std::uint32_t node = 0; node < 255; ++node)
      for (bool settled : {false, true}) {
        const Rgb ground = cell_ground(t, subtree_colour(t, NodeId{node}), settled);
        CHECK(text_on(ground) == cell_ink(t));
        const Rgb changed = changed_cell_ground(t, subtree_colour(t, NodeId{node}), ground);
        CHECK(contrast(cell_ink(t), changed) >= 4.5);
        CHECK((id == ThemeId::high_contrast) == (colour_distance(changed, ground) < 0.02));
        // A settled cell that changed is still clearly paler than those that are not settled
        const Rgb unsettled = cell_ground(t, subtree_colour(t, NodeId{node}), false);
        if (settled) CHECK(colour_distance(changed, t.base) < 0.8 * colour_distance(unsettled, t.base));
      }
  }
}

TEST_CASE("a colour has one meaning: a change looks like no error, and like no subtree") {
  for (ThemeId id : all_themes) {
    const Theme& t = theme(id);
    CAPTURE(t.name);
    const std::array signs{t.changed, t.failed, t.selection, t.passed, t.focus, t.warning, t.muted_text};
    for (std::size_t i = 0; i < signs.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        CAPTURE(i, j);
        CHECK(colour_distance(signs[i], signs[j]) > 0.11);
      }
    for (std::size_t category = 0; category < t.categories.size(); ++category) {
      CAPTURE(category);
      CHECK(colour_distance(t.changed, t.categories[category]) > 0.15);
      for (Rgb sign : signs) CHECK(colour_distance(sign, t.categories[category]) > 0.1);
      for (Rgb plane : {t.plane, t.new_plane}) CHECK(colour_distance(plane, t.categories[category]) > 0.1);
    }
    CHECK(contrast(t.plane, t.base) >= 3);
    CHECK(colour_distance(t.plane, t.new_plane) > 0.2);
  }
}

TEST_CASE("contrast and text_on follow WCAG") {
  CHECK(contrast(rgb(0x000000), rgb(0xffffff)) == Approx(21));
  CHECK(contrast(rgb(0x777777), rgb(0xffffff)) == Approx(4.48).margin(0.01));
  CHECK(text_on(rgb(0xf0e442)) == rgb(0x000000));
  CHECK(text_on(rgb(0x0072b2)) == rgb(0xffffff));
}

TEST_CASE("the place of a node is the same from its number and from the way to it") {
  for (std::uint32_t node = 1; node < 5000; ++node) {
    const TreePlace above = place_of(NodeId{(node - 1) / 2});
    REQUIRE(child_of(above, node % 2 == 0) == place_of(NodeId{node}));
  }
  TreePlace deep;
  for (int i = 0; i < 1000; ++i) deep = child_of(deep, true);
  CHECK(deep.level == 255);
  CHECK(deep.head == 7);
}

TEST_CASE("neighbouring subtrees of a level have different colours") {
  for (ThemeId id : all_themes) {
    const Theme& t = theme(id);
    CAPTURE(t.name);
    for (int level = 1; level <= 10; ++level) {
      const std::uint32_t first = (1u << level) - 1;
      for (std::uint32_t i = 0; i + 1 < (1u << level); ++i) {
        CAPTURE(level, i);
        CHECK(colour_distance(subtree_colour(t, NodeId{first + i}), subtree_colour(t, NodeId{first + i + 1})) > 0.035);
      }
    }
    // In the plane, touching cells of a level differ in one of their last two turns.
    for (std::uint32_t tail = 0; tail < 4; ++tail)
      for (std::uint32_t other = 0; other < tail; ++other)
        CHECK(colour_distance(subtree_colour(t, NodeId{1023 + tail}), subtree_colour(t, NodeId{1023 + other})) > 0.03);
  }
}

TEST_CASE("the top seven nodes have seven colours, and a node differs from its parent down to level 3") {
  for (ThemeId id : all_themes) {
    const Theme& t = theme(id);
    std::set<int> categories;
    for (std::uint32_t node = 0; node < 7; ++node) categories.insert(subtree_category(place_of(NodeId{node})));
    CHECK(categories.size() == 7);
    for (std::uint32_t node = 1; node < 15; ++node)
      CHECK(colour_distance(subtree_colour(t, NodeId{node}), subtree_colour(t, NodeId{(node - 1) / 2})) > 0.08);
    // While level 3 fills from the left, its nodes are beside level-2 nodes that are not split yet.
    for (const auto& [deep, beside] : {std::pair{7u, 4u}, {8u, 4u}, {11u, 6u}, {12u, 6u}, {7u, 5u}, {10u, 5u}})
      CHECK(colour_distance(subtree_colour(t, NodeId{deep}), subtree_colour(t, NodeId{beside})) > 0.06);
    for (Rgb c : t.subtrees) CHECK(contrast(c, t.base) > 1.25);
    for (Rgb c : t.categories) CHECK(contrast(c, t.base) > 1.7);
  }
}

namespace {

/// Returns a colour as people see it who lack one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1).
Rgb seen_with(const std::array<double, 9>& vision, Rgb colour) {
  const auto linear = [](double c) {
    return c <= 0.04045 * 255 ? c / 255 / 12.92 : std::pow((c / 255 + 0.055) / 1.055, 2.4);
  };
  const double from[]{linear(colour.r), linear(colour.g), linear(colour.b)};
  std::array<std::uint8_t, 3> to{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double c =
        std::clamp(vision[3 * i] * from[0] + vision[3 * i + 1] * from[1] + vision[3 * i + 2] * from[2], 0.0, 1.0);
    to[i] = static_cast<std::uint8_t>(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055) + 0.5);
  }
  return {to[0], to[1], to[2]};
}

}  // namespace

TEST_CASE("no two of the top 15 nodes look the same, whichever cones an eye has") {
  constexpr std::array<double, 9> all{1, 0, 0, 0, 1, 0, 0, 0, 1},
      no_green{0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
      no_red{0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998};
  for (ThemeId id : all_themes)
    for (std::uint32_t node = 0; node < 15; ++node)
      for (std::uint32_t other = 0; other < node; ++other) {
        const Theme& t = theme(id);
        CAPTURE(t.name, node, other);
        const Rgb one = subtree_colour(t, NodeId{node}), two = subtree_colour(t, NodeId{other});
        CHECK(colour_distance(one, two) > 0.08);
        if (subtree_glyph(place_of(NodeId{node})) != subtree_glyph(place_of(NodeId{other}))) continue;
        for (const auto& vision : {all, no_green, no_red})
          CHECK(colour_distance(seen_with(vision, one), seen_with(vision, two)) > 0.08);
      }
}

TEST_CASE("colours never stand alone: siblings have different glyphs too") {
  for (std::uint32_t node = 1; node + 1 < 4095; node += 2)
    CHECK(subtree_glyph(place_of(NodeId{node})) != subtree_glyph(place_of(NodeId{node + 1})));
}

TEST_CASE("settled is nearer to the ground than open") {
  for (ThemeId id : all_themes) {
    const Theme& t = theme(id);
    for (Rgb c : t.categories) {
      CHECK(colour_distance(dimmed(t, c), t.base) < colour_distance(c, t.base));
      CHECK(colour_distance(cell_ground(t, c, true), t.base) < colour_distance(cell_ground(t, c, false), t.base));
    }
  }
}

TEST_CASE("the texts of a picture of what is to come keep 3:1 against their ground") {
  for (ThemeId id : all_themes)
    for (Rgb ink : {theme(id).text, theme(id).muted_text})
      CHECK(contrast(mix(theme(id).base, ink, preview_opacity(id)), theme(id).base) >= 3);
}

TEST_CASE("in high contrast, what fades keeps 3:1 against its ground") {
  const Theme& t = theme(ThemeId::high_contrast);
  for (Rgb c : t.subtrees) {
    CAPTURE(c.r, c.g, c.b);
    CHECK(contrast(dimmed(t, c), mix(c, t.base, 0.87)) >= 3);
    CHECK(contrast(mix(t.base, c, preview_opacity(t.id)), t.base) >= 3);
    for (double share : {0.45, 0.8, 1.0})
      for (Rgb own : {c, dimmed(t, c), mix(cell_ground(t, c, false), t.text, 0.35)})  // marks, rims of nodes
        CHECK(contrast(faded(t, own, share), t.base) >= 3);
    // A search has skipped the cell of the point
    for (Rgb own : {c, dimmed(t, c)}) CHECK(contrast(faded_mark(t, own), mix(c, t.base, 1 - 0.28 * 0.35)) >= 3);
  }
  for (Rgb ink : {t.text, t.muted_text, t.pivot, t.changed, role_colour(t, Role::read)})
    CHECK(contrast(faded(t, ink, 0.8), t.base) >= 3);
}

TEST_CASE("the ramp grows lighter in even steps") {
  CHECK(ramp(-1) == rgb(0x440154));
  CHECK(ramp(2) == rgb(0xfde725));
  double least = 1, most = 0;
  for (int i = 0; i < 16; ++i) {
    CHECK(lightness_of(ramp((i + 1) / 16.0)) > lightness_of(ramp(i / 16.0)));
    const double step = colour_distance(ramp(i / 16.0), ramp((i + 1) / 16.0));
    least = std::min(least, step);
    most = std::max(most, step);
  }
  CHECK(most < 2.5 * least);
}

TEST_CASE("themes are found by name") {
  for (ThemeId id : all_themes) CHECK(theme_named(theme(id).name) == id);
  CHECK(!theme_named("sepia"));
}

TEST_CASE("glyphs differ, cover about as much as the circle and reach no further than they say") {
  std::set<std::string> names;
  std::set<std::vector<std::array<double, 2>>> outlines;
  for (int g = 0; g < glyph_count; ++g) {
    const auto glyph = static_cast<Glyph>(g);
    CAPTURE(name_of(glyph));
    const auto& corners = glyph_outline(glyph);
    double area = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const auto& a = corners[i];
      const auto& b = corners[(i + 1) % corners.size()];
      area += (a[0] * b[1] - b[0] * a[1]) / 2;
      CHECK(std::hypot(a[0], a[1]) <= glyph_reach);
    }
    CHECK(area > 0.75 * 3.1416);
    CHECK(area < 1.25 * 3.1416);
    names.insert(name_of(glyph));
    outlines.insert(corners);
  }
  CHECK(names.size() == glyph_count);
  CHECK(outlines.size() == glyph_count);
}

TEST_CASE("dimmed text stays readable on every ground of a table") {
  for (ThemeId id : all_themes) {
    const Theme& t = theme(id);
    CAPTURE(t.name);
    const double least = id == ThemeId::high_contrast ? 7 : 4.5;
    for (std::uint32_t node = 0; node < 255; ++node)
      for (bool settled : {false, true}) {
        const Rgb ground = cell_ground(t, subtree_colour(t, NodeId{node}), settled);
        CHECK(contrast(text_on(ground), ground) >= least);
        CHECK(contrast(dimmed_ink(t, text_on(ground), ground), ground) >= least);
      }
    CHECK(contrast(dimmed_ink(t, t.muted_text, t.window), t.window) >= least);
  }
}

}  // namespace kdscope::style_test
