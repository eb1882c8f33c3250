#pragma once
// What this step does, in words: the text of the lesson at its stops, and facts from the trace at all other steps. The
// question at hand stands below.

#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>
#include <QWidget>
#include <map>
#include <memory>
#include <vector>

#include "app/workbench/workbench.hpp"

namespace kdscope {

/// Who reads: a person at the window, an audience in front of a projector, the speaker, who sees every answer, or a
/// speaker whose notes the audience sees too.
enum class Reader { person, audience, speaker, overlooked_speaker };

class NarrationPane : public QWidget {
  Q_OBJECT

 public:
  explicit NarrationPane(Workbench& workbench, QWidget* parent = nullptr, Reader reader = Reader::person);
  const QTextBrowser& text() const { return *text_; }
  /// Buttons to the lesson's stops, for the dock's title bar. The window title names the stop.
  QWidget* stop_buttons() { return stops_; }
  /// From now on, a button at the end of a lesson does what this action does: it leads to the next one.
  void set_next_lesson(QAction* next);
  /// The least width at which the tables of a lesson's narrations have no word cut in two, in a size relative to the
  /// interface font; 0 without tables.
  int width_of_tables(double size) const;
  /// What is left of a text in front of an audience: all, two sentences and the tables, less of them with the tables,
  /// or the first sentence.
  enum class Left { all, most, tables, least };
  /// The height that an audience's text takes at this width, in a size relative to the interface font: of the stop at
  /// hand, and of what it keeps, if it does, or of another stop.
  int height_for(int width, double size, Left left, const Stop* other = nullptr) const;
  void set_text_size(double size);
  /// From now on, an audience's text stays as it is at this stop, or follows the room that it has. Where there was no
  /// room for any text, it always follows.
  void keep_text(bool keeps) { keeps_text_ = keeps && !version_.empty(); }
  /// Shows the longest version of a text that fits. Without effect on a text that is kept.
  void choose_text() { show_step(); }
  /// Scrolls down or up by a few lines; false at the end.
  bool scroll(bool down);
  /// Shows an audience all of a stop's text, in place of what fits without scrolling, or again that.
  void show_all(bool all);
  /// Returns whether an audience's text is shortened.
  bool is_shortened() const { return shortened_; }
  /// The same with and without a question, so that no other pane changes its size when one is asked or answered.
  QSize minimumSizeHint() const override;

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void show_step();
  void show_again();
  bool set_text(const QString& markdown, bool small_lists = false);
  void set_text_for_class(const std::string& narration);
  QFont audience_font(double size) const;
  std::unique_ptr<QTextDocument> measured(const std::string& markdown, const QFont& font) const;
  void leave_out_cut_line();
  QString place_text() const;
  QString introduction_text(const Lesson& lesson) const;
  QString heading(const std::string& title, const std::string& text) const;
  QString stop_text(const Lesson& lesson, int stop) const;
  QString step_text() const;
  bool is_for_speaker() const { return reader_ == Reader::speaker || reader_ == Reader::overlooked_speaker; }

  Workbench& workbench_;
  Reader reader_;
  QWidget* stops_;
  QToolButton *previous_, *next_;
  QTextBrowser* text_;
  bool shows_all_ = false, shortened_ = false, keeps_text_ = false;  // for an audience
  std::string version_;                                              // of the narration that an audience reads
  double size_ = 1;                                                  // of that text
  void show_button();

  QPushButton* begin_ = nullptr;  // for a person, at both ends of a lesson
  QAction* next_lesson_ = nullptr;
  mutable QString measured_tables_;         // the lesson of width_of_tables_
  mutable std::map<QString, int> heights_;  // of texts at this step
  mutable int width_of_tables_ = 0;
};

}  // namespace kdscope
