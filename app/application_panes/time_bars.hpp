#pragma once
// Times of one frame after another, each a bar of shares that lie on one another.

#include <QStringList>
#include <QWidget>
#include <array>
#include <deque>

#include "app/session/session.hpp"

namespace kdscope {

/// Draws the last frames from left to right, all on one scale, with a legend of the medians above.
class TimeBars : public QWidget {
  Q_OBJECT

 public:
  static constexpr std::size_t shares = 3;
  using Times = std::array<double, shares>;  ///< in ms

  /// names: of the shares, from the bottom up.
  TimeBars(const Appearance& looks, std::array<QString, shares> names, QWidget* parent = nullptr);
  void add(const Times& times);
  void clear();
  std::size_t count() const { return bars_.size(); }
  /// Returns the median of each share.
  Times medians() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Appearance& looks_;
  std::array<QString, shares> names_;
  std::deque<Times> bars_;
};

}  // namespace kdscope
