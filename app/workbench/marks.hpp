#pragma once
// The bookmarks of the open run.

#include <QObject>
#include <cstdint>
#include <string>
#include <vector>

#include "app/session/session.hpp"

namespace kdscope {

class Playback;

class Marks : public QObject {
  Q_OBJECT

 public:
  explicit Marks(Playback& playback, QObject* parent = nullptr) : QObject(parent), playback_(playback) {}

  /// By ascending step, one per step.
  const std::vector<Bookmark>& all() const { return bookmarks_; }
  const Bookmark* at(std::uint32_t step) const;

  /// Replaces all bookmarks. Precondition: ascending steps of the run, one bookmark each.
  void replace(std::vector<Bookmark> bookmarks);
  /// Sets, replaces or removes the bookmark of a step.
  void set(std::uint32_t step, const std::string& note);
  void remove(std::uint32_t step);
  /// Goes to the n-th bookmark, from 0, if there is one.
  void go_to(std::size_t n);

  /// For the desk, before another run opens. Emits no signal.
  void forget() { bookmarks_.clear(); }
  /// For the desk, once the run is open.
  void follow_run() { emit changed(); }

 signals:
  void changed();

 private:
  Playback& playback_;
  std::vector<Bookmark> bookmarks_;
};

}  // namespace kdscope
