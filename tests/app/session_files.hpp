#pragma once
// Sessions with something in every section, and folders to put them in.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/session/session_file.hpp"
#include "tests/support/catch.hpp"

namespace kdscope {

/// A folder that goes with the test.
struct TestFolder {
  std::filesystem::path path;
  TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kdscope-XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~TestFolder() {
    std::error_code ignored;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all, ignored);
    std::filesystem::remove_all(path, ignored);
  }
  std::string file(const std::string& name) const { return (path / name).string(); }
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::shared_ptr<const DataSet> own_set(std::vector<float> coordinates, std::string name = "mine") {
  auto data = std::make_shared<DataSet>();
  data->name = std::move(name);
  data->points = points_from_rows<float>(2, coordinates);
  return data;
}

inline SavedSession full_session() {
  SavedSession saved;
  Session& session = saved.session;
  session.run = {"wald-10", "wald", {{"split", "widest"}, {"sort", "bitonic"}}, Backend::cpu, true,
                 own_set({71, 3.5F, 0.1F, -1e30F, 1e-45F, 16777216, 3, 4, 5, 6, 7, 8})};
  session.lesson = "wald/ten-points";
  session.step = 3;
  session.selection = {Space::position, 1, "", 3};
  session.baseline = {ComparedWith::bookmark, 2};
  session.bookmarks = {{1, ""}, {2, "say: \"why?\"\nthen # wait \xe2\x86\x92"}};
  session.camera = CameraState{{0.1, -2, 1e-9}, {0.25, 0.5, 0}, {0, 0, 1}, 0.7, false};
  session.axes = {1, 0, -1};
  session.smallest_boxes = false;
  session.surface = false;
  session.colouring = Colouring::depth;
  session.theme = "dark";
  session.text_scale = 150;
  saved.edited_points = own_set({1, 2, 3, 4}, "edited");
  saved.layout = "c3R1ZHk=";
  saved.tree_hash = 12345678901234567890u;
  saved.file = "/somewhere/a session.kdsession";
  return saved;
}

inline void check_same_points(const std::shared_ptr<const DataSet>& a, const std::shared_ptr<const DataSet>& b) {
  REQUIRE((a != nullptr) == (b != nullptr));
  if (!a) return;
  CHECK(a->name == b->name);
  CHECK(a->points.type == b->points.type);
  CHECK(a->points.dim == b->points.dim);
  CHECK((a->points.words == b->points.words));
  CHECK(a->column_names == b->column_names);
}

inline void check_same(const SavedSession& a, const SavedSession& b) {
  check_same_points(a.session.run.own_points, b.session.run.own_points);
  check_same_points(a.edited_points, b.edited_points);
  Session one = a.session, other = b.session;
  one.run.own_points = other.run.own_points = nullptr;  // compared by address
  CHECK((one == other));
  CHECK(one.run.parameters == other.run.parameters);
  CHECK((one.bookmarks == other.bookmarks));
  CHECK(a.layout == b.layout);
  CHECK(a.tree_hash == b.tree_hash);
  CHECK(a.file == b.file);
}

}  // namespace kdscope
