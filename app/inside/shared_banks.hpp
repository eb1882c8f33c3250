#pragma once
// The shared arrays of a block or warp at a place: words in rows of 32 banks, coloured by who wrote them last.

#include <QAbstractScrollArea>
#include <optional>
#include <vector>

#include "algorithms/variants/inside/writers.hpp"
#include "app/workbench/workbench.hpp"
#include "visualizer/style/theme.hpp"

namespace kdscope {

/// What colours stand for.
enum class WriterColour : std::uint8_t { lane, warp, interval };

class SharedBanks : public QAbstractScrollArea {
  Q_OBJECT

 public:
  explicit SharedBanks(Workbench& workbench, QWidget* parent = nullptr);

  /// Shows the place: what the arrays hold after its access, after its lane, or after its interval.
  void show_place();
  bool has_arrays() const { return !arrays_.empty(); }
  const std::vector<access_log::SharedArray>& arrays() const { return arrays_; }
  void set_colour(WriterColour colour);
  void set_appearance(const Theme& theme, int text_scale);
  /// Leaves out banks that no array has, and rows that are not whole: nobody scrolls.
  void show_to_audience();
  /// The height of all rows.
  int wanted_height() const { return (1 + rows()) * row_height() + 2; }
  /// Where an element is painted, in the viewport; empty when its row is out of sight.
  QRect place_of(std::uint32_t array, std::uint64_t element) const;
  /// "sums[3] = 7, written by lane 5 in interval 2 at count.hpp:31".
  QString text_of(std::uint32_t array, std::uint64_t element) const;
  QSize sizeHint() const override { return {400, std::min(160, wanted_height())}; }

 signals:
  /// An element was clicked.
  void chosen(std::uint32_t array, std::uint64_t element);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  struct Place {
    std::uint32_t array;
    std::uint64_t element;
  };
  void measure();
  int rows() const;
  int rows_of(const access_log::SharedArray& array) const;
  int row_height() const;
  /// Where painting ends: in front of an audience, with the last row that is whole.
  int bottom() const { return for_audience_ ? viewport()->height() - row_height() + 1 : viewport()->height(); }
  std::optional<Place> element_at(QPoint at) const;
  const access_log::WatchedArray& info_of(const access_log::SharedArray& array) const;
  const access_log::SharedElement* element(std::uint32_t array, std::uint64_t element) const;
  void paint_array(QPainter& painter, const access_log::SharedArray& array, int top) const;
  Rgb ground_of(const access_log::SharedElement& element) const;
  QRect cell(const access_log::SharedArray& array, std::uint64_t element, int top) const;

  Workbench& workbench_;
  const Theme* theme_;
  WriterColour colour_ = WriterColour::lane;
  std::vector<access_log::SharedArray> arrays_;
  std::optional<std::size_t> access_;  ///< of the place, which is framed
  int cell_width_ = 30, banks_ = 32;
  bool for_audience_ = false;
};

}  // namespace kdscope
