#pragma once
// Times, counts and amounts of memory as the window shows them.

#include <QString>

namespace kdscope {

QString milliseconds(double ms);     ///< "0.123 ms", "12.3 ms", "1.23 s"
QString bytes(std::uint64_t count);  ///< "1.5 MiB"
QString thousands(std::uint64_t n);  ///< "1,234,567"

}  // namespace kdscope
