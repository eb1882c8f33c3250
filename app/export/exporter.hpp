#pragma once
// Carries out one export: step by step on the thread of the window, so that it can be watched and cancelled; tables on
// a thread of their own.

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/session/export_request.hpp"
#include "app/session/session.hpp"
#include "app/workbench/background_job.hpp"

namespace kdscope {

class PendingFile;
class Scene;
class StepPainter;
class VideoEncoder;

/// What is exported from.
struct ExportSource {
  std::shared_ptr<const Trace> trace;
  std::vector<std::uint32_t> stops;  ///< steps of the open lesson's stops: films stay there longer
  Selection selection;
  const Scene* look = nullptr;  ///< view whose camera, axes and options are taken; null: fitted to the points
};

class Exporter : public QObject {
  Q_OBJECT

 public:
  explicit Exporter(QObject* parent = nullptr);
  ~Exporter() override;

  /// What stands in the way, before anything is started: an impossible request, a missing encoder.
  static Result<void> check(const ExportRequest& request, const Trace& trace);

  /// Starts; finished() reports the outcome, at once if it cannot begin. Precondition: not running.
  void start(const ExportRequest& request, ExportSource source);
  bool running() const { return running_; }
  /// Files that are not complete are removed.
  void cancel();

 signals:
  void progressed(double fraction, const QString& what);
  void wrote(const QString& path, std::uint32_t step);
  /// Without an error everything is written, opened again and found whole.
  void finished(const std::optional<kdscope::Error>& error);

 private:
  Result<void> begin();
  void schedule_next();
  void next();
  /// Carries out a part of the export; what it throws ends the export.
  void guarded(const std::function<void()>& part);
  Result<void> export_step(std::uint32_t step);
  Result<void> write_picture(std::uint32_t step);
  Result<void> write_svg(std::uint32_t step);
  Result<void> write_pdf_page();
  Result<void> write_pdf();
  void write_tables();
  Result<void> check_film();
  QString path_of(std::uint32_t step) const;
  Result<void> keep(std::uint32_t step, const QByteArray& bytes);
  void end(std::optional<Error> error);
  Error cancelled() const;

  ExportRequest request_;
  ExportSource source_;
  std::optional<Cursor> cursor_;
  std::vector<int> frames_;
  std::unique_ptr<StepPainter> painter_;
  std::unique_ptr<PendingFile> file_;  // that all steps go into
  struct Document;
  std::unique_ptr<Document> document_;
  std::unique_ptr<VideoEncoder> encoder_;
  BackgroundJob job_;
  std::uint32_t at_ = 0;  // step that comes next
  bool running_ = false, stop_ = false;
};

}  // namespace kdscope
