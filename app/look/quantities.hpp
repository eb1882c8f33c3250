#pragma once
// Times and amounts of memory as people read them.

#include <QString>

namespace kdscope {

QString milliseconds(double ms);     ///< "0.123 ms", "12.3 ms", "1.23 s"
QString bytes(std::uint64_t count);  ///< "1.5 MiB"

}  // namespace kdscope
