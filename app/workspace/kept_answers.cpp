#include "app/workspace/kept_answers.hpp"

#include <QComboBox>
#include <QDateTime>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFormLayout>
#include <QLineEdit>
#include <QLockFile>
#include <QPushButton>
#include <algorithm>

#include "algorithms/core/input_file.hpp"
#include "algorithms/core/replaced_file.hpp"
#include "app/appearance/plain_text.hpp"
#include "walkthroughs/practice/results.hpp"

namespace kdscope {
namespace {

constexpr int most_wait_ms = 500;
/// The file that the program keeps for itself needs a name too.
constexpr const char* keeper = "kdscope";

std::string encoded(const QString& path) { return QFile::encodeName(path).toStdString(); }

Result<std::vector<Attempt>> attempts_in(const QString& path) {
  if (!QFile::exists(path)) return std::vector<Attempt>();
  const auto text = read_file(encoded(path), most_result_bytes);
  if (!text) return text.error();
  auto results = read_results(*text, encoded(path));
  if (!results) return results.error();
  return std::move(results->attempts);
}

/// Keeps the newest attempts, if there are too many.
void keep_newest(std::vector<Attempt>& attempts) {
  if (attempts.size() > most_attempts)
    attempts.erase(attempts.begin(), attempts.end() - static_cast<std::ptrdiff_t>(most_attempts));
}

}  // namespace

KeptAnswers::KeptAnswers(Workbench& workbench, const QString& folder, QObject* parent)
    : QObject(parent),
      workbench_(workbench),
      path_(QDir(folder).filePath(QStringLiteral("answers") + QLatin1String(results_ending))) {
  if (auto attempts = attempts_in(path_)) {
    workbench.questions().restore(Answers(std::move(*attempts)));
  } else {
    Error error = attempts.error();
    const QString aside =
        path_ +
        QStringLiteral(".damaged-%1").arg(QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMddhhmmss")));
    if (QFile::rename(path_, aside)) error.remedy = "your earlier answers were moved to " + aside.toStdString();
    workbench.messages().report(error);
  }
  connect(&workbench.questions(), &Questions::attempted, this, [this](const std::vector<Attempt>& attempts) {
    to_write_.insert(to_write_.end(), attempts.begin(), attempts.end());
    write();
  });
}

void KeptAnswers::write() {
  const auto report = [this](const Error& error) {
    if (!std::exchange(reported_, true)) workbench_.messages().report(error);  // once, not after every answer
  };
  QDir().mkpath(QFileInfo(path_).path());
  QLockFile lock(path_ + QStringLiteral(".lock"));
  lock.tryLock(most_wait_ms);  // without it, the last of two programs wins
  auto attempts = attempts_in(path_);
  if (!attempts) return report(attempts.error());
  attempts->insert(attempts->end(), to_write_.begin(), to_write_.end());
  keep_newest(*attempts);
  const auto written = replace_file(encoded(path_), results_text({keeper, std::move(*attempts)}));
  if (!written) return report(written.error());
  to_write_.clear();
  reported_ = false;
}

HandInDialog::HandInDialog(const Workbench& workbench, const QString& student, QWidget* parent)
    : QDialog(parent),
      workbench_(workbench),
      student_(new QLineEdit(student)),
      what_(new QComboBox),
      problem_(plain_label()) {
  setObjectName(QStringLiteral("hand_in_dialog"));
  setWindowTitle(tr("Hand in"));
  auto* form = new QFormLayout(this);
  student_->setObjectName(QStringLiteral("hand_in_student"));
  what_->setObjectName(QStringLiteral("hand_in_what"));
  form->addRow(tr("Your &name"), student_);
  form->addRow(tr("&Answers"), what_);
  problem_->setWordWrap(true);
  form->addRow(problem_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
  form->addRow(buttons);
  save_ = buttons->button(QDialogButtonBox::Save);
  save_->setText(tr("Save\u2026"));

  // Offer the open lesson first, then every lesson with answers, then all answers.
  std::vector<std::string> lessons;
  const auto offer = [&](const std::string& lesson) {
    if (std::find(lessons.begin(), lessons.end(), lesson) != lessons.end()) return;
    lessons.push_back(lesson);
    const auto& catalogue = workbench.lessons().catalogue().lessons;
    const auto found =
        std::find_if(catalogue.begin(), catalogue.end(), [&](const Lesson& l) { return l.id == lesson; });
    const QString title =
        lesson.empty() ? tr("questions on own runs") : foreign_text(found == catalogue.end() ? lesson : found->title);
    what_->addItem(title, QString::fromStdString(lesson));
  };
  const std::vector<Attempt>& all = workbench.questions().own_answers().attempts();
  const auto has = [&](const std::string& lesson) {
    return std::any_of(all.begin(), all.end(), [&](const Attempt& attempt) { return attempt.lesson == lesson; });
  };
  if (workbench.lessons().lesson() && has(workbench.lessons().lesson()->id)) offer(workbench.lessons().lesson()->id);
  for (const Attempt& attempt : all) offer(attempt.lesson);
  if (lessons.size() > 1) what_->addItem(tr("everything"));
  connect(student_, &QLineEdit::textChanged, this, &HandInDialog::check);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  check();
}

void HandInDialog::check() {
  QString problem;
  if (what_->count() == 0)
    problem = tr("There are no answers yet. Answer a question of a lesson first.");
  else if (const auto named = check_student(student().toStdString()); !named && !student().isEmpty())
    problem = foreign_text(named.error().message());
  problem_->setText(problem);
  problem_->setVisible(!problem.isEmpty());
  save_->setEnabled(problem.isEmpty() && !student().isEmpty());
}

QString HandInDialog::student() const { return student_->text().trimmed(); }

std::vector<Attempt> HandInDialog::attempts() const {
  std::vector<Attempt> chosen = workbench_.questions().own_answers().attempts();
  if (const QVariant lesson = what_->currentData(); lesson.isValid())
    std::erase_if(chosen, [id = lesson.toString().toStdString()](const Attempt& a) { return a.lesson != id; });
  return chosen;
}

Result<void> hand_in(const QString& student, std::vector<Attempt> attempts, const QString& path) {
  if (auto named = check_student(student.toStdString()); !named) return named.error();
  keep_newest(attempts);
  return replace_file(encoded(path), results_text({student.toStdString(), std::move(attempts)}));
}

}  // namespace kdscope
