#pragma once
// A session with contents in every section.

#include <memory>
#include <string>
#include <vector>

#include "app/session/session_file.hpp"

namespace kdscope {

inline std::shared_ptr<const DataSet> own_set(std::vector<float> coordinates, std::string name = "mine") {
  auto data = std::make_shared<DataSet>();
  data->name = std::move(name);
  data->points = points_from_rows<float>(2, coordinates);
  return data;
}

inline SavedSession full_session() {
  SavedSession saved;
  Session& session = saved.session;
  session.run = {"wald-10",    "wald", {{"split", "widest"}, {"sort", "bitonic"}},
                 Backend::cpu, true,   own_set({71, 3.5F, 0.1F, -1e30F, 1e-45F, 16777216, 3, 4, 5, 6, 7, 8})};
  session.run.trace_budget_bytes = 1ull << 60;
  session.run.search = {{"search", "stack"}, {"k", "2"}};
  session.run.repeat = 3, session.run.time_steps = true, session.run.processors = 2, session.run.most_steps = 40;
  session.lesson = "wald/ten-points";
  saved.place = {3, {Space::position, 1, "", 3}, {ComparedWith::bookmark, 2}, Axes{1, 0, -1}};
  session.bookmarks = {{1, ""}, {2, "say: \"why?\"\nthen # wait \xe2\x86\x92"}};
  session.looks.camera = CameraState{{0.1, -2, 1e-9}, {0.25, 0.5, 0}, {0, 0, 1}, 0.7, false};
  session.looks.smallest_boxes = false;
  session.looks.surface = false;
  session.looks.all_planes = true;
  session.looks.equal_scales = false;
  session.looks.colouring = Colouring::depth;
  session.looks.theme = "dark";
  session.looks.text_scale = 150;
  saved.edited_points = own_set({1, 2, 3, 4}, "edited");
  saved.layout = "c3R1ZHk=";
  saved.tree_hash = 12345678901234567890u;
  saved.file = "/somewhere/a session.kdsession";
  saved.draft = "---\ntitle: \"a: b\"\n---\n\n## Stop\n";
  saved.draft_file = "/somewhere/lesson.md";
  return saved;
}

}  // namespace kdscope
