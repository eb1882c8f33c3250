#include "app/variant_trials/tree_difference.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "algorithms/registry/registry.hpp"

namespace kdscope {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line);
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  if (line.ends_with(',')) fields.emplace_back();
  return fields;
}

bool is_heading(const std::string& line) { return !line.empty() && std::isalpha(static_cast<unsigned char>(line[0])); }

std::string table_of(const Tree& tree) {
  std::ostringstream out;
  tree.kind().write(tree, TreeFormat::csv, out);
  return out.str();
}

}  // namespace

std::string tree_difference(const std::shared_ptr<const Trace>& original, const std::shared_ptr<const Trace>& variant) {
  const auto a = recorded_tree(original), b = recorded_tree(variant);
  if (!a || a->tree.empty()) return "";
  if (!b) return "its last step holds no tree: " + b.error().message();
  if (b->tree.empty()) return "";
  std::istringstream lines_a(table_of(a->tree)), lines_b(table_of(b->tree));
  std::vector<std::string> heading;
  std::size_t row = 0;
  for (std::string line_a, line_b;;) {
    const bool more_a(std::getline(lines_a, line_a)), more_b(std::getline(lines_b, line_b));
    if (!more_a && !more_b) return "";
    // Rows without a number of their own are nodes in their order
    const bool numbered = !heading.empty() && heading.front().find('_') == std::string::npos;
    const std::string place = (numbered ? heading.front() : "node") + " " + std::to_string(row);
    if (!more_a || !more_b || is_heading(line_a) != is_heading(line_b) || line_a.empty() != line_b.empty())
      return place + (more_a && !is_heading(line_a) && !line_a.empty() ? " is missing" : " is one too many");
    if (is_heading(line_a)) {
      heading = fields_of(line_a), row = 0;
      continue;
    }
    if (line_a != line_b) {
      const std::vector<std::string> in_a = fields_of(line_a), in_b = fields_of(line_b);
      for (std::size_t i = 0; i < std::min({heading.size(), in_a.size(), in_b.size()}); ++i)
        if (in_a[i] != in_b[i])
          return place + ": " + heading[i] + " is " + (in_b[i].empty() ? "missing" : in_b[i]) + " instead of " +
                 (in_a[i].empty() ? "missing" : in_a[i]);
    }
    ++row;
  }
}

}  // namespace kdscope
