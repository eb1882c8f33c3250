#pragma once
// Films through the ffmpeg program: raw frames go into its pipe, and the finished film is read back.

#include <QImage>
#include <QProcess>
#include <QSize>
#include <stop_token>

#include "app/command_line/export_request.hpp"

namespace kdscope {

class VideoEncoder : public QObject {
  Q_OBJECT

 public:
  explicit VideoEncoder(QObject* parent = nullptr);
  ~VideoEncoder() override;

  /// Checks that ffmpeg is installed and can encode this format. The error names what to install.
  static Result<void> available(ExportFormat format);
  /// Rounds the sides of MP4 and WebM films down to even numbers, since these formats halve the resolution of colours.
  static QSize fitting_size(ExportFormat format, QSize size);

  /// Starts writing a film. Precondition: available(), a fitting size.
  void start(ExportFormat format, const QString& path, QSize size, double frames_per_second);
  /// Returns whether the encoder keeps up. If not, add no frame and wait for ready_for_more().
  bool ready() const;
  /// Shows a picture for a number of frames.
  void add(const QImage& picture, int frames);
  /// Declares that no frame follows. ended() is emitted once the file is complete.
  void finish();
  /// Stops at once, without ended(). Does not wait for the program's end.
  void cancel();
  /// Cancels, and deletes this once the program has ended. May be called inside a signal of this.
  void delete_once_ended();

 signals:
  void ready_for_more();
  /// Empty if the film is complete, or the problem that ffmpeg reports.
  void ended(const QString& problem);

 private:
  void write_more();

  QProcess process_;
  QByteArray frame_;  // the picture that is being written
  int left_ = 0;      // how many more times to write it
  bool finishing_ = false, cancelled_ = false;
};

/// The size and the number of frames of a film that was read back.
struct FilmFacts {
  QSize size;
  int frames = 0;
};
/// Reads a film back, which takes as long as playing all its frames. On any thread. Errors: it cannot be read;
/// cancelled.
Result<FilmFacts> film_facts(ExportFormat format, const QString& path, std::stop_token stop = {});

}  // namespace kdscope
