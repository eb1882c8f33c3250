#include "app/export/video_encoder.hpp"

#include <QImageReader>
#include <QStandardPaths>
#include <map>

namespace kdscope {
namespace {

constexpr int patience_ms = 20000, between_polls_ms = 50;
constexpr qint64 frames_ahead = 2;

QString program(const char* name) { return QStandardPaths::findExecutable(QString::fromLatin1(name)); }

/// Encoders for a format, the best one first.
QStringList encoders_of(ExportFormat format) {
  if (format == ExportFormat::gif) return {QStringLiteral("gif")};
  if (format == ExportFormat::webm)
    return {QStringLiteral("libvpx-vp9"), QStringLiteral("libvpx"), QStringLiteral("libsvtav1")};
  return {QStringLiteral("libx264"), QStringLiteral("libopenh264"), QStringLiteral("mpeg4")};
}

/// The first encoder for a format that this ffmpeg has; empty if it has none.
QString encoder_for(ExportFormat format) {
  static std::map<QString, QString> lists;  // cached: ffmpeg takes a tenth of a second to list them
  const QString ffmpeg = program("ffmpeg");
  QString& list = lists[ffmpeg];
  if (list.isEmpty()) {
    QProcess process;
    process.start(ffmpeg, {QStringLiteral("-hide_banner"), QStringLiteral("-encoders")});
    if (!process.waitForFinished(patience_ms)) return {};
    list = QString::fromUtf8(process.readAllStandardOutput());
  }
  for (const QString& encoder : encoders_of(format))
    if (list.contains(QLatin1Char(' ') + encoder + QLatin1Char(' '))) return encoder;
  return {};
}

QStringList options_of(const QString& encoder) {
  if (encoder == QLatin1String("libx264")) return {"-crf", "17", "-preset", "medium", "-tune", "animation"};
  if (encoder == QLatin1String("libvpx-vp9"))
    return {"-crf", "24", "-b:v", "0", "-deadline", "good", "-cpu-used", "4", "-row-mt", "1"};
  if (encoder == QLatin1String("libvpx")) return {"-crf", "8", "-b:v", "8M"};
  if (encoder == QLatin1String("gif") || encoder == QLatin1String("libsvtav1")) return {};
  return {"-b:v", "12M"};
}

}  // namespace

VideoEncoder::VideoEncoder(QObject* parent) : QObject(parent) {
  connect(&process_, &QProcess::bytesWritten, this, [this] {
    write_more();
    if (ready() && !finishing_) emit ready_for_more();
  });
  connect(&process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    if (cancelled_) return;
    if (code == 0 && status == QProcess::NormalExit && finishing_) {
      emit ended({});
      return;
    }
    const QStringList lines = QString::fromUtf8(process_.readAllStandardError()).trimmed().split(QLatin1Char('\n'));
    emit ended(lines.last().isEmpty() ? tr("ffmpeg stopped early")
                                      : tr("ffmpeg reports \"%1\"").arg(lines.last().trimmed()));
  });
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart && !cancelled_) emit ended(tr("ffmpeg cannot be started"));
  });
}

VideoEncoder::~VideoEncoder() {
  cancel();
  process_.waitForFinished(patience_ms);
}

Result<void> VideoEncoder::available(ExportFormat format) {
  const std::string what = std::string("a film in ") + name_of(format);
  if (program("ffmpeg").isEmpty() || program("ffprobe").isEmpty())
    return Error{ErrorKind::bad_usage, what + " needs the program ffmpeg, which is not installed", "",
                 "install it (Debian: apt-get install ffmpeg), or export pictures as png"};
  if (encoder_for(format).isEmpty())
    return Error{ErrorKind::bad_usage, "the installed ffmpeg has no encoder for " + std::string(name_of(format)), "",
                 "install one with " + encoders_of(format).join(QStringLiteral(" or ")).toStdString() +
                     ", or choose another format"};
  return {};
}

QSize VideoEncoder::fitting_size(ExportFormat format, QSize size) {
  return format == ExportFormat::gif ? size : QSize(size.width() & ~1, size.height() & ~1);
}

void VideoEncoder::start(ExportFormat format, const QString& path, QSize size, double frames_per_second) {
  const QString encoder = encoder_for(format);
  QStringList arguments{"-hide_banner",
                        "-loglevel",
                        "error",
                        "-nostdin",
                        "-y",
                        "-f",
                        "rawvideo",
                        "-pix_fmt",
                        "bgr0",
                        "-video_size",
                        QStringLiteral("%1x%2").arg(size.width()).arg(size.height()),
                        "-framerate",
                        QString::number(frames_per_second, 'f', 4),
                        "-i",
                        "pipe:0"};
  if (format == ExportFormat::gif) {
    // Compute one palette per frame: flat colours stay exact, and no frame waits in memory for the others.
    arguments << "-filter_complex"
              << "split[a][b];[a]palettegen=stats_mode=single[p];[b][p]paletteuse=new=1:dither=none"
              << "-loop"
              << "0";
  } else {
    // Convert to BT.709, which players assume for films of this size.
    arguments << "-vf"
              << "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"
              << "-colorspace"
              << "bt709"
              << "-color_primaries"
              << "bt709"
              << "-color_trc"
              << "bt709"
              << "-color_range"
              << "tv"
              << "-c:v" << encoder << options_of(encoder);
    if (format == ExportFormat::mp4)
      arguments << "-movflags"
                << "+faststart";
  }
  arguments << "-f" << QString::fromLatin1(name_of(format)) << path;
  process_.start(program("ffmpeg"), arguments);
}

bool VideoEncoder::ready() const {
  return left_ == 0 && process_.bytesToWrite() < frames_ahead * std::max<qint64>(1, frame_.size());
}

void VideoEncoder::add(const QImage& picture, int frames) {
  const QImage image = picture.convertToFormat(QImage::Format_RGB32);
  frame_ = QByteArray(reinterpret_cast<const char*>(image.constBits()), image.sizeInBytes());
  left_ = frames;
  write_more();
}

void VideoEncoder::write_more() {
  while (left_ > 0 && process_.state() != QProcess::NotRunning &&
         process_.bytesToWrite() < frames_ahead * frame_.size()) {
    process_.write(frame_);
    --left_;
  }
  if (finishing_ && left_ == 0) process_.closeWriteChannel();
}

void VideoEncoder::finish() {
  finishing_ = true;
  write_more();
}

void VideoEncoder::cancel() {
  cancelled_ = true;
  process_.kill();
}

void VideoEncoder::delete_once_ended() {
  cancel();
  if (process_.state() == QProcess::NotRunning) return deleteLater();
  connect(&process_, &QProcess::finished, this, &QObject::deleteLater);
}

Result<FilmFacts> film_facts(ExportFormat format, const QString& path, std::stop_token stop) {
  const Error unreadable{ErrorKind::io_failure, "the film cannot be read back", path.toStdString(), "export it again"};
  const Error cancelled{ErrorKind::cancelled, "the export was cancelled", "", ""};
  FilmFacts facts;
  if (format == ExportFormat::gif) {
    QImageReader reader(path);
    facts.size = reader.size();
    while (!stop.stop_requested() && !reader.read().isNull()) ++facts.frames;
    if (stop.stop_requested()) return cancelled;
    if (facts.frames < 1 || facts.size.isEmpty()) return unreadable;
    return facts;
  }
  QProcess process;
  process.start(program("ffprobe"), {"-v", "error", "-select_streams", "v:0", "-count_frames", "-show_entries",
                                     "stream=width,height,nb_read_frames", "-of", "csv=p=0", path});
  while (!process.waitForFinished(between_polls_ms)) {
    if (process.state() == QProcess::NotRunning) return unreadable;
    if (!stop.stop_requested()) continue;
    process.kill();
    process.waitForFinished(patience_ms);
    return cancelled;
  }
  if (process.exitStatus() != QProcess::NormalExit || process.exitCode() != 0) return unreadable;
  const QStringList fields = QString::fromUtf8(process.readAllStandardOutput()).trimmed().split(QLatin1Char(','));
  if (fields.size() != 3) return unreadable;
  facts.size = {fields[0].toInt(), fields[1].toInt()};
  facts.frames = fields[2].toInt();
  return facts;
}

}  // namespace kdscope
