#pragma once
// The values of open runs that are not in memory: on another machine, or in a large file. What shows a step waits for
// them here, so that the window never does.

#include <QObject>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "algorithms/core/error.hpp"
#include "algorithms/trace/trace.hpp"
#include "app/workbench/background_job.hpp"

namespace kdscope {

/// Fetches arrays, one at a time, on another thread. Whatever shows a step names what it needs before it shows
/// anything, and is called once all of that is in memory; nothing is shown in part. Every owner waits for one step at
/// most.
class ComingValues : public QObject {
  Q_OBJECT

 public:
  explicit ComingValues(QObject* parent = nullptr);
  /// Leaves everything. Values of another machine that were just travelling are lost with their connection.
  ~ComingValues() override;

  /// A step that waits for arrays, some of which may have come.
  struct Wait {
    std::uint32_t step = 0;
    std::vector<TypedArray> arrays;
    std::function<void()> show;  ///< called once, when all are in memory
    std::size_t came() const;
    /// Memory of the arrays, in bytes.
    std::uint64_t bytes() const;
    std::uint64_t came_bytes() const;
  };
  /// Takes the place of what the owner waited for. `show` is called later, from the event loop.
  void bring(const QObject* owner, Wait wait);
  /// Forgets what the owner waits for. An array that is on its way comes, for a later look.
  void leave(const QObject* owner);
  /// Null if the owner waits for nothing.
  const Wait* wait_of(const QObject* owner) const;

  /// Arrays and bytes that have come since this was made.
  std::uint64_t all_arrays() const { return all_arrays_; }
  std::uint64_t all_bytes() const { return all_bytes_; }

 signals:
  void changed();                          ///< somebody waits for something else, or something has come
  void lost(const kdscope::Error& error);  ///< values cannot be had; nobody waits any more

 private:
  void fetch_next();
  void give_up(const Error& error);

  std::map<const QObject*, Wait> waits_;
  std::uint64_t all_arrays_ = 0, all_bytes_ = 0;
  BackgroundJob job_;  ///< fetches one array
};

}  // namespace kdscope
