// Written data sets are read back bit by bit.
#include "datasets/data_file.hpp"

#include <limits>

#include "datasets/datasets.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace kdscope;

TEST_CASE("data files: points and triangles come back bit by bit") {
  const test::TemporaryFolder folder;
  const auto check_same = [&](const DataSet& data, const std::string& name) {
    INFO(name);
    const std::string file = folder.file(name);
    REQUIRE(save_data_set(data, file));
    const auto read = open_data_set(file).value();
    CHECK(read->points.type == data.points.type);
    CHECK(read->points.dim == data.points.dim);
    CHECK(read->points.words == data.points.words);
    CHECK(read->triangles == data.triangles);
    CHECK(read->warnings.empty());
  };
  for (const char* specification : {"uniform:n=500,dim=3", "uniform:n=500,dim=1", "uniform:n=500,dim=7,type=int",
                                    "grid:n=100,dim=2,side=5", "wald-10", "equal:n=3,dim=2"})
    for (const char* name : {"points.csv", "points.npy"}) check_same(**open_data_set(specification), name);
  check_same(**open_data_set("uniform:n=0,dim=2"), "none.npy");
  for (const char* specification : {"zhou-8", "bunny", "triangles:n=200"})
    check_same(**open_data_set(specification), "mesh.ply");

  DataSet extremes;
  using Float = std::numeric_limits<float>;
  extremes.points = points_from_rows<float>(
      2, {0.0f, -0.0f, 1.0f, -3.0f, Float::max(), -Float::min(), Float::denorm_min(), 0.1f, 16777216.0f, 1e20f});
  for (const char* name : {"extremes.csv", "extremes.npy"}) check_same(extremes, name);
  extremes.points.dim = 3, extremes.points.words.resize(9), extremes.triangles = {0, 1, 2, 2, 2, 1};
  check_same(extremes, "extremes.ply");
  DataSet integers;
  integers.points = points_from_rows<std::int32_t>(2, {0, -1, 0x7fffffff, -0x7fffffff - 1});
  integers.column_names = {"a", "b, \"c\""};
  for (const char* name : {"integers.csv", "integers.npy"}) check_same(integers, name);
  // Names by which readers leave columns out are not written.
  integers.column_names = {"x", "y", "id"};
  integers.points = points_from_rows<std::int32_t>(3, {1, 2, 3, 4, 5, 6});
  check_same(integers, "named.csv");
}

TEST_CASE("data files: what a format does not hold is an error") {
  const test::TemporaryFolder folder;
  const DataSet points = **open_data_set("wald-10"), mesh = **open_data_set("zhou-8");
  for (const char* name : {"points.ply", "points", "points.txt"})
    CHECK(save_data_set(points, folder.file(name)).error().kind == ErrorKind::bad_usage);
  for (const char* name : {"mesh.csv", "mesh.obj"})
    CHECK(save_data_set(mesh, folder.file(name)).error().kind == ErrorKind::bad_usage);
  CHECK(save_data_set(points, folder.file("missing/points.csv")).error().kind == ErrorKind::io_failure);
  CHECK(save_data_set(**open_data_set("uniform:n=0"), folder.file("none.csv")).error().kind == ErrorKind::bad_input);
  DataSet payload = points;
  payload.points.dim = 1, payload.points.payload_words = 1;
  CHECK(save_data_set(payload, folder.file("payload.npy")).error().kind == ErrorKind::bad_input);
  CHECK(folder.names().empty());
}
