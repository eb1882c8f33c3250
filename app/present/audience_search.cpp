#include "app/present/audience_search.hpp"

#include <QVBoxLayout>
#include <algorithm>
#include <span>
#include <utility>

#include "algorithms/text/numbers.hpp"
#include "app/appearance/appearance.hpp"
#include "app/appearance/labels.hpp"
#include "app/panes/viewer.hpp"
#include "app/present/markdown_label.hpp"
#include "app/questioning/questioning.hpp"
#include "app/workbench/open_questions.hpp"
#include "visualizer/model/search_overlay.hpp"
#include "visualizer/style/axis.hpp"

namespace kdscope {
namespace {

constexpr int margin = 12;  // as the narration's

QString number(double value) { return QString::fromStdString(with_minus_sign(short_number(value))); }

QString tuple(std::span<const double> numbers) {
  QStringList texts;
  for (const double each : numbers) texts << number(each);
  return QLatin1Char('(') + texts.join(QStringLiteral(", ")) + QLatin1Char(')');
}

/// Returns what is said before a question that measures otherwise than usual.
QString measured_as(const Measure& measure) {
  QString text;
  if (measure.metric == Metric::l1) text += AudienceSearch::tr("By the sum of the differences: ");
  if (measure.metric == Metric::maximum) text += AudienceSearch::tr("By the largest difference: ");
  if (!measure.period.empty())
    text += AudienceSearch::tr("In a space that repeats after %1: ").arg(tuple(measure.period));
  return text;
}

}  // namespace

QString question_of(const SearchOfRun& search) {
  const std::span<const double> query = search.query;
  const QString place = search.all_points ? AudienceSearch::tr("each point") : tuple(query);
  switch (search.question) {
    case SearchQuestion::nearest:
      return measured_as(search.measure) +
             (search.k == 1 ? AudienceSearch::tr("Which point is nearest to %1").arg(place)
                            : AudienceSearch::tr("Which %1 points are nearest to %2").arg(search.k).arg(place)) +
             (search.radius ? AudienceSearch::tr(", at most %1 away?").arg(number(*search.radius))
                            : QStringLiteral("?"));
    case SearchQuestion::ball:
      return AudienceSearch::tr("Which points are at most %1 away from %2?")
          .arg(number(search.radius.value_or(0)), place);
    case SearchQuestion::box:
      return AudienceSearch::tr("Which points are in each dimension at most %1 away from %2?")
          .arg(number(search.radius.value_or(0)), place);
    case SearchQuestion::count:
      return AudienceSearch::tr("How many points are in each dimension at most %1 away from %2?")
          .arg(number(search.radius.value_or(0)), place);
    case SearchQuestion::nearest_hit:
      return AudienceSearch::tr("Which triangle does the ray from %1 in the direction %2 hit first?")
          .arg(tuple(query.first(query.size() / 2)), tuple(query.subspan(query.size() / 2)));
    case SearchQuestion::any_hit:
      return AudienceSearch::tr("Does the ray from %1 in the direction %2 hit any triangle?")
          .arg(tuple(query.first(query.size() / 2)), tuple(query.subspan(query.size() / 2)));
  }
  return {};
}

AudienceSearch::AudienceSearch(Workbench& workbench, QWidget* parent)
    : QWidget(parent), workbench_(workbench), words_(new MarkdownLabel), answered_(new MarkdownLabel(this)) {
  setAccessibleName(tr("Search"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(margin, margin, margin, margin);
  layout->addWidget(words_);
  answered_->hide();
  connect(&workbench.playback(), &Playback::stepped, this, &AudienceSearch::show_step);
  connect(&workbench.playback(), &Playback::concealment_changed, this, &AudienceSearch::show_step);
  connect(&workbench.questions(), &Questions::changed, this, &AudienceSearch::show_step);  // one of several is settled
  when_restyled(*this, workbench, [this] { show_step(); });
  show_step();
}

QString AudienceSearch::text() const { return words_->text(); }

void AudienceSearch::set_text_size(double size) {
  if (std::exchange(size_, size) != size) show_step();
}

int AudienceSearch::heightForWidth(int width) const {
  const int line = width - 2 * margin;
  return std::max(words_->height_for(line), answered_->height_for(line)) + 2 * margin;
}

void AudienceSearch::show_step() {
  if (!workbench_.playback().cursor()) return;
  for (MarkdownLabel* words : {words_, answered_})
    words->setFont(interface_font(text_scale_of(*this, workbench_.looks().appearance()), size_));
  const Trace& trace = workbench_.playback().cursor()->trace();
  const auto search = search_in(trace.header.search);
  if (!is_search(trace) || !search) return words_->set_markdown(tr("This run searches for nothing."));
  const auto words = [question = question_of(*search)](const QString& now) {
    return QStringLiteral("%1\n\n%2").arg(question, now);
  };
  const QString now = foreign_text(workbench_.playback().cursor()->current().title);
  answered_->set_markdown(words(now));
  const auto hides = [&](const Concealment& concealed) { return hides_steps(concealed, trace); };
  words_->set_markdown(words(hides(workbench_.playback().concealment()) ? hidden_words(workbench_, hides) : now));
}

}  // namespace kdscope
