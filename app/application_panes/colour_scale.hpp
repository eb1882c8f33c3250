#pragma once
// A strip of colours with what its ends stand for.

#include <QString>
#include <QWidget>

#include "app/session/session.hpp"
#include "visualizer/style/colour.hpp"

namespace kdscope {

/// Returns the colour of a share: blue for 0, through grey, to red for 1, as in Zhou et al. 2008, Fig. 8.
Rgb blue_to_red(double share);

class ColourScale : public QWidget {
  Q_OBJECT

 public:
  explicit ColourScale(const Appearance& looks, QWidget* parent = nullptr);
  void set_ends(const QString& low, const QString& high);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Appearance& looks_;
  QString low_, high_;
};

}  // namespace kdscope
