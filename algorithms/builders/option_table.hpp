#pragma once
// A table of a builder's parameters. Each row holds a parameter's texts and the member of the builder's options that it
// sets. The table provides the specification that windows and tools show, and converts the texts of a run into options,
// once per run. No other code converts texts of parameters to values. An inconsistent row throws std::logic_error when
// the table is made.
//
//   const OptionTable<WaldOptions>& option_table() {
//     static const auto table =
//         OptionTable<WaldOptions>()
//             .choice({"sort", "Sort", "How each level is sorted."}, &WaldOptions::sort,
//                     {{"radix", "64-bit keys", SortMethod::radix}, {"bitonic", "swaps alone", SortMethod::bitonic}})
//             .integer({"block", "Block", "Positions per block."}, &WaldOptions::block, 32, 1024);
//     return table;
//   }

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/builders/algorithm.hpp"

namespace kdscope {

/// A number that a run may leave to the builder ("auto"). Reading it before it is chosen throws std::logic_error.
template <class Number>
struct Automatic {
  Number value{};
  bool chosen = false;
  constexpr Automatic() = default;
  constexpr Automatic(Number chosen_value) : value(chosen_value), chosen(true) {}
  operator Number() const {
    if (!chosen) throw std::logic_error("an automatic parameter is read before it is chosen");
    return value;
  }
};

/// A parameter's texts: its name in commands and files, and its title and help for display.
struct ParameterText {
  std::string name, title, help;
};

template <class Options>
class OptionTable {
 public:
  /// Chooses the value of an automatic parameter for these points. The parameters above it in the table are already
  /// chosen.
  using Chooser = std::uint64_t (*)(const PointSet& points, const Options& options, Backend backend);

  /// Takes the defaults of the parameters from the members' values.
  explicit OptionTable(Options defaults = {}) : defaults_(std::move(defaults)) {}

  template <class Value>
  struct Named {
    const char* value;
    const char* help;  ///< one sentence
    Value means;
  };
  /// Adds a parameter with named values. `member`, here and below: a pointer to a member of Options, or a function from
  /// Options to a reference.
  template <class Member, class Value = std::decay_t<std::invoke_result_t<Member, Options&>>>
  OptionTable& choice(ParameterText text, Member member, std::vector<Named<std::type_identity_t<Value>>> values) {
    ParameterSpec spec = spec_of(std::move(text));
    for (const Named<Value>& v : values) spec.choices.push_back({v.value, v.help});
    return add({std::move(spec),
                [=](const ParameterSpec&, Options& options, const std::string& given) {
                  for (const Named<Value>& v : values)
                    if (given == v.value) return std::invoke(member, options) = v.means, true;
                  return false;
                },
                [=](const Options& options) {
                  for (const Named<Value>& v : values)
                    if (std::invoke(member, options) == v.means) return std::string(v.value);
                  return std::string();
                }});
  }

  /// Adds an integer from min to max.
  template <class Member>
  OptionTable& integer(ParameterText text, Member member, std::int64_t min, std::int64_t max) {
    return add({spec_of(std::move(text), min, max),
                [=](const ParameterSpec& row, Options& options, const std::string& given) {
                  const auto integer = integer_of(row, given);
                  auto& to = std::invoke(member, options);
                  if (integer) to = static_cast<std::decay_t<decltype(to)>>(*integer);
                  return integer.has_value();
                },
                [=](const Options& options) { return std::to_string(std::invoke(member, options)); }, nullptr});
  }

  /// Adds an integer from min to max, or "auto" for the value that `choose` returns. The member is an Automatic, and
  /// the default is "auto". candidates: values that a search on a device tries.
  template <class Member>
  OptionTable& automatic(ParameterText text, Member member, std::int64_t min, std::int64_t max, Chooser choose,
                         std::vector<std::string> candidates = {}) {
    ParameterSpec spec = spec_of(std::move(text), min, max);
    spec.automatic = true;
    spec.candidates = std::move(candidates);
    const auto put = [=](Options& options, std::int64_t value) {
      auto& to = std::invoke(member, options);
      to = static_cast<decltype(to.value)>(value);
    };
    return add({std::move(spec),
                [=](const ParameterSpec& row, Options& options, const std::string& given) {
                  std::invoke(member, options) = {};
                  if (given == automatic_value) return true;
                  const auto integer = integer_of(row, given);
                  if (integer) put(options, *integer);
                  return integer.has_value();
                },
                [=](const Options& options) {
                  const auto& from = std::invoke(member, options);
                  return from.chosen ? std::to_string(from.value) : std::string(automatic_value);
                },
                choose, put});
  }

  /// Adds an integer percentage from 0 to max. The member holds it as a fraction.
  template <class Member>
  OptionTable& percent(ParameterText text, Member member, std::int64_t max) {
    return add({spec_of(std::move(text), 0, max),
                [=](const ParameterSpec& row, Options& options, const std::string& given) {
                  const auto integer = integer_of(row, given);
                  if (integer) std::invoke(member, options) = static_cast<double>(*integer) / 100.0;
                  return integer.has_value();
                },
                [=](const Options& options) {
                  return std::to_string(static_cast<std::int64_t>(std::invoke(member, options) * 100 + 0.5));
                }});
  }

  std::vector<ParameterSpec> specs() const {
    std::vector<ParameterSpec> specs;
    for (const Row& row : rows_) specs.push_back(row.spec);
    return specs;
  }
  /// Returns the options of given parameters; others keep their defaults. owner: the procedure's id. Errors: a
  /// parameter without a row, a text that its row refuses.
  Result<Options> parse(const std::string& owner, const Parameters& given) const {
    Options options = defaults_;
    for (const auto& [name, text] : given) {
      const Row* row = find(name);
      if (!row) return no_such_parameter(owner, specs(), name);
      if (!row->set(row->spec, options, text)) return refused_value(row->spec, text);
    }
    return options;
  }
  /// The same with the texts of all parameters.
  Result<TypedOptions> typed(const std::string& owner, const Parameters& given) const {
    auto options = parse(owner, given);
    if (!options) return options.error();
    return with_texts(std::move(*options));
  }
  TypedOptions with_texts(Options options) const {
    Parameters texts;
    for (const Row& row : rows_) texts[row.spec.name] = row.get(options);
    return {std::move(texts), std::move(options)};
  }
  /// Returns the text of a parameter's value in the options.
  std::string text(const std::string& name, const Options& options) const { return row_of(name).get(options); }
  /// Returns the value of an automatic parameter for these points.
  std::int64_t chosen(const std::string& name, const PointSet& points, const Options& options, Backend backend) const {
    return static_cast<std::int64_t>(row_of(name).choose(points, options, backend));
  }
  /// Stores a value of an automatic parameter.
  void put(const std::string& name, Options& options, std::int64_t value) const { row_of(name).put(options, value); }

 private:
  struct Row {
    ParameterSpec spec;
    std::function<bool(const ParameterSpec&, Options&, const std::string&)> set;  ///< whether it takes the text
    std::function<std::string(const Options&)> get;  ///< returns an empty text for a value that is not a choice
    Chooser choose = nullptr;                        ///< of an automatic parameter, as `put`
    std::function<void(Options&, std::int64_t)> put = {};
  };

  static ParameterSpec spec_of(ParameterText text, std::int64_t min = 0, std::int64_t max = 0) {
    ParameterSpec spec;
    spec.name = std::move(text.name), spec.title = std::move(text.title), spec.help = std::move(text.help);
    spec.min = min, spec.max = max;
    return spec;
  }
  OptionTable& add(Row row) {
    row.spec.default_value = row.get(defaults_);
    check(row);
    rows_.push_back(std::move(row));
    return *this;
  }
  /// Throws unless all of these hold: the row's name and the names of its choices are unique; the row allows its
  /// default, the ends of its range and all choices and candidates; the member stores them as distinct values.
  void check(const Row& row) const {
    const ParameterSpec& spec = row.spec;
    const auto require = [&](bool holds, const std::string& what) {
      if (!holds) throw std::logic_error("parameter " + spec.name + " " + what);
    };
    require(std::ranges::none_of(rows_, [&](const Row& r) { return r.spec.name == spec.name; }), "has two rows");
    require(!spec.automatic || row.choose, "has nothing that chooses it");
    std::vector<std::string> values{spec.default_value};
    values.insert(values.end(), spec.candidates.begin(), spec.candidates.end());
    for (const Choice& choice : spec.choices) {
      values.push_back(choice.value);
      const auto same = [&](const Choice& other) { return other.value == choice.value; };
      require(std::ranges::count_if(spec.choices, same) == 1, "has the choice '" + choice.value + "' twice");
    }
    if (spec.choices.empty())
      for (const std::int64_t end : {spec.min, spec.max}) values.push_back(std::to_string(end));
    for (const std::string& value : values) {
      Options options = defaults_;
      require(allows(spec, value) && row.set(spec, options, value), "does not allow its value '" + value + "'");
      require(row.get(options) == value, "does not keep its value '" + value + "'");
    }
  }
  const Row* find(const std::string& name) const {
    const auto row = std::ranges::find(rows_, name, [](const Row& each) { return each.spec.name; });
    return row == rows_.end() ? nullptr : &*row;
  }
  const Row& row_of(const std::string& name) const {
    if (const Row* row = find(name)) return *row;
    throw std::logic_error("there is no parameter " + name);
  }

  Options defaults_;
  std::vector<Row> rows_;
};

/// The declarations of a builder with options. It converts to a Builder, whose functions take TypedOptions. The
/// functions here are those of Builder, with the options' own type.
template <class Options>
struct BuilderWithOptions {
  AlgorithmSpec spec;  ///< without parameters; they follow from the table
  const OptionTable<Options>& table;
  Result<void> (*check)(const PointSet& points, const Options& options, Backend backend) = nullptr;
  std::uint64_t (*host_bytes)(const DataSet& data, const Options& options, bool on_cpu) = nullptr;
  std::uint64_t (*device_bytes)(const DataSet& data, const Options& options) = nullptr;
  KeyLoss (*key_loss)(const PointSet& points, const Options& options) = nullptr;

  operator Builder() const {
    Builder builder{.spec = spec};
    builder.spec.parameters = table.specs();
    builder.parse = [table = &table, id = spec.id](const Parameters& given) { return table->typed(id, given); };
    builder.automatic = [table = &table](const std::string& name, const PointSet& points, const TypedOptions& options,
                                         Backend backend) {
      return table->chosen(name, points, options.as<Options>(), backend);
    };
    builder.with = [table = &table](const TypedOptions& options, const std::string& name, std::int64_t value) {
      Options changed = options.as<Options>();
      table->put(name, changed, value);
      return table->with_texts(std::move(changed));
    };
    // Pass the record to `function`
    const auto typed = [](auto function) {
      return [=](const auto& input, const TypedOptions& options, auto... rest) {
        return function(input, options.as<Options>(), rest...);
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
