#pragma once
// Looks inside steps of the open run: what every lane of their kernels did, and the place in it. While one is open, the
// transport walks through it.

#include <QObject>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/variants/inside/cost.hpp"
#include "algorithms/variants/inside/kept_look.hpp"
#include "algorithms/variants/inside/launch_walk.hpp"
#include "app/session/session.hpp"

namespace kdscope {

class Playback;

/// A look, with what is computed once: the costs of its lines. Its accesses are in order.
struct InsideLook {
  access_log::Look look;
  std::vector<access_log::LineCost> costs;
  const access_log::LaunchRecording& recording() const { return look.recording; }
};
/// Work O(accesses), so not for the window's thread.
std::shared_ptr<const InsideLook> prepared(access_log::Look look);

class Inside : public QObject {
  Q_OBJECT

 public:
  explicit Inside(Playback& playback, QObject* parent = nullptr);

  /// Asks for a look inside the current step, or for another one of some blocks or warps; what records or opens one
  /// hears asked() or asked_for_groups().
  void ask() { emit asked(); }
  void ask_for_groups(access_log::Range groups) { emit asked_for_groups(groups); }
  /// What is being done, or why nothing is open; empty for nothing.
  void say(const QString& message, bool failed = false);
  const QString& message() const { return message_; }
  bool has_failed() const { return failed_; }
  /// The looks that were made inside steps of the open run.
  std::shared_ptr<const InsideLook> look_at(std::uint32_t step) const;
  /// Keeps a look inside a step of the open run, in place of an earlier one.
  void keep(std::uint32_t step, std::shared_ptr<const InsideLook> look);
  /// All of them, for the run's file.
  access_log::LooksByStep looks() const;

  /// Opens the look inside the current step, at its first interval. Precondition: look_at() has it.
  void open();
  void close();
  bool is_open() const { return walk_.has_value(); }
  const InsideLook& look() const { return *look_; }
  /// The place. Precondition: is_open(). It may be empty.
  const access_log::LaunchWalk& walk() const { return *walk_; }

  /// Moves the place; without effect while none is open. Returns whether it moved.
  bool step(int direction);
  bool leap(int direction);
  void go_to_end(int direction);
  void go_deeper();
  /// Goes back out: to the lane, the interval or, from there, to the step.
  void go_out();
  void set_depth(access_log::Depth depth);
  void go_to_stretch(std::size_t number);
  void go_to_lane(std::uint32_t lane);
  void go_to_access(std::size_t access);
  /// Returns whether the recording holds the place.
  bool go_to(const access_log::PlaceInside& place);

  /// The place in words: "block 3, interval 2, lane 5".
  QString place_text() const;
  /// What the access at the place does, in a sentence; empty at other depths.
  QString access_text() const;
  QString access_text(std::size_t access) const;

  /// The source line of the place: that of the access or, at other depths, of the call that the lanes make together.
  /// Null where none is known.
  const access_log::Site* line() const;
  /// The element of the run's arrays that an access reads or writes: of the row of the same name, if the row holds at
  /// the step what the launch wrote, or else read; nullopt if there is none.
  std::optional<Selection> element_of(std::size_t access) const;
  /// The array of the recording that is such a row; nullopt if there is none.
  std::optional<std::uint32_t> array_of_row(const std::string& row) const;

 signals:
  void asked();
  void asked_for_groups(kdscope::access_log::Range groups);
  void said();  ///< message() is another
  void opened();
  void moved();  ///< the place is another; also after opened() and closed()
  void closed();

 private:
  template <class Move>
  void move(Move walk);
  void follow_run();
  void show_element();
  /// The row that an array of the recording is; empty if there is none.
  const std::string& row_of(std::uint32_t array) const;

  Playback& playback_;
  std::weak_ptr<const Trace> of_;
  std::map<std::uint32_t, std::shared_ptr<const InsideLook>> looks_;
  std::shared_ptr<const InsideLook> look_;
  std::optional<access_log::LaunchWalk> walk_;
  std::uint32_t step_ = 0;
  QString message_;
  bool failed_ = false;
  bool selected_ = false;                              ///< what is selected is the element of an access
  mutable std::map<std::uint32_t, std::string> rows_;  ///< by array of the open look, once asked for
};

}  // namespace kdscope
