#pragma once
// A builder's parameters as a table: each row is a parameter's texts and the member of the builder's options that it
// sets. The table gives the specification that windows and tools show, and turns the texts of a run into options. This
// is the one place where texts of parameters become values.
//
//   const OptionTable<WaldOptions>& option_table() {
//     static const auto table =
//         OptionTable<WaldOptions>()
//             .choice({"sort", "Sort", "How each level is sorted."}, &WaldOptions::sort,
//                     {{"radix", "64-bit keys", SortMethod::radix}, {"bitonic", "swaps alone", SortMethod::bitonic}})
//             .integer({"block", "Block", "Positions per block."}, &WaldOptions::block, 32, 1024);
//     return table;
//   }

#include <charconv>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// A number that a run may leave to the builder ("auto"). Its value counts once it is chosen.
template <class Number>
struct Automatic {
  Number value{};
  bool chosen = false;
  constexpr Automatic() = default;
  constexpr Automatic(Number chosen_value) : value(chosen_value), chosen(true) {}
  operator Number() const { return value; }
};

/// What a parameter is called: name in commands and files, title and help for people.
struct ParameterText {
  std::string name, title, help;
};

template <class Options>
class OptionTable {
 public:
  /// The value of an automatic parameter for these points; the parameters above it in the table are chosen.
  using Chooser = std::uint64_t (*)(const PointSet& points, const Options& options, Backend backend);

  /// Defaults of the parameters are the members' values here.
  explicit OptionTable(Options defaults = {}) : defaults_(std::move(defaults)) {}

  template <class Value>
  struct Named {
    const char* value;
    const char* help;  ///< one sentence
    Value means;
  };
  /// `member`, here and below: a pointer to a member of Options, or a function from Options& to a reference.
  template <class Member, class Value = std::decay_t<std::invoke_result_t<Member, Options&>>>
  OptionTable& choice(ParameterText text, Member member, std::vector<Named<std::type_identity_t<Value>>> values) {
    ParameterSpec spec = spec_of(std::move(text));
    for (const Named<Value>& v : values) spec.choices.push_back({v.value, v.help});
    const std::string name = spec.name;
    return add({std::move(spec),
                [=](Options& options, const std::string& given) {
                  for (const Named<Value>& v : values)
                    if (given == v.value) return void(std::invoke(member, options) = v.means);
                  refuse(name, given);
                },
                [=](const Options& options) {
                  Options copy = options;
                  for (const Named<Value>& v : values)
                    if (std::invoke(member, copy) == v.means) return std::string(v.value);
                  throw std::logic_error("parameter " + name + " has no choice for its value");
                },
                nullptr});
  }

  /// An integer from min to max.
  template <class Member>
  OptionTable& integer(ParameterText text, Member member, std::int64_t min, std::int64_t max) {
    ParameterSpec spec = spec_of(std::move(text), min, max);
    const std::string name = spec.name;
    return add({std::move(spec),
                [=](Options& options, const std::string& given) { std::invoke(member, options) = number(name, given); },
                [=](const Options& options) {
                  Options copy = options;
                  return std::to_string(std::invoke(member, copy));
                },
                nullptr});
  }

  /// An integer from min to max, or "auto" for what `choose` finds. The member is an Automatic, left to the builder by
  /// default. candidates: what a search on a device tries.
  template <class Member>
  OptionTable& automatic(ParameterText text, Member member, std::int64_t min, std::int64_t max, Chooser choose,
                         std::vector<std::string> candidates = {}) {
    ParameterSpec spec = spec_of(std::move(text), min, max);
    spec.automatic = true;
    spec.candidates = std::move(candidates);
    const std::string name = spec.name;
    return add({std::move(spec),
                [=](Options& options, const std::string& given) {
                  auto& to = std::invoke(member, options);
                  to.chosen = given != automatic_value;
                  if (to.chosen) to.value = number(name, given);
                },
                [=](const Options& options) {
                  Options copy = options;
                  const auto& from = std::invoke(member, copy);
                  return from.chosen ? std::to_string(from.value) : std::string(automatic_value);
                },
                choose});
  }

  /// An integer of percent from 0 to max; the member holds it as a fraction.
  template <class Member>
  OptionTable& percent(ParameterText text, Member member, std::int64_t max) {
    ParameterSpec spec = spec_of(std::move(text), 0, max);
    const std::string name = spec.name;
    return add({std::move(spec),
                [=](Options& options, const std::string& given) {
                  std::invoke(member, options) = number(name, given) / 100.0;
                },
                [=](const Options& options) {
                  Options copy = options;
                  return std::to_string(static_cast<std::int64_t>(std::invoke(member, copy) * 100 + 0.5));
                },
                nullptr});
  }

  std::vector<ParameterSpec> specs() const {
    std::vector<ParameterSpec> specs;
    for (const Row& row : rows_) specs.push_back(row.spec);
    return specs;
  }
  /// The options of completed parameters, which may still say "auto". Throws bad_usage for a text that the table does
  /// not allow; parameters that are missing keep their defaults.
  Options parse(const Parameters& parameters) const {
    Options options = defaults_;
    for (const Row& row : rows_)
      if (const auto given = parameters.find(row.spec.name); given != parameters.end()) row.set(options, given->second);
    return options;
  }
  /// A parameter as options have it, as a text.
  std::string text(const std::string& name, const Options& options) const { return row_of(name).get(options); }
  /// The text of an automatic parameter, chosen for these points.
  std::string chosen(const std::string& name, const PointSet& points, const Options& options, Backend backend) const {
    return std::to_string(row_of(name).choose(points, options, backend));
  }

 private:
  struct Row {
    ParameterSpec spec;
    std::function<void(Options&, const std::string&)> set;
    std::function<std::string(const Options&)> get;
    Chooser choose;
  };

  static ParameterSpec spec_of(ParameterText text, std::int64_t min = 0, std::int64_t max = 0) {
    ParameterSpec spec;
    spec.name = std::move(text.name), spec.title = std::move(text.title), spec.help = std::move(text.help);
    spec.min = min, spec.max = max;
    return spec;
  }
  [[noreturn]] static void refuse(const std::string& name, const std::string& given) {
    throw ErrorException({ErrorKind::bad_usage, name + " cannot be '" + given + "'", "", ""});
  }
  static std::uint32_t number(const std::string& name, const std::string& given) {
    std::uint32_t number = 0;
    const auto [end, problem] = std::from_chars(given.data(), given.data() + given.size(), number);
    if (problem != std::errc() || end != given.data() + given.size()) refuse(name, given);
    return number;
  }
  OptionTable& add(Row row) {
    row.spec.default_value = row.get(defaults_);
    rows_.push_back(std::move(row));
    return *this;
  }
  const Row& row_of(const std::string& name) const {
    for (const Row& row : rows_)
      if (row.spec.name == name) return row;
    throw std::logic_error("there is no parameter " + name);
  }

  Options defaults_;
  std::vector<Row> rows_;
};

/// What a builder with options declares; a Builder takes it over, as the registry asks with the texts of a run. Each
/// function is as that of Builder.
template <class Options>
struct BuilderWithOptions {
  AlgorithmSpec spec;  ///< its parameters follow from the table
  const OptionTable<Options>& table;
  Result<void> (*check)(const PointSet& points, const Options& options, Backend backend) = nullptr;
  std::uint64_t (*host_bytes)(const DataSet& data, const Options& options, bool on_cpu) = nullptr;
  std::uint64_t (*device_bytes)(const DataSet& data, const Options& options) = nullptr;
  KeyLoss (*key_loss)(const PointSet& points, const Options& options) = nullptr;

  operator Builder() const {
    Builder builder{.spec = spec};
    builder.spec.parameters = table.specs();
    builder.automatic = [table = &table](const std::string& name, const PointSet& points, const Parameters& parameters,
                                         Backend backend) {
      return table->chosen(name, points, table->parse(parameters), backend);
    };
    // Calls `function` with options where it was given texts.
    const auto typed = [table = &table](auto function) {
      return [=](const auto& input, const Parameters& parameters, auto... rest) {
        return function(input, table->parse(parameters), rest...);
      };
    };
    if (check) builder.check = typed(check);
    if (host_bytes) builder.host_bytes = typed(host_bytes);
    if (device_bytes) builder.device_bytes = typed(device_bytes);
    if (key_loss) builder.key_loss = typed(key_loss);
    return builder;
  }
};

}  // namespace kdscope
