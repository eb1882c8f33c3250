#include "app/panes/source_pane.hpp"

#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance.hpp"
#include "app/session/source_regions.hpp"

namespace kdscope {
namespace {

/// The text without the indentation that all its lines share.
QString dedented(std::string_view text) {
  QStringList lines = QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).split(QLatin1Char('\n'));
  qsizetype shared = 1000;
  for (const QString& line : lines)
    if (!line.trimmed().isEmpty())
      shared = std::min(shared, static_cast<qsizetype>(std::find_if(line.begin(), line.end(),
                                                                    [](QChar c) { return c != QLatin1Char(' '); }) -
                                                       line.begin()));
  for (QString& line : lines) line = line.mid(shared);
  while (!lines.isEmpty() && lines.back().trimmed().isEmpty()) lines.pop_back();
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

/// Colours for C++, few and by weight: comments muted, keywords bold, numbers in the theme's second colour.
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
        "struct|"
        "switch|template|typename|unsigned|using|void|while|static|inline|noexcept|KDSCOPE_HD|NodeId|PointId|uint32_t|"
        "uint64_t|int32_t|size_t|true|false)\\b"));
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
      code_(new QPlainTextEdit),
      highlighter_(new CodeHighlighter(code_->document())) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(code_, 1);
  code_->setReadOnly(true);
  code_->setFrameShape(QFrame::NoFrame);
  code_->setLineWrapMode(QPlainTextEdit::NoWrap);
  code_->document()->setDocumentMargin(10);
  code_->setAccessibleName(tr("Source"));
  connect(&workbench, &Workbench::step_changed, this, &SourcePane::show_step);
  connect(&workbench, &Workbench::appearance_changed, this, &SourcePane::restyle);
  restyle();
}

void SourcePane::restyle() {
  code_->setFont(code_font(workbench_.session().text_scale, 0.95));
  highlighter_->set_theme(theme_of(workbench_.session()));
}

void SourcePane::show_step() {
  const Step& step = workbench_.cursor()->current();
  const SourceRegion* region = find_source_region(step.code_anchor);
  if (!region) {
    setWindowTitle(QString());
    code_->setPlainText(step.code_anchor.empty()
                            ? tr("This step names no source.")
                            : tr("This build has no source region %1.").arg(QString::fromStdString(step.code_anchor)));
    return;
  }
  const std::string_view file = region->file.substr(region->file.rfind('/') + 1);
  setWindowTitle(QStringLiteral("%1, line %2")
                     .arg(QString::fromUtf8(file.data(), static_cast<qsizetype>(file.size())))
                     .arg(region->first_line));
  const QString code = dedented(region->text);
  if (code != code_->toPlainText()) code_->setPlainText(code);
}

}  // namespace kdscope
