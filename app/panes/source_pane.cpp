#include "app/panes/source_pane.hpp"

#include <QHBoxLayout>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QVBoxLayout>
#include <algorithm>

#include "algorithms/registry/source_regions.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/icons.hpp"
#include "app/appearance/labels.hpp"
#include "app/appearance/plain_text.hpp"
#include "app/panes/curtain.hpp"
#include "app/panes/viewer.hpp"
#include "app/views/code_view.hpp"
#include "app/workbench/open_questions.hpp"
#include "visualizer/style/tokens.hpp"

namespace kdscope {
namespace {

/// The text without the indentation that all its lines share.
QStringList dedented(std::string_view text) {
  QStringList lines = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).split(QLatin1Char('\n'));
  qsizetype shared = 1000;
  for (const QString& line : lines)
    if (!line.trimmed().isEmpty())
      shared = std::min(shared, static_cast<qsizetype>(std::find_if(line.begin(), line.end(),
                                                                    [](QChar c) { return c != QLatin1Char(' '); }) -
                                                       line.begin()));
  for (QString& line : lines) line = line.mid(shared);
  while (!lines.isEmpty() && lines.back().trimmed().isEmpty()) lines.pop_back();
  return lines;
}

QString file_name(const RecordedSource& region) { return foreign_text(region.file.substr(region.file.rfind('/') + 1)); }

/// Whether the source in this program differs from the source that the trace was recorded with.
bool differs_from_program(const RecordedSource& recorded) {
  const SourceRegion* own = find_source_region(recorded.region);
  return !own || own->text != recorded.text;
}

/// Whether a word is a keyword of pseudo-code.
bool is_keyword(const QString& word) {
  static const QStringList words{QStringLiteral("for"),  QStringLiteral("each"),     QStringLiteral("if"),
                                 QStringLiteral("else"), QStringLiteral("while"),    QStringLiteral("until"),
                                 QStringLiteral("do"),   QStringLiteral("repeat"),   QStringLiteral("return"),
                                 QStringLiteral("in"),   QStringLiteral("parallel"), QStringLiteral("given")};
  return words.contains(word);
}

/// Adds text with its keywords bold ("in" only in "in parallel").
void add_words(CodeLine& line, const QString& text, const QTextCharFormat& plain) {
  QTextCharFormat bold = plain;
  bold.setFontWeight(QFont::Bold);
  static const QRegularExpression word(QStringLiteral("[A-Za-z]+|[^A-Za-z]+"));
  for (auto matches = word.globalMatch(text); matches.hasNext();) {
    const auto match = matches.next();
    const bool in_alone = match.captured() == QLatin1String("in") &&
                          !text.mid(match.capturedEnd()).startsWith(QLatin1String(" parallel"));
    line.runs.push_back({match.captured(), is_keyword(match.captured()) && !in_alone ? bold : plain});
  }
}

}  // namespace

/// Highlights C++ with few colours: comments muted and italic, keywords bold, literals in the colour of passed checks.
class CodeHighlighter : public QSyntaxHighlighter {
 public:
  using QSyntaxHighlighter::QSyntaxHighlighter;

  void set_theme(const Theme& theme) {
    keyword_.setForeground(colour(theme.focus));
    keyword_.setFontWeight(QFont::Bold);
    comment_.setForeground(colour(theme.muted_text));
    comment_.setFontItalic(true);
    literal_.setForeground(colour(theme.passed));
    rehighlight();
  }

 protected:
  void highlightBlock(const QString& text) override {
    static const QRegularExpression keywords(QStringLiteral(
        "\\b(auto|bool|break|case|class|const|constexpr|continue|double|else|enum|float|for|if|int|operator|return|"
        "struct|switch|template|typename|unsigned|using|void|while|static|inline|noexcept|KDSCOPE_HD|NodeId|PointId|"
        "uint32_t|uint64_t|int32_t|size_t|true|false)\\b"));
    static const QRegularExpression literals(QStringLiteral("\\b(0x[0-9a-fA-F]+|[0-9]+\\.?[0-9]*)u?\\b|\"[^\"]*\""));
    static const QRegularExpression comments(QStringLiteral("//.*$"));
    apply(text, keywords, keyword_);
    apply(text, literals, literal_);
    apply(text, comments, comment_);
  }

 private:
  void apply(const QString& text, const QRegularExpression& expression, const QTextCharFormat& format) {
    for (auto matches = expression.globalMatch(text); matches.hasNext();) {
      const auto match = matches.next();
      setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()), format);
    }
  }
  QTextCharFormat keyword_, comment_, literal_;
};

SourcePane::SourcePane(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      buttons_(new QWidget),
      previous_(new QToolButton),
      next_(new QToolButton),
      source_shown_(new QToolButton),
      split_(new QSplitter(Qt::Vertical)),
      pseudocode_view_(new CodeView),
      source_view_(new CodeView),
      without_pseudocode_(plain_label()),
      provenance_(plain_label()),
      status_(plain_label()),
      highlighter_(new CodeHighlighter(source_view_->document())) {
  auto* bar = new QHBoxLayout(buttons_);
  bar->setContentsMargins(0, 0, 12, 0);
  bar->setSpacing(2);
  previous_->setIcon(icon(Symbol::previous_stop));
  previous_->setToolTip(tr("To the previous run of the marked lines (Shift+click on a line)"));
  previous_->setAccessibleName(tr("Previous run of the marked lines"));
  previous_->setObjectName(QStringLiteral("previous_run"));
  next_->setIcon(icon(Symbol::next_stop));
  next_->setToolTip(tr("To the next run of the marked lines (click on a line)"));
  next_->setAccessibleName(tr("Next run of the marked lines"));
  next_->setObjectName(QStringLiteral("next_run"));
  for (QToolButton* button : {previous_, next_}) {
    button->setAutoRaise(true);
    button->setEnabled(false);
    bar->addWidget(button);
  }
  source_shown_->setText(QStringLiteral("C++"));
  source_shown_->setCheckable(true);
  source_shown_->setAutoRaise(true);
  source_shown_->setToolTip(tr("Show the C++ source that runs"));
  source_shown_->setAccessibleName(tr("Show the source"));
  source_shown_->setObjectName(QStringLiteral("show_source"));
  bar->insertWidget(0, source_shown_);
  connect(source_shown_, &QToolButton::clicked, this, [this](bool shown) {
    (tight_ ? source_when_tight_ : source_when_roomy_) = shown;
    lay_out();
  });
  connect(previous_, &QToolButton::clicked, this, [this] { choose_current(true); });
  connect(next_, &QToolButton::clicked, this, [this] { choose_current(false); });

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(without_pseudocode_);
  layout->addWidget(provenance_);
  layout->addWidget(split_, 1);
  layout->addWidget(status_);
  split_->addWidget(pseudocode_view_);
  split_->addWidget(source_view_);
  split_->setChildrenCollapsible(false);
  split_->setSizes({100, 100});
  for (QLabel* label : {without_pseudocode_, provenance_, status_}) {
    label->setWordWrap(true);
    label->setContentsMargins(8, 3, 8, 3);
    label->setForegroundRole(QPalette::PlaceholderText);
  }
  without_pseudocode_->setObjectName(QStringLiteral("without_pseudocode"));
  without_pseudocode_->hide();
  provenance_->setObjectName(QStringLiteral("source_provenance"));
  provenance_->hide();
  status_->setObjectName(QStringLiteral("source_status"));
  pseudocode_view_->setObjectName(QStringLiteral("pseudocode"));
  pseudocode_view_->setAccessibleName(tr("Pseudo-code"));
  source_view_->setObjectName(QStringLiteral("source_code"));
  source_view_->setAccessibleName(tr("Source"));
  source_view_->setLineWrapMode(QTextEdit::NoWrap);
  for (CodeView* view : {pseudocode_view_, source_view_}) {
    view->setMinimumHeight(60);
    view->setToolTip(tr("Click on a line: to its next run. Shift+click: to its previous run."));
  }

  connect(pseudocode_view_, &CodeView::line_chosen, this, &SourcePane::choose_line);
  connect(source_view_, &CodeView::line_chosen, this, &SourcePane::choose_region);
  step_shown_ = new ShownUpdate(this, [this] { show_step(); });
  connect(&workbench.playback(), &Playback::stepped, step_shown_, &ShownUpdate::request);
  auto* values_shown = new ShownUpdate(this, [this] { show_pseudocode(); });
  connect(&workbench.playback(), &Playback::selected, values_shown, &ShownUpdate::request);
  connect(&workbench.playback(), &Playback::axes_changed, values_shown, &ShownUpdate::request);
  for (const auto signal : {&Playback::baseline_changed, &Playback::concealment_changed})
    connect(&workbench.playback(), signal, values_shown, &ShownUpdate::request);
  connect(&workbench.inside(), &Inside::moved, this, &SourcePane::mark);
  new Curtain(this, workbench, [](const Concealment& concealed, const Trace&) { return concealed.code; });
  when_restyled(*this, workbench, [this] { restyle(); });
  restyle();
}

void SourcePane::restyle() {
  const Theme& theme = theme_of(workbench_.looks().appearance());
  const int scale = text_scale_of(*this, workbench_.looks().appearance());
  pseudocode_view_->setFont(interface_font(scale));
  source_view_->setFont(code_font(scale, 0.95));
  for (QLabel* label : {without_pseudocode_, provenance_, status_})
    label->setFont(interface_font(scale, tokens::small_text));
  pseudocode_view_->set_theme(theme);
  source_view_->set_theme(theme);
  highlighter_->set_theme(theme);
  pseudocode_view_->set_lines({});
  source_view_->set_lines({});
  trace_ = nullptr;  // everything is made again
  if (workbench_.playback().cursor()) step_shown_->request();
}

void SourcePane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  lay_out();
}

void SourcePane::lay_out() {
  const QFontMetrics text = pseudocode_view_->fontMetrics();
  const bool wide = width() > 1.3 * height() && width() > 80 * text.averageCharWidth();
  tight_ = !wide && height() < 22 * text.height();  // each half would show only a few lines
  const bool source = !pseudocode_ || (tight_ ? source_when_tight_ : source_when_roomy_);
  source_shown_->setChecked(source);
  source_shown_->setEnabled(pseudocode_ != nullptr);
  source_view_->setVisible(source);
  pseudocode_view_->setVisible(pseudocode_ && !(tight_ && source));
  split_->setOrientation(wide ? Qt::Horizontal : Qt::Vertical);
  mark();
}

void SourcePane::say(const QString& words) {
  status_->setText(words);
  status_->setVisible(!words.isEmpty());
}

void SourcePane::open_run() {
  trace_ = workbench_.playback().trace();
  const TraceHeader& header = trace_->header;
  pseudocode_ = find_pseudocode(header.algorithm);
  code_ = std::make_unique<CodeOfSteps>(*trace_, pseudocode_);
  values_ = std::make_unique<StepValues>(*trace_);
  without_pseudocode_->setVisible(pseudocode_ == nullptr);
  without_pseudocode_->setText(tr("%1 has no pseudo-code in this build; its source alone is shown.")
                                   .arg(foreign_text(header.title.empty() ? header.algorithm : header.title)));
  regions_.clear();
  for (const RecordedSource& region : header.sources) regions_.push_back(&region);
  const bool differs = std::any_of(header.sources.begin(), header.sources.end(), differs_from_program);
  // The sources of builders are named from the project's folder, those of a variant by their path
  const auto own = std::find_if(header.sources.begin(), header.sources.end(),
                                [](const RecordedSource& source) { return source.file.starts_with('/'); });
  if (own != header.sources.end())
    provenance_->setText(
        tr("With stages of the variant %1.").arg(foreign_text(own->file.substr(own->file.rfind('/') + 1))));
  else
    provenance_->setText(
        tr("Recorded by %1; this program's source differs.").arg(foreign_text(commit_text(header.build))));
  provenance_->setVisible(differs || own != header.sources.end());
  fill_source();
  lay_out();
}

void SourcePane::show_step() {
  if (workbench_.playback().trace() != trace_) open_run();
  say({});
  show_pseudocode();
  show_source();
}

/// Marks what runs and scrolls it into sight: the lines of pseudo-code as little as needed, the region to the top.
void SourcePane::mark() {
  if (!trace_ || workbench_.playback().trace() != trace_) return;
  const Step& step = workbench_.playback().cursor()->current();
  const std::vector<int> lines = code_->lines(step.ordinal);
  pseudocode_view_->mark(
      [&](const CodeLine& line) { return std::find(lines.begin(), lines.end(), line.key) != lines.end(); }, false);
  const auto region_of = [&](const CodeLine& line) { return regions_[static_cast<std::size_t>(line.key)]; };
  // Inside a launch, the line at which its lanes are
  const access_log::Site* at = workbench_.inside().line();
  const auto is_at = [&](const CodeLine& line) {
    return region_of(line)->file == at->file && line.number == static_cast<int>(at->line);
  };
  if (at && source_view_->has_line(is_at)) return source_view_->mark(is_at, false);
  source_view_->mark([&](const CodeLine& line) { return region_of(line)->region == step.code_anchor; }, true);
}

void SourcePane::show_pseudocode() {
  if (!pseudocode_ || !workbench_.playback().cursor() || workbench_.playback().trace() != trace_) return;
  const Theme& theme = theme_of(workbench_.looks().appearance());
  const Cursor& now = *workbench_.playback().cursor();
  ValueScope scope{
      now, workbench_.playback().baseline(), workbench_.playback().linked(), {}, workbench_.playback().axes()};
  if (scope.before && workbench_.playback().selection())
    scope.selected_before = resolve_selection(*scope.before, workbench_.playback().selection());
  const std::vector<int> current = code_->lines(now.step());
  const bool hides_values = workbench_.playback().concealment().hides_values();

  QTextCharFormat text, muted, chip;
  text.setForeground(colour(theme.text));
  muted.setForeground(colour(theme.muted_text));
  chip.setForeground(colour(theme.text));
  chip.setBackground(colour(mix(theme.base, theme.warning, theme.dark ? 0.36 : 0.3)));
  const auto add_chip = [&](CodeLine& line, const QString& words) {
    line.runs.push_back({QStringLiteral(" "), text});
    line.runs.push_back(
        {QStringLiteral("\u00a0%1\u00a0").arg(QString(words).replace(QLatin1Char(' '), QChar(0xa0))), chip});
  };
  std::vector<CodeLine> lines;
  for (std::size_t i = 0; i < pseudocode_->lines.size(); ++i) {
    const PseudocodeLine& written = pseudocode_->lines[i];
    const int key = static_cast<int>(i);
    const bool runs = std::find(current.begin(), current.end(), key) != current.end();
    const bool in_this_run = !code_->steps_of_line(key).empty(), free = written.bindings.empty() && !in_this_run;
    CodeLine line{key, written.number, double(written.indent), {}};
    for (const PseudocodeLine::Piece& piece : written.pieces) {
      add_words(line, foreign_text(piece.text), in_this_run || free ? text : muted);
      if (piece.source.empty() || !(runs || free || code_->encloses(key, current))) continue;
      if (const auto value = hides_values ? std::optional<std::string>("?") : values_->value(piece.source, scope))
        add_chip(line, foreign_text(piece.label + " = " + *value));
    }
    lines.push_back(std::move(line));
    if (current.empty() || key != current.back()) continue;

    // Below the line that runs, show how it was launched, what it wrote, and its values at the selection.
    const QString facts = foreign_text(step_facts(now));
    if (!facts.isEmpty()) lines.push_back({key, 0, written.indent + 1.0, {{facts, muted}}});
    CodeLine selected{key, 0, written.indent + 1.0, {}};
    if (hides_values) selected.runs.push_back({hidden_words(workbench_, &Concealment::hides_values), muted});
    for (const SelectedElement& element : hides_values ? std::vector<SelectedElement>() : selected_elements(scope))
      add_chip(selected, foreign_text(element.name + " = " + change_text(element)));
    if (selected.runs.empty() && !for_audience_)
      selected.runs.push_back({tr("Select a point to see its values here."), muted});
    if (!selected.runs.empty()) lines.push_back(std::move(selected));
  }
  pseudocode_view_->set_lines(lines);
  mark();
}

/// Fills the source view with all regions of the trace.
void SourcePane::fill_source() {
  std::vector<CodeLine> lines;
  QTextCharFormat title;
  title.setFontWeight(QFont::Bold);
  title.setForeground(colour(theme_of(workbench_.looks().appearance()).muted_text));
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const RecordedSource& region = *regions_[i];
    const int key = static_cast<int>(i);
    if (i > 0) lines.push_back({});
    lines.push_back({-1, 0, 0, {{file_name(region), title}}});
    int number = static_cast<int>(region.first_line);
    for (const QString& line : dedented(region.text)) lines.push_back({key, number++, 0, {{line, {}}}});
  }
  if (regions_.empty()) lines.push_back({-1, 0, 0, {{tr("This trace holds no source."), {}}}});
  source_view_->set_lines(lines);
}

void SourcePane::show_source() {
  const Step& step = workbench_.playback().cursor()->current();
  const auto current = std::ranges::find(regions_, step.code_anchor, &RecordedSource::region);
  mark();

  if (current != regions_.end())
    setWindowTitle(QStringLiteral("%1, line %2").arg(file_name(**current)).arg((*current)->first_line));
  else
    setWindowTitle(step.code_anchor.empty()
                       ? tr("This step names no source")
                       : tr("This trace does not hold the source region %1").arg(foreign_text(step.code_anchor)));
  const std::vector<int> run_lines = code_->lines(step.ordinal);
  const auto steps =
      run_lines.empty() ? code_->steps_of_region(step.code_anchor) : code_->steps_of_line(run_lines.front());
  previous_->setEnabled(execution_after(steps, step.ordinal, true).has_value());
  next_->setEnabled(execution_after(steps, step.ordinal, false).has_value());
}

void SourcePane::go_to(const std::vector<std::uint32_t>& steps, bool backwards, const QString& what) {
  const std::uint32_t now = workbench_.playback().step();
  if (steps.empty()) return say(tr("No step of this run executes %1.").arg(what));
  const auto found = execution_after(steps, now, backwards);
  if (!found) return say(tr("Step %1 is the only one that executes %2.").arg(now).arg(what));
  workbench_.transport().set_playing(false);
  workbench_.playback().seek(found->step);
  const auto place = std::find(steps.begin(), steps.end(), found->step) - steps.begin();
  QString words = tr("Step %1: %4, run %2 of %3.").arg(found->step).arg(place + 1).arg(steps.size()).arg(what);
  if (found->wrapped)
    words = (backwards ? tr("None before, so on from the end. ") : tr("None further on, so from the start again. ")) +
            words;
  say(words);
}

void SourcePane::choose_line(int line, bool backwards) {
  const PseudocodeLine& written = pseudocode_->lines[static_cast<std::size_t>(line)];
  const auto& steps = code_->steps_of_line(line);
  if (steps.empty() && written.bindings.empty()) return say(tr("Line %1 has no steps of its own.").arg(written.number));
  go_to(steps, backwards, tr("line %1").arg(written.number));
}

void SourcePane::choose_region(int region, bool backwards) {
  const std::string& name = regions_[static_cast<std::size_t>(region)]->region;
  go_to(code_->steps_of_region(name), backwards, QString::fromStdString(name));
}

void SourcePane::choose_current(bool backwards) {
  const std::string anchor = workbench_.playback().cursor()->current().code_anchor;
  const std::vector<int> lines = code_->lines(workbench_.playback().step());
  if (lines.empty()) return go_to(code_->steps_of_region(anchor), backwards, QString::fromStdString(anchor));
  choose_line(lines.front(), backwards);
}

}  // namespace kdscope
