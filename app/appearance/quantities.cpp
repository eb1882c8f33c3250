#include "app/appearance/quantities.hpp"

#include <QObject>

#include "algorithms/text/numbers.hpp"

namespace kdscope {

QString milliseconds(double ms) {
  if (ms >= 1000) return QObject::tr("%L1 s").arg(ms / 1000, 0, 'f', 2);
  return QObject::tr("%L1 ms").arg(ms, 0, 'f', ms >= 100 ? 0 : ms >= 10 ? 1 : 3);
}

QString bytes(std::uint64_t count) {
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB"};
  double value = static_cast<double>(count);
  int unit = 0;
  for (; value >= 1024 && unit < 3; ++unit) value /= 1024;
  return QStringLiteral("%L1 %2").arg(value, 0, 'f', unit == 0 ? 0 : 1).arg(QLatin1String(units[unit]));
}

QString thousands(std::uint64_t n) { return QString::fromStdString(grouped(n)); }

}  // namespace kdscope
