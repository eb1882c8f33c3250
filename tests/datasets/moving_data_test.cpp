// Tests the frames of specifications.
#include "datasets/moving_data.hpp"

#include "datasets/generators/workbench_scan.hpp"
#include "tests/support/catch.hpp"

using namespace kdscope;

TEST_CASE("A specification names its frame, and those of other frames") {
  CHECK(frames_of("workbench") == workbench_frames);
  CHECK(frames_of("toys:triangles=20000") == 100);
  CHECK(frames_of("bunny") == 1);
  CHECK(frames_of("some/file.ply") == 1);
  CHECK(frames_of("scan-{frame}.ply") > 1'000'000);
  CHECK(frame_of("workbench:n=5,frame=7,seed=2") == 7);
  CHECK(frame_of("workbench:n=5") == 0);
  CHECK(frame_of("a-frame=3") == 0);
  CHECK(with_frame("workbench", 3) == "workbench:frame=3");
  CHECK(with_frame("workbench:n=5", 3) == "workbench:n=5,frame=3");
  CHECK(with_frame("workbench:n=5,frame=17,seed=2", 3) == "workbench:n=5,frame=3,seed=2");
  CHECK(with_frame("workbench:frame=17", 3) == "workbench:frame=3");
  CHECK(with_frame("bunny:sample=10", 3) == "bunny:sample=10");
  CHECK(with_frame("scan-{frame}.ply", 12) == "scan-12.ply");
}

TEST_CASE("It is known where the piston is in the scans of this project") {
  const auto known = known_scan("workbench:n=10,frame=25");
  REQUIRE(known);
  CHECK(known->object == "piston");
  CHECK(length(known->place.origin - piston_place(25).origin) == 0);
  CHECK_FALSE(known_scan("bunny"));
  CHECK_FALSE(known_scan("workbench.csv"));
}
