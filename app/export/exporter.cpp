#include "app/export/exporter.hpp"

#include <QBuffer>
#include <QFile>
#include <QImageReader>
#include <QImageWriter>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QTimer>
#include <QXmlStreamReader>
#include <filesystem>
#include <numeric>

#include "algorithms/core/replaced_file.hpp"
#include "app/export/handout.hpp"
#include "app/export/pending_file.hpp"
#include "app/export/step_painter.hpp"
#include "app/export/video_encoder.hpp"
#include "app/pseudocode/page_code.hpp"
#include "app/recording/saved_run.hpp"
#include "app/recording/table_csv.hpp"
#include "app/variant_trials/page_sheets.hpp"
#include "app/workbench/guarded_application.hpp"
#include "visualizer/model/step_heading.hpp"
#include "visualizer/style/tokens.hpp"
#include "visualizer/web/lesson_page.hpp"

namespace kdscope {
namespace {

constexpr int pixels_per_inch = 96;

Error damaged(const std::string& path) {
  return {ErrorKind::io_failure, "the file does not read back as it was written", path,
          "check the disk and export it again"};
}
Error damaged(const QString& path) { return damaged(path.toStdString()); }

/// Closes a file. Returns an error if anything written to it was lost.
Result<void> closed(QFile& file, const QString& path) {
  bool whole = file.flush();
  const QString why = file.errorString();
  file.close();
  whole = whole && file.error() == QFileDevice::NoError;
  return whole ? Result<void>() : Result<void>(cannot_write(path, why));
}

/// Writes a whole file and reads it back. Painters paint into memory first, because they do not report a full disk.
Result<void> save(PendingFile& pending, const QByteArray& bytes) {
  QFile file(pending.temporary());
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
    return cannot_write(pending.path(), file.errorString());
  if (auto safe = closed(file, pending.path()); !safe) return safe;
  if (!file.open(QIODevice::ReadOnly) || file.readAll() != bytes) return damaged(pending.path());
  return pending.keep();
}

}  // namespace

/// Returns whether bytes are one complete SVG document. Reads them as XML, because Qt's own SVG reader does not survive
/// a lack of memory.
bool is_whole_svg(const QByteArray& bytes) {
  QXmlStreamReader xml(bytes);
  const bool begins = xml.readNextStartElement() && xml.name() == QLatin1String("svg");
  while (!xml.atEnd()) xml.readNext();
  return begins && !xml.hasError();
}

/// A PDF document while its pages are painted. Members are destroyed in reverse order: the painter must end before the
/// writer, and the writer before the bytes.
struct Exporter::Document {
  QBuffer bytes;
  QPdfWriter writer;
  std::unique_ptr<QPainter> painter;
  int pages = 0;
  Document() : writer((bytes.open(QIODevice::WriteOnly), &bytes)) {
    writer.setResolution(pixels_per_inch);
    writer.setPageMargins(QMarginsF());
  }
};

Exporter::Exporter(QObject* parent) : QObject(parent) {
  connect(&job_, &BackgroundJob::progressed, this, &Exporter::progressed);
}

Exporter::~Exporter() = default;

Error Exporter::cancelled() const { return {ErrorKind::cancelled, "the export was cancelled", "", ""}; }

Result<void> Exporter::check(const ExportRequest& request, const Trace& trace) {
  if (auto possible = kdscope::check(request, trace); !possible) return possible;
  return is_film(request.format) ? VideoEncoder::available(request.format) : Result<void>();
}

void Exporter::start(const ExportRequest& request, ExportSource source) {
  request_ = request;
  source_ = std::move(source);
  running_ = true;
  stop_ = false;
  guarded([this] {
    if (auto begun = begin(); !begun) end(begun.error());
  });
}

void Exporter::guarded(const std::function<void()>& part) {
  try {
    part();
  } catch (const std::exception&) {
    if (!running_) throw;  // thrown by a receiver of finished()
    end(error_of_exception());
  }
}

Result<void> Exporter::begin() {
  if (auto possible = check(request_, *source_.trace); !possible) return possible;
  if (request_.what == ExportWhat::handout && (!source_.lesson || source_.stops.empty()))
    return Error{ErrorKind::bad_usage, "a handout belongs to a lesson, and none is open", "",
                 "choose one with --lesson, or from the Lessons menu"};
  const QSize size = VideoEncoder::fitting_size(request_.format, {request_.width, request_.height});
  if (is_film(request_.format)) request_.width = size.width(), request_.height = size.height();
  const QString first = QString::fromStdString(files_of(request_).front());
  // Create the first file before drawing, so that nothing is drawn for a file that cannot be created.
  auto file = std::make_unique<PendingFile>(first);
  if (auto ready = file->prepare(); !ready) return ready;
  if (request_.format == ExportFormat::csv || request_.format == ExportFormat::html) {
    file.reset();
    request_.format == ExportFormat::csv ? write_tables() : write_page();
    return {};
  }
  cursor_.emplace(source_.trace);
  frames_ = frames_of(request_, source_.stops);
  at_ = request_.first;
  painter_ = std::make_unique<StepPainter>(request_, source_.selection, source_.look, source_.concealed,
                                           source_.lesson ? &*source_.lesson : nullptr, source_.stops);
  if (request_.format == ExportFormat::pdf) {
    file_ = std::move(file);
    document_ = std::make_unique<Document>();
    document_->writer.setTitle(QString::fromStdString(source_.trace->header.title));
    document_->writer.setCreator(QStringLiteral("kdscope"));
    if (request_.what == ExportWhat::handout) {
      if (auto begun = begin_handout(); !begun) return begun;
    }
  } else if (is_film(request_.format)) {
    file_ = std::move(file);
    encoder_ = std::make_unique<VideoEncoder>();
    connect(encoder_.get(), &VideoEncoder::ready_for_more, this, [this] { schedule_next(); });
    connect(encoder_.get(), &VideoEncoder::ended, this, [this](const QString& problem) {
      if (!running_) return;
      guarded([&] { problem.isEmpty() ? check_film() : end(cannot_write(file_->path(), problem)); });
    });
    encoder_->start(request_.format, file_->temporary(), size, frame_rate(request_));
  }
  emit progressed(0, tr("step %1").arg(at_));
  schedule_next();
  return {};
}

void Exporter::schedule_next() {
  QTimer::singleShot(0, this, [this] { guarded([this] { next(); }); });
}

void Exporter::next() {
  if (!running_ || (encoder_ && !encoder_->ready())) return;
  if (stop_) return end(cancelled());
  if (at_ > request_.last) {
    if (encoder_) return encoder_->finish();
    const Result<void> done = document_ ? write_pdf() : Result<void>();
    return end(done ? std::nullopt : std::optional(done.error()));
  }
  const std::uint32_t step = at_++;
  if (handout_) {
    handout_->paint_stop(step);
    document_->pages = handout_->page_count();
  } else if (auto done = export_step(step); !done)
    return end(done.error());
  if (!running_) return;
  emit progressed(double(at_ - request_.first) / (request_.last - request_.first + 1.0), tr("step %1").arg(step));
  schedule_next();
}

Result<void> Exporter::export_step(std::uint32_t step) {
  cursor_->seek(step);
  if (request_.format == ExportFormat::pdf) return write_pdf_page();
  if (request_.format == ExportFormat::svg) return write_svg(step);
  if (request_.format == ExportFormat::png) return write_picture(step);
  auto picture = painter_->picture(*cursor_);
  if (!picture) return picture.error();
  encoder_->add(*picture, frames_[step - request_.first]);
  return {};
}

Result<void> Exporter::write_picture(std::uint32_t step) {
  auto picture = painter_->picture(*cursor_);
  if (!picture) return picture.error();
  QBuffer png;
  png.open(QIODevice::ReadWrite);
  QImageWriter writer(&png, "png");
  QImageReader again(&png);
  if (!writer.write(*picture) || !png.seek(0) || again.size() != picture->size()) return damaged(path_of(step));
  return keep(step, png.data());
}

Result<void> Exporter::write_svg(std::uint32_t step) {
  const QSizeF page = painter_->page_size(*cursor_);
  QBuffer bytes;
  {
    QSvgGenerator svg;
    svg.setOutputDevice(&bytes);
    svg.setResolution(pixels_per_inch);
    svg.setSize(page.toSize());
    svg.setViewBox(QRectF(QPointF(), page));
    svg.setTitle(QString::fromStdString(step_heading(cursor_->current())));
    svg.setDescription(QString::fromStdString(path_text(cursor_->current())));
    QPainter painter(&svg);
    painter_->paint_figure(painter, *cursor_);
    painter.end();  // writes, and may throw for lack of memory; in the destructor this would end the program
  }
  if (!is_whole_svg(bytes.data())) return damaged(path_of(step));
  // Browsers that lack the face shall not take their own, which has serifs.
  QByteArray text = bytes.data();
  text.replace(QByteArray("font-family=\"") + tokens::face + '"',
               QByteArray("font-family=\"") + tokens::face + ", " + tokens::other_face + ", sans-serif\"");
  return keep(step, text);
}

/// Prepares the pages of a handout. From here on, request_ counts the lesson's stops in place of steps.
Result<void> Exporter::begin_handout() {
  Document& d = *document_;
  d.writer.setTitle(QString::fromStdString(source_.lesson->title));
  d.writer.setPageSize(QPageSize(QPageSize::A4));
  d.painter = std::make_unique<QPainter>(&d.writer);
  if (!d.painter->isActive()) return damaged(file_->path());
  handout_ = std::make_unique<HandoutPainter>(*source_.lesson, source_.trace, source_.stops, request_.answers,
                                              request_.axes, d.writer, *d.painter);
  handout_->paint_introduction();
  request_.first = at_ = 0;
  request_.last = static_cast<std::uint32_t>(source_.stops.size()) - 1;
  return {};
}

/// Bakes and writes the web page of the lesson, or of the run without one, on a thread of its own.
void Exporter::write_page() {
  job_.start(
      {},
      [this, path = request_.path, lesson = source_.lesson.value_or(run_as_lesson(*source_.trace)),
       trace = source_.trace](const RunControl& control) -> BackgroundJob::Finish {
        std::optional<Error> error;
        if (const auto baked = BakedLesson::bake(lesson, trace, page_code(trace, axes_of(lesson)),
                                                 page_sheets(lesson, *trace), control.stop);
            !baked) {
          error = baked.error();
        } else {
          const std::string page = baked->page();
          if (const auto written = replace_file(path, page); !written)
            error = written.error();
          else if (std::error_code unreadable; std::filesystem::file_size(path, unreadable) != page.size())
            error = damaged(path);
        }
        return [this, path, error] {
          if (!error) emit wrote(QString::fromStdString(path), request_.last);
          end(error);
        };
      },
      [this](const Error& error) { end(error); });
}

Result<void> Exporter::write_pdf_page() {
  Document& d = *document_;
  const QSizeF page = painter_->page_size(*cursor_);
  d.writer.setPageSize(QPageSize(page / pixels_per_inch, QPageSize::Inch, {}, QPageSize::ExactMatch));
  if (d.painter)
    d.writer.newPage();
  else
    d.painter = std::make_unique<QPainter>(&d.writer);
  if (!d.painter->isActive()) return damaged(file_->path());
  d.painter->save();
  painter_->paint_figure(*d.painter, *cursor_);
  d.painter->restore();
  ++d.pages;
  return {};
}

Result<void> Exporter::write_pdf() {
  document_->painter->end();  // see write_svg()
  document_->painter.reset();
  const QByteArray& bytes = document_->bytes.data();
  if (!bytes.startsWith("%PDF-") || bytes.count("/Type /Page\n") != document_->pages) return damaged(file_->path());
  if (auto saved = save(*file_, bytes); !saved) return saved;
  emit wrote(file_->path(), request_.last);
  return {};
}

void Exporter::write_tables() {
  std::vector<Concealment> concealed(request_.last - request_.first + 1);
  for (std::uint32_t step = request_.first; source_.concealed && step <= request_.last; ++step)
    concealed[step - request_.first] = source_.concealed(step);
  job_.start(
      {},
      [this, request = request_, trace = source_.trace,
       concealed = std::move(concealed)](const RunControl& control) -> BackgroundJob::Finish {
        const std::vector<std::string> files = files_of(request);
        Cursor cursor(trace);
        // Do not use Qt's files, which do not survive a lack of memory.
        std::vector<std::pair<std::string, std::uint32_t>> written;
        std::optional<Error> error;
        for (std::uint32_t step = request.first; step <= request.last && !error; ++step) {
          const std::string& path = files[step - request.first];
          Result<ReplacedFile> file = ReplacedFile::begin(path);
          if (!file) {
            error = file.error();
            break;
          }
          const double steps = request.last - request.first + 1.0, done = (step - request.first) / steps;
          RunControl part = control;
          part.progress = [&](double fraction, std::string_view what) {
            control.progress(done + fraction / steps, what);
          };
          cursor.seek(step);
          std::uintmax_t bytes = 0;
          Result<void> whole;  // the error of the disk, if any
          Result<void> result = write_csv(
              cursor, request.table,
              [&](std::string_view text) {
                bytes += text.size();
                whole = file->write(text);
                return whole.has_value();
              },
              part, concealed[step - request.first]);
          if (!whole) result = Error{ErrorKind::io_failure, "the table cannot be written", path, whole.error().remedy};
          std::error_code unreadable;
          if (result && std::filesystem::file_size(file->temporary(), unreadable) != bytes) result = damaged(path);
          if (result) result = file->keep();
          if (result)
            written.emplace_back(path, step);
          else
            error = result.error();
        }
        return [this, written, error] {
          for (const auto& [path, step] : written) emit wrote(QString::fromStdString(path), step);
          end(error);
        };
      },
      [this](const Error& error) { end(error); });
}

/// Reads the film back on a thread of its own, and keeps it if it is complete.
void Exporter::check_film() {
  emit progressed(1, tr("checking the film"));
  if (!running_) return;  // cancelled by a receiver
  job_.start(
      {},
      [this, format = request_.format, film = file_->temporary()](const RunControl& control) -> BackgroundJob::Finish {
        const auto facts = film_facts(format, film, control.stop);
        return [this, facts] {
          guarded([&] {
            const Result<void> kept = facts ? keep_film(*facts) : facts.error();
            end(kept ? std::nullopt : std::optional(kept.error()));
          });
        };
      },
      [this](const Error& error) { end(error); });
}

Result<void> Exporter::keep_film(const FilmFacts& facts) {
  const int frames = std::accumulate(frames_.begin(), frames_.end(), 0);
  if (facts.frames != frames || facts.size != QSize(request_.width, request_.height))
    return Error{
        ErrorKind::io_failure,
        "the film reads back with " + std::to_string(facts.frames) + " of " + std::to_string(frames) + " frames",
        file_->path().toStdString(), "export it again, or choose another format"};
  if (auto kept = file_->keep(); !kept) return kept;
  emit wrote(file_->path(), request_.last);
  return {};
}

QString Exporter::path_of(std::uint32_t step) const {
  return QString::fromStdString(files_of(request_)[in_one_file(request_) ? 0 : step - request_.first]);
}

Result<void> Exporter::keep(std::uint32_t step, const QByteArray& bytes) {
  PendingFile file(path_of(step));
  if (auto ready = file.prepare(); !ready) return ready;
  if (auto saved = save(file, bytes); !saved) return saved;
  emit wrote(file.path(), step);
  return {};
}

void Exporter::cancel() {
  if (!running_) return;
  stop_ = true;
  if (job_.running())
    job_.cancel();
  else if (encoder_)
    end(cancelled());
}

void Exporter::end(std::optional<Error> error) {
  running_ = false;
  if (encoder_) {
    encoder_->disconnect(this);
    encoder_.release()->delete_once_ended();
  }
  handout_.reset();
  document_.reset();
  file_.reset();
  painter_.reset();
  cursor_.reset();
  emit finished(error);
}

}  // namespace kdscope
