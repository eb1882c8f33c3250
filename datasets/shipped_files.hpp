#pragma once
// The files of datasets/files, compiled into the program so that it needs no installed data.

#include <string_view>

namespace kdscope {

/// The bytes of "wald-10.csv", "wald-6.csv", "sixteen.csv", "hu-10.csv", "ties-12.csv", "zhou-4.obj", "zhou-8.obj",
/// "tents-16.obj" or "bunny.ply"; empty for any other name.
std::string_view shipped_file(std::string_view name);

}  // namespace kdscope
