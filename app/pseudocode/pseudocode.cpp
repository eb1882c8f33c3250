#include "app/pseudocode/pseudocode.hpp"

#include <algorithm>

namespace kdscope {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

Error wrong(int row, const std::string& what) {
  return {ErrorKind::bad_input, what, "line " + std::to_string(row), "see app/pseudocode/pseudocode.hpp"};
}

Result<void> parse_pieces(std::string_view text, int row, PseudocodeLine& line) {
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    PseudocodeLine::Piece piece{std::string(text.substr(0, open)), "", ""};
    text.remove_prefix(open == text.npos ? text.size() : open + 1);
    if (open != text.npos) {
      const std::size_t close = text.find('}'), equals = text.find('=');
      if (close == text.npos || equals == text.npos || equals > close)
        return wrong(row, "a value reads {what it is called = its name}");
      piece.label = trimmed(text.substr(0, equals));
      piece.source = trimmed(text.substr(equals + 1, close - equals - 1));
      if (piece.label.empty() || piece.source.empty()) return wrong(row, "a value has a label and a name");
      text.remove_prefix(close + 1);
    }
    line.pieces.push_back(std::move(piece));
  }
  return {};
}

PseudocodeLine::Binding parse_binding(std::string_view text) {
  const std::size_t colon = text.find(": ");
  return {std::string(text.substr(0, colon)),
          colon == text.npos ? std::string() : std::string(trimmed(text.substr(colon + 2)))};
}

/// Returns the bindings in the text of a region.
std::vector<PseudocodeLine::Binding> bindings_in(std::string_view text) {
  constexpr std::string_view mark = "// @ ";
  std::vector<PseudocodeLine::Binding> found;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    if (line.starts_with(mark)) found.push_back(parse_binding(trimmed(line.substr(mark.size()))));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return found;
}

}  // namespace

Result<Pseudocode> parse_pseudocode(std::string_view text) {
  Pseudocode code;
  std::vector<int> enclosing;  // by indentation
  const auto next_row = [&text] {
    const std::size_t end = text.find('\n');
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    return row;
  };
  for (int row = 1, rows = 1; !text.empty(); row += rows) {
    std::string whole(next_row());
    for (rows = 1; whole.ends_with(" \\"); ++rows) {
      whole.pop_back();
      whole += trimmed(next_row());
    }
    const std::string_view line = whole;
    if (trimmed(line).empty() || line.front() == '#') continue;

    PseudocodeLine parsed;
    const std::size_t spaces = line.find_first_not_of(' ');
    parsed.indent = static_cast<int>(spaces / 2);
    if (spaces % 2 != 0 || parsed.indent > static_cast<int>(enclosing.size()))
      return wrong(row, "a line is indented by two spaces more than the one that it belongs to");
    // What follows each " @ " is a binding.
    std::string_view rest = line.substr(spaces);
    const auto cut = [&rest] {
      const std::size_t at = rest.find(" @ ");
      const std::string_view part = trimmed(rest.substr(0, at));
      rest.remove_prefix(at == rest.npos ? rest.size() : at + 3);
      return part;
    };
    if (const auto read = parse_pieces(cut(), row, parsed); !read) return read.error();
    while (!rest.empty()) {
      parsed.bindings.push_back(parse_binding(cut()));
      if (parsed.bindings.back().region.empty()) return wrong(row, "no region follows the @");
    }
    enclosing.resize(static_cast<std::size_t>(parsed.indent));
    parsed.parent = enclosing.empty() ? -1 : enclosing.back();
    enclosing.push_back(static_cast<int>(code.lines.size()));
    parsed.number = static_cast<int>(code.lines.size()) + 1;
    code.lines.push_back(std::move(parsed));
  }
  return code;
}

const Pseudocode* find_pseudocode(std::string_view algorithm) {
  static const std::map<std::string, Pseudocode, std::less<>> all = [] {
    std::map<std::string, Pseudocode, std::less<>> read;
    for (const PseudocodeFile& file : pseudocode_files())
      if (auto code = parse_pseudocode(file.text)) read.emplace(file.algorithm, std::move(*code));
    return read;
  }();
  const auto found = all.find(algorithm);
  return found == all.end() ? nullptr : &found->second;
}

CodeOfSteps::CodeOfSteps(const Trace& trace, const Pseudocode* pseudocode) : trace_(trace), pseudocode_(pseudocode) {
  if (!pseudocode) return;
  const auto& all = pseudocode->lines;
  steps_of_line_.resize(all.size());
  for (const RecordedSource& source : trace.header.sources)
    if (auto bindings = bindings_in(source.text); !bindings.empty())
      stands_for_.insert_or_assign(source.region, std::move(bindings));
  for (const Step& step : trace.steps)
    for (const int line : lines(step.ordinal)) steps_of_line_[static_cast<std::size_t>(line)].push_back(step.ordinal);
  // From the last line up, so that what a line holds is known before the line itself.
  for (std::size_t i = all.size(); i-- > 0;)
    for (std::size_t inner = i + 1;
         inner < all.size() && all[inner].indent > all[i].indent && steps_of_line_[i].empty(); ++inner)
      steps_of_line_[i] = steps_of_line_[inner];
}

bool CodeOfSteps::names(const PseudocodeLine& line, const Step& step, bool by_step) const {
  const auto is_named = [&](std::string_view region, std::string_view name) {
    return std::ranges::any_of(line.bindings, [&](const PseudocodeLine::Binding& b) {
      return b.region == region && (by_step ? b.step == name : b.step.empty());
    });
  };
  const auto own = stands_for_.find(step.code_anchor);
  if (own == stands_for_.end()) return is_named(step.code_anchor, step.name);
  return std::ranges::any_of(own->second, [&](const PseudocodeLine::Binding& b) {
    return is_named(b.region, b.step.empty() ? step.name : b.step);
  });
}

std::vector<int> CodeOfSteps::lines(std::uint32_t step) const {
  std::vector<int> found;
  if (!pseudocode_ || step >= trace_.steps.size()) return found;
  for (const bool by_step : {true, false}) {
    for (std::size_t i = 0; i < pseudocode_->lines.size(); ++i)
      if (names(pseudocode_->lines[i], trace_.steps[step], by_step)) found.push_back(static_cast<int>(i));
    if (!found.empty()) break;
  }
  return found;
}

std::vector<std::uint32_t> CodeOfSteps::steps_of_region(std::string_view region) const {
  std::vector<std::uint32_t> steps;
  for (const Step& step : trace_.steps)
    if (step.code_anchor == region) steps.push_back(step.ordinal);
  if (!steps.empty() || !pseudocode_) return steps;
  for (std::size_t i = 0; i < steps_of_line_.size() && steps.empty(); ++i)
    for (const PseudocodeLine::Binding& binding : pseudocode_->lines[i].bindings)
      if (binding.region == region) steps = steps_of_line_[i];
  return steps;
}

bool CodeOfSteps::encloses(int line, const std::vector<int>& lines) const {
  return std::any_of(lines.begin(), lines.end(), [&](int at) {
    while (at > line) at = pseudocode_->lines[static_cast<std::size_t>(at)].parent;
    return at == line;
  });
}

std::optional<Execution> execution_after(const std::vector<std::uint32_t>& steps, std::uint32_t now, bool backwards) {
  if (steps.empty() || (steps.size() == 1 && steps.front() == now)) return std::nullopt;
  if (backwards) {
    const auto here = std::lower_bound(steps.begin(), steps.end(), now);
    return here == steps.begin() ? Execution{steps.back(), true} : Execution{*(here - 1), false};
  }
  const auto next = std::upper_bound(steps.begin(), steps.end(), now);
  return next == steps.end() ? Execution{steps.front(), true} : Execution{*next, false};
}

}  // namespace kdscope
