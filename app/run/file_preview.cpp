#include "app/run/file_preview.hpp"

#include <QApplication>
#include <QClipboard>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/appearance/appearance.hpp"
#include "app/appearance/plain_text.hpp"
#include "datasets/datasets.hpp"

namespace kdscope {
namespace {

constexpr std::size_t most_previewed = 5;
constexpr std::uint32_t most_previewed_columns = 32;
constexpr qint64 most_unasked = qint64{256} << 20;  // bytes of a file that is read without being asked for

}  // namespace

FilePreview::FilePreview(Workbench& workbench, QWidget* parent)
    : QWidget(parent),
      workbench_(workbench),
      specification_(new QLineEdit),
      table_(new QTableWidget),
      sentence_(plain_label()),
      progress_(new QProgressBar),
      read_(new QPushButton(tr("Read the file"))),
      cancel_(new QPushButton(tr("Cancel"))) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  auto* row = new QHBoxLayout;
  auto* copying = new QToolButton;
  copying->setText(tr("Copy"));
  copying->setObjectName(QStringLiteral("copy_specification"));
  copying->setToolTip(tr("Copies the data specification, as the command line takes it after --data"));
  row->addWidget(specification_, 1);
  row->addWidget(copying);
  column->addLayout(row);
  column->addWidget(table_);
  auto* work = new QHBoxLayout;
  work->addWidget(progress_, 1);
  work->addWidget(read_);
  work->addWidget(cancel_);
  auto* sentences = new QScrollArea;  // there may be many warnings
  sentences->setWidget(sentence_);
  sentences->setWidgetResizable(true);
  sentences->setFrameShape(QFrame::NoFrame);
  sentences->setMinimumHeight(4 * fontMetrics().lineSpacing());
  sentence_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  column->addWidget(sentences, 1);
  column->addLayout(work);

  specification_->setReadOnly(true);
  specification_->setObjectName(QStringLiteral("data_specification"));
  specification_->setAccessibleName(tr("Data specification"));
  specification_->setToolTip(tr("The data specification, as the command line takes it after --data"));
  table_->setObjectName(QStringLiteral("file_rows"));
  table_->setAccessibleName(tr("The first points of the file, as they are read"));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionMode(QAbstractItemView::NoSelection);
  table_->setTabKeyNavigation(false);
  table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  sentence_->setObjectName(QStringLiteral("file_sentence"));
  sentence_->setWordWrap(true);
  sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  for (QPushButton* button : {read_, cancel_}) button->setAutoDefault(false);  // Return is for the dialog's own
  read_->setObjectName(QStringLiteral("read_file"));
  cancel_->setObjectName(QStringLiteral("cancel_preview"));
  read_->hide();
  delay_.setSingleShot(true);
  delay_.setInterval(200);
  patience_.setSingleShot(true);
  patience_.setInterval(250);

  connect(copying, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(QString::fromStdString(wanted_)); });
  connect(&delay_, &QTimer::timeout, this, &FilePreview::begin);
  connect(&patience_, &QTimer::timeout, this, [this] {
    progress_->show();
    cancel_->show();
  });
  connect(&job_, &BackgroundJob::finished, this, &FilePreview::rested);
  connect(read_, &QPushButton::clicked, this, &FilePreview::read);
  connect(cancel_, &QPushButton::clicked, this, &FilePreview::cancel);
  connect(&workbench.looks(), &Looks::changed, this, [this] { say(sentence_->text(), refused_); });
  show_reading({});
}

void FilePreview::show_specification(const std::string& specification) {
  if (specification == wanted_) return;
  wanted_ = specification;
  known_.clear();
  specification_->setText(foreign_text(specification));
  specification_->setCursorPosition(static_cast<int>(specification_->text().size()));
  read_->hide();
  delay_.start();
}

void FilePreview::showEvent(QShowEvent*) { delay_.start(); }

void FilePreview::begin() {
  if (!isVisible() || wanted_ == known_) return;
  if (wanted_.empty()) return show_reading({});
  const qint64 bytes = QFileInfo(QString::fromStdString(data_file_of(wanted_))).size();
  if (bytes <= most_unasked) return read();
  Reading large;
  large.sentence = tr("The file has %1.").arg(QLocale::c().formattedDataSize(bytes));
  show_reading(large);
  read_->show();
}

void FilePreview::read() {
  read_->hide();
  patience_.start();
  if (job_.running()) return;  // it is followed by what is wanted then
  job_.start(
      {},
      [this, asked = wanted_](const RunControl&) {
        auto reading = std::make_shared<Reading>(read_file(asked));
        return [this, asked, reading] { take(asked, *reading); };
      },
      [this, asked = wanted_](const Error& error) {
        take(asked, {foreign_text(error.message()), true, {}, {}, {}});
      });
}

FilePreview::Reading FilePreview::read_file(const std::string& specification) {
  const auto opened = open_data_set(specification);
  if (!opened) return {foreign_text(opened.error().message()), true, {}, {}, {}};
  const DataSet& set = **opened;
  const PointSet& points = set.points;
  Reading reading;
  reading.sentence = tr("%1, %2, %3.")
                         .arg(points.size() == 1 ? tr("1 point") : tr("%L1 points").arg(points.size()))
                         .arg(points.dim == 1 ? tr("1 dimension") : tr("%1 dimensions").arg(points.dim),
                              points.type == ScalarType::int32 ? tr("whole numbers") : tr("decimal numbers"));
  for (const std::string& warning : set.warnings) reading.warnings << foreign_text(warning);
  const std::uint32_t columns = std::min(points.dim, most_previewed_columns);
  for (std::uint32_t d = 0; d < columns; ++d)
    reading.columns << foreign_text(d < set.column_names.size() ? set.column_names[d] : coordinate_name(d, points.dim));
  for (std::size_t i = 0; i < std::min(points.size(), most_previewed); ++i) {
    QStringList row;
    for (std::uint32_t d = 0; d < columns; ++d)
      row << QString::fromStdString(coordinate_text(points.word(i, d), points.type));
    reading.rows.push_back(row);
  }
  return reading;
}

void FilePreview::cancel() {
  known_ = wanted_;
  job_.cancel();
  Reading nothing;
  nothing.sentence = tr("Cancelled. A change of a choice reads the file again.");
  show_reading(nothing);
  read_->show();
}

void FilePreview::take(const std::string& specification, const Reading& reading) {
  if (wanted_ != specification) return begin();
  if (wanted_ == known_) return;  // cancelled
  known_ = wanted_;
  show_reading(reading);
  emit shown(reading.refused, reading.warnings);
}

void FilePreview::show_reading(const Reading& reading) {
  patience_.stop();
  for (QWidget* part : std::initializer_list<QWidget*>{progress_, cancel_}) part->hide();
  table_->setColumnCount(static_cast<int>(reading.columns.size()));
  table_->setRowCount(static_cast<int>(reading.rows.size()));
  table_->setHorizontalHeaderLabels(reading.columns);
  for (int i = 0; i < table_->rowCount(); ++i) {
    table_->setVerticalHeaderItem(i, new QTableWidgetItem(QStringLiteral("p%1").arg(i)));
    for (int d = 0; d < table_->columnCount(); ++d) {
      auto* item = new QTableWidgetItem(reading.rows[static_cast<std::size_t>(i)][d]);
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(i, d, item);
    }
  }
  // The room of all rows is reserved, so that nothing moves below them.
  const int row = QFontMetrics(table_->font()).height() + 8;
  table_->verticalHeader()->setDefaultSectionSize(row);
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() + row * static_cast<int>(most_previewed) +
                         table_->horizontalScrollBar()->sizeHint().height() + 2 * table_->frameWidth());
  QString text = reading.sentence;
  for (const QString& warning : reading.warnings) text += QLatin1Char('\n') + tr("Warning: %1").arg(warning);
  say(text, reading.refused);
}

void FilePreview::say(const QString& sentence, bool refused) {
  refused_ = refused;
  const Theme& t = theme_of(workbench_.looks().appearance());
  QPalette palette = sentence_->palette();
  palette.setColor(QPalette::WindowText, colour(refused ? t.failed : t.text));
  sentence_->setPalette(palette);
  sentence_->setText(sentence);
}

}  // namespace kdscope
