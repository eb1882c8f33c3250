#include "datasets/loaders/read_options.hpp"

#include <algorithm>

#include "algorithms/text/quotes.hpp"
#include "algorithms/text/similar_names.hpp"
#include "datasets/loaders/point_collector.hpp"
#include "datasets/loaders/text_scan.hpp"

namespace kdscope {
namespace {

/// The column of a name, or of a number from 1.
std::size_t column_named(const std::string& wanted, const std::vector<std::string>& names, std::size_t count,
                         const std::string& where) {
  if (const auto found = std::ranges::find(names, wanted); found != names.end())
    return static_cast<std::size_t>(found - names.begin());
  std::size_t number = 0;
  if (read_integer(std::string_view(wanted), number) && number >= 1 && number <= count) return number - 1;
  const std::string numbers = "count the columns from 1 to " + std::to_string(count);
  if (names.empty()) refuse(where, "there is no column " + excerpt(wanted) + ", and the file names none", numbers);
  const std::string similar = did_you_mean(wanted, names);
  std::string list;
  for (const std::string& name : names)
    if (list.size() < 200) list += (list.empty() ? "" : ", ") + name;
  refuse(where, "there is no column " + excerpt(wanted), similar.empty() ? "use some of " + list : similar);
}

}  // namespace

ColumnChoice choose_columns(const ReadOptions& options, const std::vector<std::string>& names, std::vector<bool> usual,
                            const std::string& where) {
  ColumnChoice choice;
  choice.wanted = std::move(usual);
  if (options.columns.empty()) {
    for (std::size_t column = 0; column < choice.wanted.size(); ++column)
      if (choice.wanted[column]) {
        choice.dimension.push_back(choice.dim());
        if (!names.empty()) choice.names.push_back(names[column]);
      }
  } else {
    const std::size_t count = choice.wanted.size();
    std::vector<std::uint32_t> dimension(count);
    choice.wanted.assign(count, false);
    for (std::uint32_t d = 0; d < options.columns.size(); ++d) {
      const std::size_t column = column_named(options.columns[d], names, count, where);
      if (choice.wanted[column])
        refuse(where, "column " + excerpt(options.columns[d]) + " is chosen twice", "choose it once");
      choice.wanted[column] = true;
      dimension[column] = d;
      if (!names.empty()) choice.names.push_back(names[column]);
    }
    for (std::size_t column = 0; column < count; ++column)
      if (choice.wanted[column]) choice.dimension.push_back(dimension[column]);
  }
  check_dimension(where, choice.dim());
  return choice;
}

}  // namespace kdscope
