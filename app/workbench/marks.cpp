#include "app/workbench/marks.hpp"

#include <algorithm>
#include <utility>

#include "app/workbench/playback.hpp"

namespace kdscope {

void Marks::replace(std::vector<Bookmark> bookmarks) {
  bookmarks_ = std::move(bookmarks);
  emit changed();
}

void Marks::set(std::uint32_t step, const std::string& note) {
  const auto place = std::lower_bound(bookmarks_.begin(), bookmarks_.end(), step,
                                      [](const Bookmark& mark, std::uint32_t s) { return mark.step < s; });
  if (place != bookmarks_.end() && place->step == step)
    place->note = note;
  else
    bookmarks_.insert(place, {step, note});
  emit changed();
}

void Marks::remove(std::uint32_t step) {
  std::erase_if(bookmarks_, [step](const Bookmark& mark) { return mark.step == step; });
  if (playback_.place().baseline == Baseline{ComparedWith::bookmark, step}) playback_.compare_with({});
  emit changed();
}

const Bookmark* Marks::at(std::uint32_t step) const {
  const auto found =
      std::find_if(bookmarks_.begin(), bookmarks_.end(), [step](const Bookmark& mark) { return mark.step == step; });
  return found == bookmarks_.end() ? nullptr : &*found;
}

void Marks::go_to(std::size_t n) {
  if (n < bookmarks_.size()) playback_.seek(bookmarks_[n].step);
}

}  // namespace kdscope
