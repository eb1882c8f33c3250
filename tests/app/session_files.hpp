#pragma once
// Compares sessions.

#include "app/session/session_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/file_text.hpp"
#include "tests/support/full_session.hpp"
#include "tests/support/temporary_folder.hpp"

namespace kdscope {

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
  check_same_points(a.session.run.points, b.session.run.points);
  check_same_points(a.edited_points, b.edited_points);
  Session one = a.session, other = b.session;
  one.run.points = other.run.points = nullptr;  // these are compared by address
  CHECK((one == other));
  CHECK(one.run.parameters == other.run.parameters);
  CHECK((one.bookmarks == other.bookmarks));
  CHECK(a.layout == b.layout);
  CHECK(a.tree_hash == b.tree_hash);
  CHECK(a.file == b.file);
  CHECK(a.draft == b.draft);
  CHECK(a.draft_file == b.draft_file);
}

}  // namespace kdscope
