#pragma once
// The accesses to one element of the open look: of a variant, beside those of the original.

#include <QLabel>
#include <QTableWidget>
#include <QWidget>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "algorithms/variants/inside/history.hpp"
#include "app/workbench/workbench.hpp"

namespace kdscope {

/// The recording of the original at a step, and where a variant first writes something else.
struct OriginalBeside {
  std::shared_ptr<const access_log::LaunchRecording> recording;
  std::optional<access_log::AccessPair> first = {};
};

class ElementHistory : public QWidget {
  Q_OBJECT

 public:
  explicit ElementHistory(Workbench& workbench, QWidget* parent = nullptr);

  /// Lists the accesses of the open look to elements; of a variant's run in a column beside those of the original, if
  /// that is kept. name: of the element, for the head.
  void show_elements(const access_log::NamedElements& elements, const QString& name);
  /// Keeps the recording of the original at a step of the open run.
  void keep_original(std::uint32_t step, OriginalBeside original);
  /// That of the step; null if there is none.
  const OriginalBeside* original() const;
  /// Whether an access in the list differs from the original's.
  bool differs() const { return differs_; }
  /// Whether the open run is of a variant whose original was not recorded at its step.
  bool misses_original() const;
  /// Says why there is no original.
  void report(const QString& problem);
  /// Empties the list: another look is open, or none.
  void clear();

 private:
  void show();

  Workbench& workbench_;
  QLabel* head_;
  QTableWidget* table_;
  std::optional<access_log::NamedElements> elements_;
  QString name_, problem_;
  std::weak_ptr<const Trace> of_;                      ///< whose originals are kept
  std::map<std::uint32_t, OriginalBeside> originals_;  ///< by step
  bool differs_ = false;
};

}  // namespace kdscope
