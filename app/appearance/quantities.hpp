#pragma once
// Times, counts and amounts of memory as the window shows them.

#include <QString>

namespace kdscope {

QString milliseconds(double ms);     ///< "0.123 ms", "12.3 ms", "1.23 s"
QString bytes(std::uint64_t count);  ///< "1.5 MiB"
/// "1.5 MB" in powers of 1000, with three digits: beside GB/s.
QString decimal_bytes(double count);
QString thousands(std::uint64_t n);  ///< "1,234,567"

}  // namespace kdscope
