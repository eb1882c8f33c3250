#pragma once
// The JSON file of a bench: device, program, method, and every single time.

#include <string>
#include <string_view>

#include "app/bench/bench_results.hpp"

namespace kdscope {

/// The file's text. Medians and rates stand in it for other programs; reading computes them again from the times.
std::string json_of(const BenchResults& results);

/// Reads the text of such a file. Errors of kind bad_input that name `path`: it is no such file, or damaged.
Result<BenchResults> bench_from_json(std::string_view text, const std::string& path);

/// Opens and reads a file. Errors: also those of InputFile.
Result<BenchResults> read_bench(const std::string& path);

}  // namespace kdscope
