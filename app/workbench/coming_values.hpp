#pragma once
// The values of open runs that are not in memory: on another machine, or in a large file. The window never waits for
// them.

#include <QObject>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

/// Fetches on a thread of its own what cursors of the UI thread look at in vain (Cursor::wait_for_none()). Views show
/// what is here, and everything once the rest has come. The last ComingValues that was made serves the thread.
class ComingValues : public QObject {
  Q_OBJECT

 public:
  explicit ComingValues(QObject* parent = nullptr);
  /// Leaves everything. Values of another machine that were just travelling are lost with their connection.
  ~ComingValues() override;

  /// From now on, the thread waits for values, as it must for a picture that is to be complete.
  void wait_from_now();

  /// The arrays that the step needs, and those of them that have come. Bytes are those of the arrays in memory.
  struct Progress {
    std::size_t wanted = 0, came = 0;
    std::uint64_t wanted_bytes = 0, came_bytes = 0;
  };
  const Progress& progress() const { return progress_; }
  bool waits() const { return progress_.came < progress_.wanted; }
  /// Whether a person gave up what the step needs.
  bool given_up() const { return given_up_; }
  /// Arrays and bytes that have come since this was made.
  std::uint64_t all_arrays() const { return all_arrays_; }
  std::uint64_t all_bytes() const { return all_bytes_; }

  /// Fetches no more for this step, apart from the array that is on its way.
  void give_up();
  /// Forgets what waits, because another step is shown, which asks for what it needs.
  void leave_step();

 signals:
  void changed();                          ///< progress() or given_up()
  void came();                             ///< all that was wanted has come
  void lost(const kdscope::Error& error);  ///< values cannot be had; what else was wanted is forgotten

 private:
  void want(const TypedArray& contents);
  void drop_queue();
  void fetch(std::stop_token stop);
  void take(const TypedArray& contents, const std::optional<Error>& error);

  Progress progress_;
  bool given_up_ = false, serves_ = true;
  std::uint64_t all_arrays_ = 0, all_bytes_ = 0;
  std::vector<TypedArray> wanted_;  ///< those of progress_, to count each once
  std::mutex mutex_;
  std::condition_variable_any asked_;
  std::deque<TypedArray> queue_;  ///< shared with the thread
  std::jthread thread_;
};

}  // namespace kdscope
