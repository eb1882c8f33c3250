// Tests the marks of many points.
#include <vtkCamera.h>
#include <vtkMatrix4x4.h>
#include <vtkRenderer.h>
#include <vtkShaderProperty.h>

#include <chrono>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/recorded.hpp"
#include "tests/trace/hand_made_traces.hpp"
#include "tests/visualizer/offscreen_picture.hpp"
#include "tests/visualizer/wald_ten_points.hpp"
#include "visualizer/model/trace_lookup.hpp"
#include "visualizer/scene/point_cloud.hpp"

namespace kdscope::cloud_display_test {

TEST_CASE("more pivots than can be told apart have no rings, and the note says so") {
  Cursor cursor(recorded("uniform:n=600,dim=3,seed=5", "wald"));
  OffscreenScene view;
  view.scene.set_options({.planes = false, .axes = false});
  int many = 0;
  for (std::uint32_t step = 0; step < cursor.step_count(); ++step) {
    cursor.seek(step);
    REQUIRE(view.scene.show(cursor));
    const std::size_t pivots = points_with_role(cursor, Role::pivot).size();
    CAPTURE(step, pivots);
    CHECK((view.scene.note().find("not ringed") != std::string::npos) == (pivots > 128));
    if (pivots <= 128) continue;
    ++many;
    const Picture picture = view.draw();
    int rings = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x) rings += picture.at(x, y) == theme(ThemeId::light).pivot;
    CHECK(rings < 100);
  }
  CHECK(many > 0);
}

TEST_CASE("a hundred thousand points: selection does not draw them again, a moving camera draws fewer of a million") {
  OffscreenScene view(938, 731);
  const auto trace = recorded("uniform:n=100000,dim=3,seed=7");
  Cursor cursor(trace);
  cursor.seek(cursor.step_count() / 2);
  REQUIRE(view.scene.show(cursor));
  view.draw();
  const unsigned long drawn = view.scene.times_drawn();
  const auto from = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < 20; ++i) {
    view.scene.select_point(PointId{i * 4000});
    view.window->Render();
  }
  const double each = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - from).count() / 20;
  std::printf("selection among 100,000 points: %.1f ms\n", each);
  CHECK(view.scene.times_drawn() == drawn);
  const auto at = view.scene.place_of_point(PointId{123});
  REQUIRE(at);
  CHECK(view.scene.pick((*at)[0], (*at)[1]));
}

TEST_CASE("marks of all sizes and colours are drawn by the same program") {
  for (const auto shape : {PointMarks::Shape::disc, PointMarks::Shape::ball, PointMarks::Shape::ring}) {
    std::set<std::string> programs;
    for (const double size : {7.5, 20.25}) {
      PointMarks marks;
      marks.style(shape, size, size / 8, Rgb(10, 20, static_cast<std::uint8_t>(size)), true);
      marks.set_mist(Rgb(static_cast<std::uint8_t>(size), 0, 0), size / 100);
      std::string name, code;
      bool first = false, all = false;
      vtkShaderProperty* shader = marks.actor()->GetShaderProperty();
      REQUIRE(shader->GetNumberOfShaderReplacements() == 1);
      shader->GetNthShaderReplacement(0, name, first, code, all);
      programs.insert(code);
    }
    CHECK(programs.size() == 1);
  }
}

TEST_CASE("of a million points only those in sight are drawn, and the picture is that of all") {
  constexpr std::uint32_t n = 1000000;
  constexpr int width = 400, height = 300;
  auto random = [state = 1u]() mutable { return float((state = state * 1664525u + 1013904223u) >> 8) / 0x1p24f; };
  std::vector<float> cube(3 * std::size_t(n));
  for (float& coordinate : cube) coordinate = random();
  std::vector<Rgb> colours(n);
  for (Rgb& c : colours)
    c = Rgb(std::uint8_t(255 * random()), std::uint8_t(255 * random()), std::uint8_t(255 * random()));
  std::vector<float> plane = cube;
  for (std::size_t i = 2; i < plane.size(); i += 3) plane[i] = 0;

  OffscreenScene view(width, height);
  view.scene.attach(nullptr);
  vtkNew<vtkRenderer> renderer;
  view.window->AddRenderer(renderer);
  vtkCamera* camera = renderer->GetActiveCamera();
  const auto drawn = [&](const std::vector<float>& places, const std::vector<Rgb>& inks, double diameter) {
    PointMarks marks;
    marks.style(PointMarks::Shape::dot, diameter, 0, {}, false);
    marks.set_places(places);
    marks.set_colours(inks);
    renderer->AddActor(marks.actor());
    const Picture picture = view.draw();
    renderer->RemoveActor(marks.actor());
    return picture;
  };
  for (const bool flat : {true, false})
    for (const double near : {2.5, 0.9})  // the whole cloud, and a part of it that the window cuts off
      for (const double diameter : {1.0, 2.0, 2.6, 3.4}) {
        CAPTURE(flat, near, diameter);
        camera->SetFocalPoint(0.5, 0.5, flat ? 0 : 0.5);
        camera->SetPosition(flat ? 0.5 : 0.1, flat ? 0.5 : 0.3, near);
        camera->SetParallelProjection(flat);
        camera->SetParallelScale(near / 4);
        const std::vector<float>& places = flat ? plane : cube;
        renderer->ResetCameraClippingRange(0, 1, 0, 1, 0, flat ? 0 : 1);
        Projection projection{{}, width, height};
        vtkMatrix4x4* matrix = camera->GetCompositeProjectionTransformMatrix(double(width) / height, -1, 1);
        for (int i = 0; i < 16; ++i) projection.matrix[std::size_t(i)] = matrix->Element[i / 4][i % 4];
        const std::vector<std::uint32_t> seen = points_in_sight(places, projection, diameter, flat);
        CHECK(seen.size() < std::size_t(width * height) * 5 / 4);
        std::vector<float> seen_places;
        std::vector<Rgb> seen_colours;
        for (const std::size_t i : seen) {
          seen_places.insert(seen_places.end(), &places[3 * i], &places[3 * i] + 3);
          seen_colours.push_back(colours[i]);
        }
        CHECK(drawn(seen_places, seen_colours, diameter) == drawn(places, colours, diameter));
      }
}

TEST_CASE("of a large cloud a sample is drawn while it moves, every point when it rests, and the note says so") {
  constexpr std::uint32_t n = 250000;
  TraceBuilder builder(tests::header_of(n, 3));
  builder.declare({points_array, "", ElementType::float32, Space::position, Space::none, 3});
  builder.declare({partition_arrays::node_of_point, "", ElementType::uint32, Space::point});
  for (const char* name : {partition_arrays::parent, partition_arrays::point})
    builder.declare({name, "", ElementType::uint32, Space::node});
  std::vector<float> places;
  for (std::uint32_t i = 0; i < 3 * n; ++i) places.push_back(static_cast<float>((i * 2654435761u) >> 8) / 16777216.0f);
  builder.begin_step({});
  builder.write(points_array, TypedArray::of(places));
  builder.begin_step({});
  builder.write(partition_arrays::parent, TypedArray::of(std::vector<std::uint32_t>{no_id}));
  builder.write(partition_arrays::point, TypedArray::of(std::vector<std::uint32_t>{7}));
  builder.write(partition_arrays::node_of_point, TypedArray::of(std::vector<std::uint32_t>(n, 0)));
  Cursor cursor(builder.finish());

  OffscreenScene view;
  REQUIRE(view.scene.show(cursor));
  const Picture whole = view.draw();
  REQUIRE(view.scene.samples_while_moving());
  CHECK(view.scene.points_drawn() == n);
  CHECK(view.scene.dots_in_sight().size() < 100000);
  CHECK_FALSE(view.scene.samples_while_stepping());
  CHECK(view.scene.note().find("1 of 3 points") != std::string::npos);
  CHECK(view.scene.note().find("all 250,000") != std::string::npos);

  unsigned long drawn = view.scene.times_drawn();
  view.scene.set_moving(true);
  const Picture sampled = view.draw();
  CHECK(view.scene.points_drawn() > 95000);
  CHECK(view.scene.points_drawn() < 105000);
  CHECK_FALSE(sampled == whole);
  CHECK(view.scene.times_drawn() == drawn + 1);
  view.scene.rotate(5, 0);
  view.draw();
  CHECK(view.scene.times_drawn() == drawn + 2);
  view.scene.select_point(PointId{3});
  view.draw();
  CHECK(view.scene.times_drawn() == drawn + 2);
  view.scene.select_point(std::nullopt);

  // Show a step during a movement: the final picture has the colours of that step, not of the previous one.
  cursor.seek(1);
  REQUIRE(view.scene.show(cursor));
  view.draw();
  CHECK(view.scene.points_drawn() < 105000);
  view.scene.set_camera_preset(CameraPreset::reset);
  view.scene.set_moving(false);
  const Picture after = view.draw();
  CHECK(view.scene.points_drawn() == n);
  OffscreenScene fresh;
  REQUIRE(fresh.scene.show(cursor));
  CHECK(fresh.draw() == after);

  // Draw as many points as the machine can, from the next movement on.
  view.scene.set_points_while_moving(50000);
  view.scene.set_moving(true);
  view.draw();
  CHECK(view.scene.points_drawn() < 55000);
  CHECK(view.scene.note().find("1 of 5 points") != std::string::npos);
  view.scene.set_moving(false);
  view.scene.set_points_while_moving(n);
  view.scene.set_moving(true);
  view.draw();
  CHECK_FALSE(view.scene.samples_while_moving());
  CHECK(view.scene.points_drawn() == n);
  CHECK(view.scene.note().empty());

  REQUIRE(view.scene.show(ten_points_at(3)));
  view.draw();
  CHECK(view.scene.points_drawn() == 10);
}

}  // namespace kdscope::cloud_display_test
