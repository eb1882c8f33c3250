#pragma once
// Runs an export to its end.

#include <QFile>

#include "app/export/exporter.hpp"
#include "tests/app/open_workbench.hpp"

namespace kdscope {

/// Returns a request for the steps from `first` to `last`.
inline ExportRequest request_for(ExportWhat what, ExportFormat format, const QString& path, std::uint32_t first,
                                 std::uint32_t last) {
  ExportRequest request;
  request.what = what;
  request.format = format;
  request.path = path.toStdString();
  request.first = first;
  request.last = last;
  return request;
}

/// Returns the bytes of a file; none if it cannot be read.
inline QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Returns how an export ended. cancel_after_steps: cancels it after this many steps; -1: never.
inline std::optional<Error> exported(const ExportRequest& request, const ExportSource& source,
                                     int cancel_after_steps = -1) {
  Exporter exporter;
  std::optional<Error> outcome;
  int steps = 0;
  QObject::connect(&exporter, &Exporter::finished, [&](const std::optional<Error>& error) { outcome = error; });
  QObject::connect(&exporter, &Exporter::progressed, [&] {
    if (steps++ == cancel_after_steps) exporter.cancel();
  });
  exporter.start(request, source);
  REQUIRE(QTest::qWaitFor([&] { return !exporter.running(); }, 2 * patience_ms));
  return outcome;
}

}  // namespace kdscope
