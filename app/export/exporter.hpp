#pragma once
// Carries out one export. Pictures and films run step by step on the thread of the window, so that they can be watched
// and cancelled; tables, pages and the check of a film run on their own thread.

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/command_line/export_request.hpp"
#include "app/session/session.hpp"
#include "app/workbench/background_job.hpp"
#include "visualizer/model/concealment.hpp"
#include "walkthroughs/reader/lesson.hpp"

namespace kdscope {

class HandoutPainter;
class PendingFile;
class Scene;
class StepPainter;
class VideoEncoder;
struct FilmFacts;

/// The run that is exported, and how it is shown.
struct ExportSource {
  std::shared_ptr<const Trace> trace;
  std::vector<std::uint32_t> stops;  ///< steps of the open lesson's stops, where films stay longer
  Selection selection;
  const Scene* look = nullptr;        ///< the view whose camera, axes and options are used; null: fitted to the points
  std::optional<Lesson> lesson = {};  ///< the open lesson, for its page or handout
  /// What open questions hide at a step, in pictures and tables as in the window; null: nothing.
  std::function<Concealment(std::uint32_t)> concealed = {};
};

class Exporter : public QObject {
  Q_OBJECT

 public:
  explicit Exporter(QObject* parent = nullptr);
  ~Exporter() override;

  /// Checks a request before anything is started. Errors: an impossible request, a missing encoder.
  static Result<void> check(const ExportRequest& request, const Trace& trace);

  /// Starts; finished() reports the outcome, at once if it cannot begin. Precondition: not running.
  void start(const ExportRequest& request, ExportSource source);
  bool running() const { return running_; }
  /// Cancels the export. Incomplete files are removed.
  void cancel();

 signals:
  void progressed(double fraction, const QString& what);
  void wrote(const QString& path, std::uint32_t step);
  /// Without an error, every file was written, read back and found complete.
  void finished(const std::optional<kdscope::Error>& error);

 private:
  Result<void> begin();
  void schedule_next();
  void next();
  /// Carries out a part of the export. An exception ends the export.
  void guarded(const std::function<void()>& part);
  Result<void> export_step(std::uint32_t step);
  Result<void> write_picture(std::uint32_t step);
  Result<void> write_svg(std::uint32_t step);
  Result<void> begin_handout();
  void write_page();
  Result<void> write_pdf_page();
  Result<void> write_pdf();
  void write_tables();
  void check_film();
  Result<void> keep_film(const FilmFacts& facts);
  QString path_of(std::uint32_t step) const;
  Result<void> keep(std::uint32_t step, const QByteArray& bytes);
  void end(std::optional<Error> error);
  Error cancelled() const;

  ExportRequest request_;
  ExportSource source_;
  std::optional<Cursor> cursor_;
  std::vector<int> frames_;
  std::unique_ptr<StepPainter> painter_;
  std::unique_ptr<PendingFile> file_;  // the file of all steps, if there is only one
  struct Document;
  std::unique_ptr<Document> document_;
  std::unique_ptr<HandoutPainter> handout_;
  std::unique_ptr<VideoEncoder> encoder_;
  BackgroundJob job_;
  std::uint32_t at_ = 0;  // the next step
  bool running_ = false, stop_ = false;
};

}  // namespace kdscope
