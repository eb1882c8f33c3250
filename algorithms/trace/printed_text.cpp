#include "algorithms/trace/printed_text.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "algorithms/trace/row_reader.hpp"

namespace kdscope {
namespace {

constexpr Space character{"character"};

}  // namespace

bool is_printed_text(const ArrayInfo& info) {
  return info.name == printed_array && info.index_space == character && info.type == ElementType::uint8 &&
         info.components == 1 && !info.gather;
}

void add_printed_text(Trace& trace, const std::vector<PrintedStep>& prints) {
  if (trace.steps.empty() || trace.find(printed_array)) return;
  const auto last = static_cast<std::uint32_t>(trace.steps.size() - 1);
  std::map<std::uint32_t, std::string> text_of_step;
  for (const PrintedStep& print : prints) text_of_step[std::min(print.step, last)] += print.text;
  std::erase_if(text_of_step, [](const auto& step) { return step.second.empty(); });
  if (text_of_step.empty()) return;
  Trace::Array array;
  array.info.name = array.info.label = printed_array;
  array.info.type = ElementType::uint8;
  array.info.index_space = character;
  array.info.shown_as_row = false;
  for (const auto& [step, text] : text_of_step) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    array.versions.push_back(
        {step, true, text.size(), {}, TypedArray::of(std::span<const std::uint8_t>(bytes, text.size()))});
    if (step < last && !text_of_step.contains(step + 1))
      array.versions.push_back({step + 1, true, 0, {}, TypedArray(ElementType::uint8)});
  }
  trace.arrays.push_back(std::move(array));
  trace.index_arrays();
}

bool has_printed_text(const Trace& trace) {
  const Trace::Array* array = trace.find(printed_array);
  return array && is_printed_text(array->info);
}

std::string printed_text(const Trace& trace, std::uint32_t step) {
  if (!has_printed_text(trace)) return {};
  const TypedArray contents = contents_at(*trace.find(printed_array), step);
  const auto bytes = contents.as<std::uint8_t>();
  return {bytes.begin(), bytes.end()};
}

}  // namespace kdscope
