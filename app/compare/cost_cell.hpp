#pragma once
// The costs of a run as bars. Runs side by side share their scale.

#include <QWidget>
#include <array>
#include <optional>
#include <vector>

#include "app/recording/side_by_side.hpp"

namespace kdscope {

/// The known costs of a run.
struct ColumnCosts {
  std::vector<double> build_ms = {};        ///< of builds at full speed
  bool ranks_time = false;                  ///< the run is large enough for its time to mean something
  std::optional<std::uint64_t> peak_bytes;  ///< memory at its highest during a build at full speed
  std::optional<RunCosts> trace;
};

/// Builds of fewer points take about as long as their launches: their times are noise, and not shown.
inline constexpr std::uint64_t least_timed = 10'000;

/// The largest and the least of each cost over all columns, for the bars and their ratios.
struct CostScale {
  std::array<double, 4> most{}, least{};
};
CostScale scale_of(const std::vector<ColumnCosts>& columns);

class CostCell : public QWidget {
  Q_OBJECT

 public:
  explicit CostCell(QWidget* parent = nullptr);
  void show_costs(const ColumnCosts& costs, const CostScale& scale);
  /// Returns the rows as text, one per line: "time 1.23 ms, x 1.5".
  QString summary() const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {80, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  int per_line() const;
  struct Row {
    QString name, value, factor;
    double length = 0;  // of the bar, 0 to 1
  };
  std::vector<Row> rows_;
};

}  // namespace kdscope
