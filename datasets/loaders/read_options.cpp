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
  if (const auto found = std::ranges::find(names, wanted); found != names.end()) {
    const auto column = static_cast<std::size_t>(found - names.begin());
    const auto other = static_cast<std::size_t>(std::find(found + 1, names.end(), wanted) - names.begin());
    if (other < names.size())
      refuse(where,
             "columns " + std::to_string(column + 1) + " and " + std::to_string(other + 1) + " are both named " +
                 excerpt(wanted),
             "choose by number, counted from 1");
    return column;
  }
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

/// The letters and digits of a name in lower case, without a unit in brackets.
std::string plain_name(const std::string& name) {
  std::string plain;
  for (const char c : name.substr(0, name.find_first_of("([{")))
    if ((lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9')) plain += lower(c);
  return plain;
}

}  // namespace

std::vector<bool> coordinates_by_name(const std::vector<std::string>& names) {
  // A group counts where all of its names are there: r alone may be a radius.
  static const std::vector<std::vector<std::string>> groups = {
      {"r", "g", "b"},
      {"r", "g", "b", "a"},
      {"red", "green", "blue"},
      {"red", "green", "blue", "alpha"},
      {"rf", "gf", "bf"},
      {"diffusered", "diffusegreen", "diffuseblue"},
      {"nx", "ny", "nz"},
      {"normalx", "normaly", "normalz"},
      {"rgb"},
      {"rgba"},
      {"curvature"},
      {"intensity"},
      {"reflectance"},
      {"scalarfield"},
      {"id"},
      {"pointid"},
      {"index"},
      {"label"},
      {"class"},
      {"classification"},
  };
  std::vector<std::string> plain;
  for (const std::string& name : names) plain.push_back(plain_name(name));
  const auto named = [&](const std::string& name) { return std::ranges::find(plain, name) != plain.end(); };
  std::vector<bool> coordinates(names.size(), true);
  if (!named("x") || !named("y")) return coordinates;
  for (const std::vector<std::string>& group : groups)
    if (std::ranges::all_of(group, named))
      for (std::size_t column = 0; column < plain.size(); ++column)
        if (std::ranges::find(group, plain[column]) != group.end()) coordinates[column] = false;
  return coordinates;
}

bool names_coordinates_alone(const std::vector<std::string>& names) {
  const std::vector<bool> coordinates = coordinates_by_name(names);
  return std::ranges::find(coordinates, false) == coordinates.end();
}

ReadOptions by_axes(ReadOptions options, bool has_z) {
  if (!options.columns.empty()) return options;
  options.columns = {"x", "y"};
  if (has_z) options.columns.emplace_back("z");
  return options;
}

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
