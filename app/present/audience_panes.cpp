#include "app/present/audience_panes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

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

/// Stacks some of the panes from top to bottom.
void stack(const QRect& room, const std::vector<std::size_t>& some, const std::vector<Part>& parts, int gap,
           std::vector<QRect>& rects) {
  int top = room.top();
  const std::vector<int> heights = shared(room.height(), parts, gap);
  for (std::size_t i = 0; i < some.size(); ++i) {
    rects[some[i]] = QRect(room.left(), top, room.width(), heights[i]);
    top += heights[i] + gap;
  }
}

/// Stacks texts. Of unknown height, they have at least a third of the room.
void stack_texts(const QRect& room, const std::vector<std::size_t>& texts, const std::vector<PaneRoom>& panes, int gap,
                 std::vector<QRect>& rects) {
  std::vector<Part> parts;
  for (const std::size_t text : texts) {
    const PaneRoom& pane = panes[text];
    parts.push_back({pane.height_for ? pane.height_for(room.width()) : room.height() / 3.0,
                     pane.grows || text == texts.back() ? 1.0 : 0.0});
  }
  stack(room, texts, parts, gap, rects);
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

std::vector<int> shared(int length, const std::vector<Part>& parts, int gap) {
  if (parts.empty()) return {};
  const double all = std::max(0, length - gap * (static_cast<int>(parts.size()) - 1));
  std::vector<double> sizes;
  double leasts = 0;
  for (const Part& part : parts) leasts += part.least, sizes.push_back(part.least);
  if (leasts > all) {
    for (double& size : sizes) size *= all / leasts;
  } else {
    // Parts whose weight gives them less than their least leave the others less to share
    double left = all, weights = 0;
    for (const Part& part : parts) weights += part.weight;
    std::vector<bool> fixed(parts.size(), false);
    for (bool changes = true; std::exchange(changes, false);)
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (!fixed[i] && parts[i].least * weights >= left * parts[i].weight &&
            (weights > parts[i].weight || weights == 0))
          fixed[i] = changes = true, left -= parts[i].least, weights -= parts[i].weight;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (!fixed[i]) sizes[i] = left * parts[i].weight / weights;
  }
  // Whole pixels, without one that is left over
  std::vector<int> whole;
  double end = 0;
  int begin = 0;
  for (const double size : sizes) {
    end += size;
    whole.push_back(static_cast<int>(std::lround(end)) - begin);
    begin += whole.back();
  }
  return whole;
}

std::vector<QRect> share_out(const QRect& room, const std::vector<PaneRoom>& panes, int gap, bool tall) {
  std::vector<QRect> rects(panes.size());
  std::vector<std::size_t> pictures, tables, texts;
  for (std::size_t i = 0; i < panes.size(); ++i)
    (panes[i].form == PaneForm::picture ? pictures : panes[i].form == PaneForm::table ? tables : texts).push_back(i);
  if (pictures.empty()) pictures.swap(tables);
  if (pictures.empty()) pictures.swap(texts);
  const auto most_of = [&](const std::vector<std::size_t>& some) {
    int most = 0;
    for (const std::size_t i : some) most = std::max(most, panes[i].least);
    return most;
  };

  // Texts stand on the right, tables below pictures, as high as their rows; pictures must stay readable.
  const int column = texts.empty() ? 0 : std::min(most_of(texts), room.width() * 9 / 20) + gap,
            table = tables.empty() ? 0 : std::min(most_of(tables), room.height() / 3) + gap;
  const QRect above = room.adjusted(0, 0, -column, -table);
  if (!texts.empty())
    stack_texts(
        QRect(QPoint(above.right() + 1 + gap, room.top()), QPoint(room.right(), tall ? room.bottom() : above.bottom())),
        texts, panes, gap, rects);
  if (!tables.empty())
    stack(QRect(QPoint(room.left(), above.bottom() + 1 + gap),
                QPoint(tall ? above.right() : room.right(), room.bottom())),
          tables, std::vector<Part>(tables.size()), gap, rects);

  // The first picture is the largest; the second and later ones stand beside it.
  if (pictures.empty()) return rects;
  const std::vector<std::size_t> others(pictures.begin() + 1, pictures.end());
  const bool others_left =
      std::any_of(others.begin(), others.end(), [&](std::size_t i) { return panes[i].on_the_left; });
  constexpr double first_is_larger = 1.1;
  std::vector<Part> parts{
      {static_cast<double>(panes[pictures.front()].least), first_is_larger * panes[pictures.front()].weight}};
  if (!others.empty()) parts.push_back({static_cast<double>(most_of(others)), 1});
  std::vector<int> widths = shared(above.width(), parts, gap);
  const int beside = others.empty() ? 0 : widths[1] + gap;
  rects[pictures.front()] = QRect(above.left() + (others_left ? beside : 0), above.top(), widths[0], above.height());
  if (!others.empty())
    stack(QRect(above.left() + (others_left ? 0 : widths[0] + gap), above.top(), widths[1], above.height()), others,
          std::vector<Part>(others.size()), gap, rects);
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
