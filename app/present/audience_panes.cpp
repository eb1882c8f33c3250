#include "app/present/audience_panes.hpp"

#include <algorithm>
#include <map>

#include "app/inside/inside_pane.hpp"
#include "app/inside/touch_arrows.hpp"
#include "app/panes/arrays_pane.hpp"
#include "app/panes/candidates_pane.hpp"
#include "app/panes/histogram_pane.hpp"
#include "app/panes/narration_pane.hpp"
#include "app/panes/parallel_coordinates_pane.hpp"
#include "app/panes/source_pane.hpp"
#include "app/panes/tree_pane.hpp"
#include "app/panes/viewer.hpp"
#include "app/present/audience_search.hpp"

namespace kdscope {
namespace {

using AudienceMaker = QWidget* (*)(Workbench&, QWidget* parent);

/// Makes a pane that leaves out for an audience what is of no use to it.
template <class Widget>
QWidget* for_audience(Workbench& workbench, QWidget* parent) {
  auto* pane = new Widget(workbench, parent);
  pane->show_to_audience();
  return pane;
}

/// Makes a pane that is the same in the window.
template <class Widget>
QWidget* as_in_window(Workbench& workbench, QWidget* parent) {
  return new Widget(workbench, parent);
}

QWidget* audience_tree(Workbench& workbench, QWidget* parent) {
  auto* pane = new TreePane(parent);
  pane->show_to_audience();
  pane->follow(workbench);
  return pane;
}

QWidget* audience_arrays(Workbench& workbench, QWidget* parent) {
  auto* pane = new ArraysPane(workbench, parent);
  pane->show_to_audience();
  new TouchArrows(pane->view(), workbench);
  return pane;
}

QWidget* audience_narration(Workbench& workbench, QWidget* parent) {
  return new NarrationPane(workbench, parent, Reader::audience);
}

/// All of lesson_panes() but the view, which every audience has.
const std::map<std::string, AudienceMaker> audience_makers{{"tree", audience_tree},
                                                           {"arrays", audience_arrays},
                                                           {"narration", audience_narration},
                                                           {"source", for_audience<SourcePane>},
                                                           {"histogram", for_audience<HistogramPane>},
                                                           {"candidates", for_audience<CandidatesPane>},
                                                           {"coordinates", for_audience<ParallelCoordinatesPane>},
                                                           {"search", as_in_window<AudienceSearch>},
                                                           {"inside", for_audience<InsidePane>}};

/// Divides a length into so many parts, with gaps between them.
std::vector<int> parts(int length, std::size_t count, int gap) {
  std::vector<int> sizes(count, 0);
  int left = length - gap * (static_cast<int>(count) - 1);
  for (std::size_t i = 0; i < count; ++i) {
    sizes[i] = std::max(0, left / static_cast<int>(count - i));
    left -= sizes[i];
  }
  return sizes;
}

/// Stacks some of the panes from top to bottom.
void stack(const QRect& room, const std::vector<std::size_t>& some, int gap, std::vector<QRect>& rects) {
  const std::vector<int> heights = parts(room.height(), some.size(), gap);
  int top = room.top();
  for (std::size_t i = 0; i < some.size(); ++i) {
    rects[some[i]] = QRect(room.left(), top, room.width(), heights[i]);
    top += heights[i] + gap;
  }
}

/// Stacks texts. What does not grow takes its height, but leaves a third of the room to texts of unknown height.
void stack_texts(const QRect& room, const std::vector<std::size_t>& texts, const std::vector<PaneRoom>& panes, int gap,
                 std::vector<QRect>& rects) {
  int top = room.top();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const PaneRoom& pane = panes[texts[i]];
    const auto left = static_cast<int>(texts.size() - i);
    const int rest = room.bottom() + 1 - top - gap * (left - 1);
    int height = rest / left;
    if (left > 1 && !pane.grows) {
      const bool known = std::all_of(texts.begin() + static_cast<std::ptrdiff_t>(i), texts.end(),
                                     [&](std::size_t text) { return bool{panes[text].height_for}; });
      height = std::min(pane.height_for(room.width()), known ? rest : rest * 2 / 3);
    }
    rects[texts[i]] = QRect(room.left(), top, room.width(), height);
    top += height + gap;
  }
}

std::vector<std::size_t> texts_among(const std::vector<PaneRoom>& panes) {
  std::vector<std::size_t> texts;
  for (std::size_t i = 0; i < panes.size(); ++i)
    if (panes[i].form == PaneForm::text) texts.push_back(i);
  return texts;
}

}  // namespace

QWidget* make_audience_pane(const std::string& id, Workbench& workbench, QWidget* parent) {
  return audience_makers.at(id)(workbench, parent);
}

std::vector<QRect> share_out(const QRect& room, const std::vector<PaneRoom>& panes, int gap, bool tall) {
  std::vector<QRect> rects(panes.size());
  std::vector<std::size_t> pictures, tables, texts;
  for (std::size_t i = 0; i < panes.size(); ++i)
    (panes[i].form == PaneForm::picture ? pictures : panes[i].form == PaneForm::table ? tables : texts).push_back(i);

  // Put texts on the right; alone, they share the width.
  QRect above = room;
  const auto take_column = [&] {
    int wanted = 0;
    for (const std::size_t i : texts) wanted = std::max(wanted, panes[i].wanted);
    const int width = std::min(wanted, room.width() * 9 / 20);  // pictures must stay readable
    stack_texts(QRect(above.right() + 1 - width, above.top(), width, above.height()), texts, panes, gap, rects);
    above.setRight(above.right() - width - gap);
  };
  const bool has_column = !texts.empty() && !(pictures.empty() && tables.empty());
  tall = tall && has_column && !pictures.empty();
  if (tall) take_column();

  // Put tables below pictures, as high as their rows.
  if (!tables.empty() && !pictures.empty()) {
    int wanted = 0, needed = 0;
    for (const std::size_t i : tables) {
      wanted += panes[i].wanted;
      needed += panes[i].least;
    }
    const bool first = tables.front() == 0;
    const int most = room.height() * 20 / 50;  // pictures must stay readable
    const int least = std::min(needed, most);
    const int height = std::clamp(wanted, least, std::max(least, first ? most : room.height() * 16 / 50));
    stack(QRect(above.left(), above.bottom() + 1 - height, above.width(), height), tables, gap, rects);
    above.setBottom(above.bottom() - height - gap);
  } else if (pictures.empty()) {
    pictures.swap(tables);
  }
  if (has_column && !tall)
    take_column();
  else if (pictures.empty())
    pictures.swap(texts);

  // The first picture is the largest; the second and later ones stand beside it. Of two, a wide one has more width.
  if (pictures.empty()) return rects;
  const std::vector<std::size_t> others(pictures.begin() + 1, pictures.end());
  const bool others_left =
      std::any_of(others.begin(), others.end(), [&](std::size_t i) { return panes[i].on_the_left; });
  const auto is_wide = [&](std::size_t picture) { return panes[picture].aspect > 1.15; };
  const int share = others.size() != 1 ? 55 : is_wide(pictures.front()) ? 62 : 50;
  // A plot has its least width, but leaves a fifth to the others.
  int width = others.empty() ? above.width() : std::max(above.width() * share / 100, panes[pictures.front()].least);
  for (const std::size_t other : others) width = std::min(width, above.width() - gap - panes[other].least);
  if (!others.empty()) width = std::clamp(width, above.width() / 5, above.width() * 4 / 5);
  const int rest = above.width() - width - gap;
  const int left = above.left();
  rects[pictures.front()] = QRect(others_left ? left + rest + gap : left, above.top(), width, above.height());
  if (!others.empty())
    stack(QRect(others_left ? left : left + width + gap, above.top(), rest, above.height()), others, gap, rects);
  return rects;
}

QRect column_of(const std::vector<PaneRoom>& panes, const std::vector<QRect>& rects) {
  QRect column;
  for (const std::size_t text : texts_among(panes)) column = column.united(rects[text]);
  return column;
}

int height_of_texts(const std::vector<PaneRoom>& panes, int width, int gap) {
  int height = 0;
  for (const std::size_t text : texts_among(panes))
    height += (panes[text].height_for ? panes[text].height_for(width) : 0) + (height > 0 ? gap : 0);
  return height;
}

void stack_texts_in(const QRect& room, const std::vector<PaneRoom>& panes, int gap, std::vector<QRect>& rects) {
  stack_texts(room, texts_among(panes), panes, gap, rects);
}

}  // namespace kdscope
