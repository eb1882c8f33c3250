#include "app/appearance/flat_style.hpp"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QWidget>
#include <algorithm>

#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

QColor between(const QColor& from, const QColor& to, double share) {
  const auto mixed = [&](int a, int b) { return static_cast<int>(a + (b - a) * share); };
  return {mixed(from.red(), to.red()), mixed(from.green(), to.green()), mixed(from.blue(), to.blue())};
}

/// Whether a button is the one that a form or a page expects to be pressed: it has the accent.
bool is_expected(const QStyleOption& option) {
  const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
  return button && (button->features & QStyleOptionButton::DefaultButton) && (option.state & QStyle::State_Enabled);
}

/// The ground of a control that can be pressed.
QColor ground_of(const QStyleOption& option) {
  const QPalette& palette = option.palette;
  const QColor ground = palette.color(is_expected(option) ? QPalette::Highlight : QPalette::Button);
  if (!(option.state & QStyle::State_Enabled)) return between(ground, palette.color(QPalette::Window), 0.6);
  if (option.state & QStyle::State_On) return between(ground, palette.color(QPalette::Highlight), 0.28);
  if (option.state & QStyle::State_Sunken) return between(ground, palette.color(QPalette::Text), 0.16);
  if (option.state & QStyle::State_MouseOver) return between(ground, palette.color(QPalette::Text), 0.07);
  return ground;
}

/// Fills a rectangle with round corners; a border without a colour is not drawn. The border of what has the keyboard
/// is the accent, or the text's colour around what is filled with the accent.
void fill_round(QPainter& painter, const QRect& at, const QColor& ground, const QColor& line, bool focused = false,
                const QColor& accent = {}) {
  const double width = focused ? tokens::accent_line : tokens::border;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(line.isValid() || focused ? QPen(focused ? accent : line, width) : QPen(Qt::NoPen));
  painter.setBrush(ground.isValid() ? QBrush(ground) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(QRectF(at).adjusted(width / 2, width / 2, -width / 2, -width / 2), tokens::radius,
                          tokens::radius);
  painter.restore();
}

/// Draws the one mark of what opens, unfolds or steps: down if it is not turned, in degrees clockwise.
void draw_chevron(QPainter& painter, const QRect& at, double turn, const QColor& ink) {
  const double reach = std::min({at.width() / 4.0, at.height() / 3.0, 5.0});
  const QPointF line[] = {{-reach, -reach / 2}, {0, reach / 2}, {reach, -reach / 2}};
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.translate(QRectF(at).center());
  painter.rotate(turn);
  painter.setPen(QPen(ink, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPolyline(line, 3);
  painter.restore();
}

constexpr int menu_arrow = 16;

/// Whether a button does nothing but open its menu.
bool opens_menu(const QStyleOption* option) {
  const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option);
  return tool && (tool->features & QStyleOptionToolButton::HasMenu) &&
         !(tool->features & QStyleOptionToolButton::MenuButtonPopup);
}

/// Whether a control has no frame until it is used: tools, and lists among them.
bool is_quiet(const QStyleOption& option, const QWidget* widget) {
  return option.type == QStyleOption::SO_ComboBox ? widget && widget->property(compact_control).toBool()
                                                  : bool(option.state & QStyle::State_AutoRaise);
}

/// Whether a quiet control is pressed, chosen or below the mouse.
bool is_used(const QStyleOption& option) {
  return (option.state & (QStyle::State_On | QStyle::State_Sunken)) ||
         ((option.state & QStyle::State_MouseOver) && (option.state & QStyle::State_Enabled));
}

bool has_keyboard(const QStyleOption& option) {
  return (option.state & QStyle::State_HasFocus) && (option.state & QStyle::State_Enabled);
}

void draw_field(QPainter& painter, const QRect& at, const QStyleOption& option) {
  const QPalette& palette = option.palette;
  fill_round(painter, at, palette.color(QPalette::Base), palette.color(QPalette::Mid), has_keyboard(option),
             palette.color(QPalette::Highlight));
}

/// A check box or a radio button.
void draw_mark(QPainter& painter, const QStyleOption& option, bool round) {
  const QPalette& palette = option.palette;
  const int side = std::min(option.rect.width(), option.rect.height()) - 2;
  QRectF box(0, 0, side, side);
  box.moveCenter(QRectF(option.rect).center());
  const bool on = option.state & (QStyle::State_On | QStyle::State_NoChange);
  const bool enabled = option.state & QStyle::State_Enabled;
  const QColor accent = palette.color(enabled ? QPalette::Highlight : QPalette::Mid);
  const double corner = round ? side / 2.0 : tokens::radius / 2.0;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const bool strong = on || (option.state & QStyle::State_MouseOver);
  painter.setPen(QPen(strong ? accent : palette.color(QPalette::Dark), 1.2));
  painter.setBrush(on ? accent : palette.color(QPalette::Base));
  painter.drawRoundedRect(box.adjusted(0.6, 0.6, -0.6, -0.6), corner, corner);
  const QColor ink = palette.color(QPalette::HighlightedText);
  if (on && round) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawEllipse(box.center(), side * 0.2, side * 0.2);
  } else if (option.state & QStyle::State_NoChange) {
    painter.setPen(QPen(ink, 2));
    painter.drawLine(QPointF(box.left() + side * 0.25, box.center().y()),
                     QPointF(box.right() - side * 0.25, box.center().y()));
  } else if (on) {
    const QPointF tick[] = {{box.left() + side * 0.22, box.top() + side * 0.52},
                            {box.left() + side * 0.42, box.top() + side * 0.72},
                            {box.left() + side * 0.78, box.top() + side * 0.30}};
    painter.setPen(QPen(ink, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(tick, 3);
  }
  painter.restore();
}

void draw_tab(QPainter& painter, const QStyleOptionTab& tab) {
  const QPalette& palette = tab.palette;
  const bool selected = tab.state & QStyle::State_Selected;
  if (selected)
    painter.fillRect(tab.rect, palette.color(QPalette::Base));
  else if (tab.state & QStyle::State_MouseOver)
    painter.fillRect(tab.rect, between(palette.color(QPalette::Window), palette.color(QPalette::Text), 0.05));
  if (!selected) return;
  const bool below = tab.shape == QTabBar::RoundedSouth || tab.shape == QTabBar::TriangularSouth;
  const bool beside = tab.shape == QTabBar::RoundedWest || tab.shape == QTabBar::RoundedEast;
  QRect line = tab.rect;
  if (beside)
    line.setWidth(tokens::accent_line + 1);
  else if (below)
    line.setBottom(line.top() + tokens::accent_line);
  else
    line.setTop(line.bottom() - tokens::accent_line);
  painter.fillRect(line, palette.color(QPalette::Highlight));
}

void draw_scroll_bar(QPainter& painter, const QStyleOptionSlider& bar, const QRect& handle) {
  const QPalette& palette = bar.palette;
  painter.fillRect(bar.rect, palette.color(QPalette::Base));
  if (bar.minimum == bar.maximum) return;
  const bool held = (bar.state & QStyle::State_Sunken) && bar.activeSubControls == QStyle::SC_ScrollBarSlider;
  const bool under = (bar.state & QStyle::State_MouseOver) && bar.activeSubControls == QStyle::SC_ScrollBarSlider;
  const double share = held ? 0.65 : under ? 0.5 : 0.32;
  const QRect inside = bar.orientation == Qt::Vertical ? handle.adjusted(3, 1, -3, -1) : handle.adjusted(1, 3, -1, -3);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(between(palette.color(QPalette::Base), palette.color(QPalette::Text), share));
  const double corner = std::min(inside.width(), inside.height()) / 2.0;
  painter.drawRoundedRect(QRectF(inside), corner, corner);
  painter.restore();
}

/// A thin line with what is passed in the accent, and a round handle.
void draw_slider(QPainter& painter, const QStyleOptionSlider& slider, const QRect& handle) {
  const QPalette& palette = slider.palette;
  const bool enabled = slider.state & QStyle::State_Enabled, across = slider.orientation == Qt::Horizontal;
  const QColor accent = palette.color(enabled ? QPalette::Highlight : QPalette::Mid);
  const QPointF middle = QRectF(handle).center();
  const QRectF all(slider.rect);
  const auto line = [&](double from, double to, const QColor& ink) {
    painter.setPen(QPen(ink, 4, Qt::SolidLine, Qt::RoundCap));
    across ? painter.drawLine(QPointF(from, all.center().y()), QPointF(to, all.center().y()))
           : painter.drawLine(QPointF(all.center().x(), from), QPointF(all.center().x(), to));
  };
  const double start = (across ? all.left() : all.top()) + 2, end = (across ? all.right() : all.bottom()) - 2,
               at = across ? middle.x() : middle.y();
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  line(start, end, palette.color(QPalette::Mid));
  line(slider.upsideDown ? at : start, slider.upsideDown ? end : at, accent);
  const double radius = std::min(handle.width(), handle.height()) / 2.0 - 1;
  painter.setPen(has_keyboard(slider) ? QPen(palette.color(QPalette::Text), tokens::accent_line) : QPen(Qt::NoPen));
  painter.setBrush(accent);
  painter.drawEllipse(middle, radius, radius);
  painter.restore();
}

}  // namespace

FlatStyle::FlatStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int FlatStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabShiftVertical:
    case PM_TabBarBaseOverlap:
    case PM_ToolBarItemMargin:
    case PM_ToolBarFrameWidth:
      return 0;
    case PM_MenuButtonIndicator:
      return menu_arrow;
    case PM_MenuPanelWidth:
      return 1;  // or no frame is painted
    case PM_MenuHMargin:
    case PM_MenuVMargin:
      return tokens::space_small;
    case PM_ScrollBarExtent:
      return tokens::scroll_bar;
    case PM_ScrollBarSliderMin:
      return 2 * tokens::space_large;
    case PM_TabBarTabHSpace:
      return tokens::space_large + tokens::space_small;
    case PM_TabBarTabVSpace:
      return tokens::space + tokens::space_small;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int FlatStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                         QStyleHintReturn* returned) const {
  switch (hint) {
    case SH_TabBar_ElideMode:
      return Qt::ElideNone;  // a bar with too little room scrolls, or has a menu
    case SH_EtchDisabledText:
    case SH_DialogButtonBox_ButtonsHaveIcons:
    case SH_ComboBox_Popup:
      return 0;
    default:
      return QProxyStyle::styleHint(hint, option, widget, returned);
  }
}

QSize FlatStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& contents,
                                  const QWidget* widget) const {
  QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
  if ((type == CT_PushButton || type == CT_LineEdit || type == CT_ComboBox || type == CT_SpinBox) && option) {
    // Higher than the text by what a control is higher than a line of 100 %.
    const bool compact = widget && widget->property(compact_control).toBool();
    const int around = (compact ? tokens::compact_height : tokens::control_height) - 20;
    size.setHeight(compact ? option->fontMetrics.height() + around
                           : std::max(size.height(), option->fontMetrics.height() + around));
    if (type == CT_PushButton) size.rwidth() += tokens::space_large;
    const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (type == CT_LineEdit || type == CT_SpinBox || box) size.rwidth() += 2 * tokens::space_small;
  }
  if (type == CT_ToolButton && opens_menu(option)) size.rwidth() += menu_arrow;
  return size;
}

QRect FlatStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                const QWidget* widget) const {
  if (control == CC_ScrollBar) {
    // A scroll bar has no arrows: the handle moves in the whole length.
    const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (!bar) return {};
    const QRect& all = bar->rect;
    if (part == SC_ScrollBarGroove) return all;
    if (part == SC_ScrollBarAddLine || part == SC_ScrollBarSubLine) return {};
    const bool upright = bar->orientation == Qt::Vertical;
    const int length = upright ? all.height() : all.width();
    const qint64 range = qint64(bar->maximum) - bar->minimum;
    int handle = length;
    if (range > 0)
      handle = std::clamp(static_cast<int>(qint64(bar->pageStep) * length / (range + bar->pageStep)),
                          std::min(length, pixelMetric(PM_ScrollBarSliderMin, option, widget)), length);
    const int start =
        sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition, length - handle, bar->upsideDown);
    const auto from_to = [&](int from, int count) {
      return upright ? QRect(all.left(), all.top() + from, all.width(), count)
                     : visualRect(bar->direction, all, QRect(all.left() + from, all.top(), count, all.height()));
    };
    if (part == SC_ScrollBarSlider) return from_to(start, handle);
    if (part == SC_ScrollBarSubPage) return from_to(0, start);
    if (part == SC_ScrollBarAddPage) return from_to(start + handle, length - start - handle);
    return {};
  }
  return QProxyStyle::subControlRect(control, option, part, widget);
}

QRect FlatStyle::subElementRect(SubElement element, const QStyleOption* option, const QWidget* widget) const {
  const QRect all = QProxyStyle::subElementRect(element, option, widget);
  // A field's text keeps a distance from its border, which Fusion lets it touch.
  return element == SE_LineEditContents ? all.adjusted(tokens::space_small, 0, -tokens::space_small, 0) : all;
}

void FlatStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const {
  const QPalette& palette = option->palette;
  switch (element) {
    case PE_PanelButtonCommand:
      return fill_round(*painter, option->rect, ground_of(*option), palette.color(QPalette::Mid),
                        has_keyboard(*option) && (option->state & State_KeyboardFocusChange),
                        palette.color(is_expected(*option) ? QPalette::Text : QPalette::Highlight));
    case PE_PanelButtonTool: {
      const bool framed = !is_quiet(*option, widget);
      if (framed || is_used(*option))
        fill_round(*painter, option->rect, ground_of(*option), framed ? palette.color(QPalette::Mid) : QColor());
      return;
    }
    case PE_FrameFocusRect:
      if (option->state & State_KeyboardFocusChange)
        fill_round(*painter, option->rect, {}, {}, true, palette.color(QPalette::Highlight));
      return;
    case PE_PanelLineEdit:
      // A field in a combo box or a spin box has no frame of its own.
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0)
        draw_field(*painter, option->rect, *option);
      return;
    case PE_FrameLineEdit:
      return draw_field(*painter, option->rect, *option);
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
      return draw_mark(*painter, *option, false);
    case PE_IndicatorRadioButton:
      return draw_mark(*painter, *option, true);
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowRight: {
      const double turn = element == PE_IndicatorArrowDown   ? 0
                          : element == PE_IndicatorArrowLeft ? 90
                          : element == PE_IndicatorArrowUp   ? 180
                                                             : 270;
      const auto group = option->state & State_Enabled ? QPalette::Active : QPalette::Disabled;
      return draw_chevron(*painter, option->rect, turn, palette.color(group, QPalette::WindowText));
    }
    case PE_IndicatorBranch:  // of a tree: no lines, only what unfolds
      if (option->state & State_Children)
        draw_chevron(*painter, option->rect, option->state & State_Open ? 0 : 270, palette.color(QPalette::Text));
      return;
    case PE_IndicatorDockWidgetResizeHandle: {
      if (option->state & (State_MouseOver | State_Sunken))
        return painter->fillRect(option->rect, palette.color(QPalette::Mid));
      if (palette.color(QPalette::Window) != palette.color(QPalette::Base)) return;
      // Panes on one ground with the window have a line between them
      const QRect at = option->rect;
      return painter->fillRect(at.width() < at.height() ? QRect(at.center().x(), at.top(), 1, at.height())
                                                        : QRect(at.left(), at.center().y(), at.width(), 1),
                               palette.color(QPalette::Mid));
    }
    case PE_FrameTabBarBase:
      return;           // the tab in front has a line of its own
    case PE_PanelMenu:  // on the ground of panes, a border alone would not lift it in a dark theme
      painter->fillRect(option->rect, palette.color(QPalette::Window));
      return;
    case PE_FrameMenu:
      painter->setPen(palette.color(QPalette::Dark));
      return painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    default:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void FlatStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const {
  if (element == CE_TabBarTabShape) {
    if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option)) return draw_tab(*painter, *tab);
  } else if (element == CE_MenuBarEmptyArea || element == CE_ToolBar) {
    return painter->fillRect(option->rect, option->palette.color(QPalette::Window));
  } else if (element == CE_MenuBarItem) {
    // Fusion underlines each menu; beside a higher corner widget that line would stand in the middle of the bar.
    if (const auto* menu = qstyleoption_cast<const QStyleOptionMenuItem*>(option)) {
      const QColor ground = menu->palette.color(QPalette::Window);
      painter->fillRect(menu->rect, ground);
      if (menu->state & State_Selected)
        fill_round(*painter, menu->rect, between(ground, menu->palette.color(QPalette::Text), 0.12), {});
      const int flags =
          Qt::AlignCenter | Qt::TextDontClip | Qt::TextSingleLine |
          (styleHint(SH_UnderlineShortcut, menu, widget, nullptr) ? Qt::TextShowMnemonic : Qt::TextHideMnemonic);
      return drawItemText(painter, menu->rect, flags, menu->palette, menu->state & State_Enabled, menu->text,
                          QPalette::ButtonText);
    }
  } else if (const auto* entry = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
             entry && element == CE_MenuItem && entry->menuItemType == QStyleOptionMenuItem::Separator &&
             entry->text.isEmpty()) {
    const QRect& at = entry->rect;
    return painter->fillRect(QRect(at.left() + tokens::space, at.center().y(), at.width() - 2 * tokens::space, 1),
                             entry->palette.color(QPalette::Mid));
  } else if (element == CE_HeaderSection) {
    painter->fillRect(option->rect, option->palette.color(QPalette::Window));
    const QRect& at = option->rect;
    painter->fillRect(QRect(at.left(), at.bottom(), at.width(), 1), option->palette.color(QPalette::Mid));
    return;
  } else if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option);
             bar && bar->maximum > bar->minimum &&
             (element == CE_ProgressBarGroove || element == CE_ProgressBarContents)) {
    if (element == CE_ProgressBarGroove)
      return fill_round(*painter, bar->rect,
                        between(bar->palette.color(QPalette::Window), bar->palette.color(QPalette::Text), 0.12), {});
    const double done = double(bar->progress - bar->minimum) / (bar->maximum - bar->minimum);
    QRect part = bar->rect;
    part.setWidth(static_cast<int>(part.width() * std::clamp(done, 0.0, 1.0)));
    if (part.width() > 0)
      fill_round(*painter, visualRect(bar->direction, bar->rect, part), bar->palette.color(QPalette::Highlight), {});
    return;
  } else if (element == CE_PushButtonLabel && is_expected(*option)) {
    QStyleOptionButton label = *qstyleoption_cast<const QStyleOptionButton*>(option);
    label.palette.setColor(QPalette::ButtonText, label.palette.color(QPalette::HighlightedText));
    return QProxyStyle::drawControl(element, &label, painter, widget);
  } else if (const auto* tool = qstyleoption_cast<const QStyleOptionToolButton*>(option);
             tool && element == CE_ToolButtonLabel && is_quiet(*option, widget) && !is_used(*option)) {
    // Tools step back behind the titles of panes
    QStyleOptionToolButton label = *tool;
    if (label.state & State_Enabled)
      label.palette.setColor(QPalette::ButtonText, label.palette.color(QPalette::PlaceholderText));
    return QProxyStyle::drawControl(element, &label, painter, widget);
  } else if (const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
             box && element == CE_ComboBoxLabel) {
    QStyleOptionComboBox label = *box;
    const int room = subControlRect(CC_ComboBox, box, SC_ComboBoxEditField, widget).width();
    label.currentText = box->fontMetrics.elidedText(box->currentText, Qt::ElideRight, room - 2);
    return QProxyStyle::drawControl(element, &label, painter, widget);
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void FlatStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                   const QWidget* widget) const {
  const QColor ink = option->palette.color(QPalette::ButtonText);
  if (control == CC_ComboBox) {
    const auto* box = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    const bool edited = box && box->editable, quiet = is_quiet(*option, widget);
    const bool focused = has_keyboard(*option) && (edited || (option->state & State_KeyboardFocusChange));
    if (!quiet || focused || is_used(*option))
      fill_round(*painter, option->rect, edited ? option->palette.color(QPalette::Base) : ground_of(*option),
                 quiet && !edited ? QColor() : option->palette.color(QPalette::Mid), focused,
                 option->palette.color(QPalette::Highlight));
    return draw_chevron(*painter, subControlRect(control, option, SC_ComboBoxArrow, widget), 0, ink);
  }
  if (control == CC_SpinBox) {
    draw_field(*painter, option->rect, *option);
    const auto* box = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    if (!box || box->buttonSymbols == QAbstractSpinBox::NoButtons) return;
    const auto ink_for = [&](QAbstractSpinBox::StepEnabledFlag step) {
      return box->stepEnabled & step ? ink : option->palette.color(QPalette::Mid);
    };
    draw_chevron(*painter, subControlRect(control, option, SC_SpinBoxUp, widget), 180,
                 ink_for(QAbstractSpinBox::StepUpEnabled));
    return draw_chevron(*painter, subControlRect(control, option, SC_SpinBoxDown, widget), 0,
                        ink_for(QAbstractSpinBox::StepDownEnabled));
  }
  if (const auto* tool = control == CC_ToolButton && opens_menu(option)
                             ? qstyleoption_cast<const QStyleOptionToolButton*>(option)
                             : nullptr) {
    // Fusion's arrow is as small as a comma, and stands below the line
    QStyleOptionToolButton button = *tool;
    button.features &= ~QStyleOptionToolButton::HasMenu;
    proxy()->drawPrimitive(PE_PanelButtonTool, &button, painter, widget);
    QStyleOptionToolButton label = button;
    label.rect.adjust(0, 0, -menu_arrow, 0);
    proxy()->drawControl(CE_ToolButtonLabel, &label, painter, widget);
    const QRect& at = button.rect;
    if (has_keyboard(button)) proxy()->drawPrimitive(PE_FrameFocusRect, &button, painter, widget);
    return draw_chevron(*painter, QRect(at.right() - menu_arrow - 2, at.top(), menu_arrow, at.height()), 0,
                        option->palette.color(button.state & State_Enabled ? QPalette::ButtonText : QPalette::Mid));
  }
  if (control == CC_ScrollBar) {
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option))
      return draw_scroll_bar(*painter, *bar, subControlRect(control, option, SC_ScrollBarSlider, widget));
  }
  if (control == CC_Slider) {
    if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option))
      return draw_slider(*painter, *slider, proxy()->subControlRect(control, option, SC_SliderHandle, widget));
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace kdscope
