#pragma once
// Films through the ffmpeg program: raw frames go into its pipe, and what it wrote is looked at again.

#include <QImage>
#include <QProcess>
#include <QSize>

#include "app/session/export_request.hpp"

namespace kdscope {

class VideoEncoder : public QObject {
  Q_OBJECT

 public:
  explicit VideoEncoder(QObject* parent = nullptr);
  ~VideoEncoder() override;

  /// Whether ffmpeg is installed and can encode this format; the error names what to install.
  static Result<void> available(ExportFormat format);
  /// MP4 and WebM halve their colours' resolution, so sides are even.
  static QSize fitting_size(ExportFormat format, QSize size);

  /// Starts writing a film. Precondition: available(), a fitting size.
  void start(ExportFormat format, const QString& path, QSize size, double frames_per_second);
  /// Whether it keeps up: add no frame while it does not, but wait for ready_for_more().
  bool ready() const;
  /// Shows a picture for a number of frames.
  void add(const QImage& picture, int frames);
  /// No frame follows; ended() comes once the file is complete.
  void finish();
  /// Stops at once; ended() does not come.
  void cancel();

 signals:
  void ready_for_more();
  /// Empty if the film is complete, or the problem that ffmpeg reports.
  void ended(const QString& problem);

 private:
  void write_more();

  QProcess process_;
  QByteArray frame_;  // the picture that is being written
  int left_ = 0;      // how often it is still to be written
  bool finishing_ = false, cancelled_ = false;
};

/// What a film holds when it is opened again.
struct FilmFacts {
  QSize size;
  int frames = 0;
};
/// Reads a film back. Errors: it cannot be read.
Result<FilmFacts> film_facts(ExportFormat format, const QString& path);

}  // namespace kdscope
