#pragma once
// A program that records accesses, for tests that look inside it.

#include <chrono>
#include <string>
#include <utility>

#include "algorithms/queries/recorded_search.hpp"
#include "algorithms/registry/registry.hpp"
#include "algorithms/registry/searches.hpp"
#include "algorithms/variants/inside/look_inside.hpp"
#include "algorithms/variants/measurement.hpp"
#include "tests/support/catch.hpp"

namespace kdscope::test {

/// Compiles a builder or a file, or a search over the trees of a builder, and looks inside.
class InsideProgram {
 public:
  /// source: a builder's id, or a path. search: an id, with a builder.
  explicit InsideProgram(const std::string& source, const std::string& search = {}) {
    const auto kit = variants::find_kit().value();
    kit_ = kit;
    variants::CompilerErrors errors;
    const bool builder = find_algorithm(source) != nullptr;
    if (builder) algorithm_ = source;
    const auto program = builder ? search.empty() ? variants::compile_original(source, kit_, Backend::cpu, errors, {},
                                                                               variants::Purpose::inside)
                                                  : variants::compile_search(search, source, kit_, errors)
                                 : compiled_file(source, errors);
    INFO(source << " " << search << ": " << errors.output.substr(0, 3000)
                << (program ? "" : program.error().message()));
    REQUIRE(program);
    program_ = program->program;
  }

  access_log::Look look(const std::string& data, const access_log::Wanted& wanted = {},
                        const Parameters& parameters = {}) const {
    return look({{data, algorithm_, parameters, Backend::cpu}}, wanted);
  }
  access_log::Look look(const variants::ProcessRequest& request, const access_log::Wanted& wanted,
                        const variants::ProgramLimits& limits = long_limits()) const {
    auto look = access_log::look_inside(program_, source_, kit_, request, wanted, limits);
    INFO(request.run.data << (look ? "" : ": " + look.error().message()));
    REQUIRE(look);
    return std::move(*look);
  }
  /// The same in other orders, too: descending and shuffled. Errors: those of a request that is refused.
  Result<access_log::Look> look_in_orders(const variants::ProcessRequest& request,
                                          const access_log::Wanted& wanted = {}) const {
    auto found = access_log::look_inside(program_, source_, kit_, request, wanted, long_limits());
    if (!found) return found;
    const auto compared = access_log::compare_orders(
        *found, {{LaneOrder::Kind::descending, 0}, {LaneOrder::Kind::shuffled, default_order_seed}}, program_, source_,
        kit_, request, wanted, long_limits());
    if (!compared) return compared.error();
    return found;
  }
  const std::string& algorithm() const { return algorithm_; }

 private:
  Result<variants::CompiledVariant> compiled_file(const std::string& path, variants::CompilerErrors& errors) {
    const auto variant = variants::read_variant(path);
    if (!variant) return variant.error();
    source_ = variant->path, algorithm_ = variant->algorithm;
    return variants::compile(*variant, kit_, errors, {}, Backend::cpu, variants::Purpose::inside);
  }
  static variants::ProgramLimits long_limits() {
    variants::ProgramLimits limits;
    limits.time = std::chrono::minutes(5);
    return limits;
  }

  variants::Kit kit_;
  std::filesystem::path program_;
  std::string source_, algorithm_;
};

}  // namespace kdscope::test
