#include "app/appearance/key_list.hpp"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QTextBrowser>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

constexpr const char *property = "kdscope_keys", *group_property = "kdscope_key_group",
                     *window_property = "kdscope_window_only";
constexpr std::size_t heading_lines = 2;  // of a group, in lines of keys
constexpr int most_columns = 3;

QString plain(QString text) {
  text.replace(QStringLiteral("&&"), QStringLiteral("\1"))
      .remove(QLatin1Char('&'))
      .replace(QLatin1Char('\1'), QLatin1Char('&'));
  while (text.endsWith(QChar(0x2026)) || text.endsWith(QLatin1Char('.'))) text.chop(1);
  return text;
}

QString keys_text(const QList<QKeySequence>& keys) {
  QStringList texts;
  for (const QKeySequence& key : keys)
    if (const QString text = key.toString(QKeySequence::NativeText); !key.isEmpty() && !texts.contains(text))
      texts << text;
  return texts.join(QObject::tr(" or "));
}

/// The keys of a line, each in a frame of its own, which no line end cuts.
QString framed(const QString& keys, const QString& ground, const QString& ink) {
  QStringList together;
  for (const QString& choice : keys.split(QStringLiteral(", "))) {
    QStringList each = choice.split(QObject::tr(" or "));
    for (QString& key : each)
      key = QStringLiteral("<span style=\"background-color:%1; color:%2\">&nbsp;%3&nbsp;</span>")
                .arg(ground, ink, key.toHtmlEscaped().replace(QLatin1Char(' '), QChar::Nbsp));
    together << each.join(QObject::tr(" or "));
  }
  return together.join(QLatin1Char(' '));
}

/// Returns whether entries have consecutive keys, such as Ctrl+1 to Ctrl+9. They are listed as one line under the name
/// of their menu.
bool is_numbered(const QList<QAction*>& actions) {
  for (int i = 0; i < actions.size(); ++i)
    if (actions[i]->shortcut().count() != 1 ||
        actions[i]->shortcut()[0].toCombined() != actions[0]->shortcut()[0].toCombined() + i)
      return false;
  return actions.size() > 2;
}

void add_menu(const QMenu& menu, KeyGroup& group, std::set<const QAction*>& seen) {
  const QList<QAction*> actions = menu.actions();
  const bool numbered = is_numbered(actions);
  if (numbered)
    group.keys.emplace_back(
        QObject::tr("%1 to %2").arg(keys_text(actions.first()->shortcuts()), keys_text(actions.last()->shortcuts())),
        plain(menu.title()));
  for (const QAction* action : actions) {
    if (action->property(group_property).isValid()) continue;
    seen.insert(action);
    if (action->menu())
      add_menu(*action->menu(), group, seen);
    else if (!numbered && !action->shortcut().isEmpty())
      group.keys.emplace_back(keys_text(action->shortcuts()), plain(action->text()));
  }
}

/// What most people press, in this order: a first group, of lines that stand below again.
KeyGroup most_used(const std::vector<KeyGroup>& groups) {
  KeyGroup most{QObject::tr("Used most"), {}};
  for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Left, Qt::Key_PageDown, Qt::Key_PageUp, Qt::Key_Space, Qt::Key_H,
                            Qt::Key_A, Qt::Key_G, Qt::Key_Q, Qt::Key_E, Qt::Key_F5, Qt::Key_F7, Qt::Key_F8}) {
    const QString name = QKeySequence(key).toString(QKeySequence::NativeText);
    for (const KeyGroup& group : groups) {
      const auto line = std::ranges::find(group.keys, name, [](const auto& l) { return l.first; });
      if (line == group.keys.end()) continue;
      most.keys.push_back(*line);
      break;
    }
  }
  return most;
}

}  // namespace

void describe_keys(QWidget& view, const QString& name, std::initializer_list<std::pair<QString, QString>> keys) {
  QStringList lines{name};
  for (const auto& [key, what] : keys) lines << key << what;
  view.setProperty(property, lines);
}

void group_key(QAction& action, const QString& title) { action.setProperty(group_property, title); }

void keep_in_window(QAction& action) { action.setProperty(window_property, true); }

bool is_kept_in_window(const QAction& action) { return action.property(window_property).toBool(); }

QString plain_title(const QMenu& menu) { return plain(menu.title()); }

std::vector<KeyGroup> keys_of(const QMainWindow& window) {
  std::vector<KeyGroup> groups;
  std::set<const QAction*> seen;
  for (const QAction* entry : window.menuBar()->actions()) {
    if (!entry->menu()) continue;
    KeyGroup group{plain(entry->text()), {}};
    add_menu(*entry->menu(), group, seen);
    groups.push_back(std::move(group));
  }
  const auto group_named = [&](const QString& title) -> KeyGroup& {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const KeyGroup& g) { return g.title == title; });
    if (found != groups.end()) return *found;
    groups.push_back({title, {}});
    return groups.back();
  };
  // Group keys of a pane under the pane's accessible name, and keys of the window under "Anywhere".
  for (const QAction* action : window.findChildren<QAction*>()) {
    if (seen.count(action) || action->shortcut().isEmpty() || action->text().isEmpty()) continue;
    if (qobject_cast<const KeyList*>(action->parent())) continue;
    if (const QString title = action->property(group_property).toString(); !title.isEmpty()) {
      group_named(title).keys.emplace_back(keys_text(action->shortcuts()), plain(action->text()));
      continue;
    }
    const bool local =
        action->shortcutContext() == Qt::WidgetShortcut || action->shortcutContext() == Qt::WidgetWithChildrenShortcut;
    const auto* widget = qobject_cast<const QWidget*>(action->parent());
    group_named(local && widget && !widget->accessibleName().isEmpty() ? widget->accessibleName()
                                                                       : QObject::tr("Anywhere"))
        .keys.emplace_back(keys_text(action->shortcuts()), plain(action->text()));
  }
  for (const QWidget* view : window.findChildren<QWidget*>()) {
    const QStringList lines = view->property(property).toStringList();
    for (int i = 1; i + 1 < lines.size(); i += 2) {
      auto& keys = group_named(lines[0]).keys;
      const std::pair line{lines[i], lines[i + 1]};
      if (std::find(keys.begin(), keys.end(), line) == keys.end()) keys.push_back(line);
    }
  }
  std::erase_if(groups, [](const KeyGroup& group) { return group.keys.empty(); });
  return groups;
}

KeyList::KeyList(QMainWindow& window, QWidget* parent, const QStringList& groups)
    : QDialog(parent), window_(window), groups_(groups), page_(new QTextBrowser) {
  setWindowTitle(tr("Keys"));
  setObjectName(QStringLiteral("key_list"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(tokens::space, tokens::space, tokens::space, tokens::space);
  column->setSpacing(tokens::space);
  auto* filter = new QLineEdit;
  filter->setObjectName(QStringLiteral("key_filter"));
  filter->setPlaceholderText(tr("Find a key, or what it does"));
  filter->setAccessibleName(tr("Find a key"));
  filter->setClearButtonEnabled(true);
  connect(filter, &QLineEdit::textChanged, this, &KeyList::show_keys);
  column->addWidget(filter);
  if (!groups.isEmpty()) filter->hide();  // in front of a class nothing takes the keyboard
  column->addWidget(page_);
  page_->setFrameStyle(QFrame::NoFrame);
  page_->setAccessibleName(tr("Keys"));
  auto* close_again = new QAction(tr("Close"), this);
  close_again->setShortcut(QKeySequence::HelpContents);
  connect(close_again, &QAction::triggered, this, &QDialog::close);
  addAction(close_again);
}

void KeyList::show_keys() {
  std::vector<KeyGroup> groups = keys_of(window_);
  const auto* filter = findChild<QLineEdit*>(QStringLiteral("key_filter"));
  if (!groups_.isEmpty())
    std::erase_if(groups, [this](const KeyGroup& group) { return !groups_.contains(group.title); });
  else if (filter->text().isEmpty())
    groups.insert(groups.begin(), most_used(groups));
  for (KeyGroup& group : groups)
    std::erase_if(group.keys, [&, wanted = filter->text().trimmed()](const auto& line) {
      const QStringList words{group.title, line.first, line.second};
      return !words.join(QLatin1Char(' ')).contains(wanted, Qt::CaseInsensitive);
    });
  std::erase_if(groups, [](const KeyGroup& group) { return group.keys.empty(); });
  std::size_t all = 0, used = 0, column = 1;
  for (const KeyGroup& group : groups) all += group.keys.size() + heading_lines;
  // In large type, as over a presentation, the list takes all of the room.
  const QFontMetrics metrics(font());
  const bool large = metrics.height() > QFontMetrics(QApplication::font()).height();
  resize((parentWidget()->size() * (large ? 0.97 : 0.8)).expandedTo({480, 400}));
  page_->setFont(font());
  // Set columns of about the same height, of whole groups.
  const auto columns = static_cast<std::size_t>(std::clamp(width() / (20 * metrics.height()), 1, most_columns));
  // Keys have the same width in every group, so that what they do stands in one line down the column.
  int key_width = 0;
  for (const KeyGroup& group : groups)
    for (const auto& line : group.keys) key_width = std::max(key_width, metrics.horizontalAdvance(line.first));
  key_width = std::min(key_width + 2 * metrics.height(), width() / static_cast<int>(columns) * 2 / 5);
  const std::size_t column_lines = (all + columns - 1) / columns;
  const QString ground = palette().color(QPalette::Button).name(), ink = palette().color(QPalette::ButtonText).name();
  const QString next_column = QStringLiteral("</td><td width=\"%1%\">").arg(100 / columns);
  QString html = QStringLiteral("<table width=\"100%\" cellpadding=\"8\"><tr><td width=\"%1%\">").arg(100 / columns);
  for (const KeyGroup& group : groups) {
    const std::size_t lines = group.keys.size() + heading_lines;
    if (used > 0 && column < columns && used + lines / 2 > column_lines) {
      html += next_column;
      used = 0;
      ++column;
    }
    used += lines;
    html += QStringLiteral("<h3>%1</h3><table width=\"100%\" cellspacing=\"2\">").arg(group.title.toHtmlEscaped());
    for (const auto& [key, what] : group.keys)
      html += QStringLiteral(
                  "<tr><td align=\"right\" width=\"%3\" style=\"padding: 2px 6px\">%1</td><td style=\"padding: 2px "
                  "6px\">%2</td></tr>")
                  .arg(framed(key, ground, ink), what.toHtmlEscaped())
                  .arg(key_width);
    html += QStringLiteral("</table>");
  }
  page_->setHtml(html + QStringLiteral("</td></tr></table>"));
  show();
  raise();
  activateWindow();
}

QString KeyList::text() const { return page_->toPlainText(); }

}  // namespace kdscope
