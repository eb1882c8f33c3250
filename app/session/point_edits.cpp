#include "app/session/point_edits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "algorithms/core/ids.hpp"

namespace kdscope {
namespace {

constexpr std::string_view own_prefix = "own points (";

std::vector<std::uint32_t> words_at(const PointSet& points, const std::vector<std::uint32_t>& indices) {
  const std::uint32_t stride = points.stride();
  std::vector<std::uint32_t> words;
  words.reserve(indices.size() * stride);
  for (const std::uint32_t i : indices)
    words.insert(words.end(), points.words.begin() + std::ptrdiff_t(i) * stride,
                 points.words.begin() + std::ptrdiff_t(i + 1) * stride);
  return words;
}

/// Records of `width` elements with those at the ascending places put in, or taken out.
template <class T>
std::vector<T> with_records(const std::vector<T>& from, const std::vector<std::uint32_t>& places,
                            const std::vector<T>& records, std::size_t width) {
  std::vector<T> to;
  to.reserve(from.size() + records.size());
  auto rest = from.begin();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto until = std::min(rest + std::ptrdiff_t(places[i] * width - to.size()), from.end());
    to.insert(to.end(), rest, until);
    rest = until;
    to.insert(to.end(), records.begin() + std::ptrdiff_t(i * width), records.begin() + std::ptrdiff_t((i + 1) * width));
  }
  to.insert(to.end(), rest, from.end());
  return to;
}

template <class T>
std::vector<T> without_records(const std::vector<T>& from, const std::vector<std::uint32_t>& places,
                               std::size_t width) {
  std::vector<T> to;
  to.reserve(from.size() - places.size() * width);
  std::size_t rest = 0;
  for (const std::uint32_t place : places) {
    to.insert(to.end(), from.begin() + std::ptrdiff_t(rest), from.begin() + std::ptrdiff_t(place * width));
    rest = (std::size_t(place) + 1) * width;
  }
  to.insert(to.end(), from.begin() + std::ptrdiff_t(rest), from.end());
  return to;
}

}  // namespace

PointChange move_of(const PointSet& points, std::vector<std::uint32_t> indices, std::vector<std::uint32_t> after) {
  PointChange change{PointChange::Kind::move, std::move(indices), {}, std::move(after), {}};
  change.before = words_at(points, change.indices);
  return change;
}

PointChange insertion_in(const PointSet& points, std::vector<std::uint32_t> words) {
  PointChange change{PointChange::Kind::insert, {}, {}, std::move(words), {}};
  change.indices.resize(change.after.size() / points.stride());
  std::iota(change.indices.begin(), change.indices.end(), static_cast<std::uint32_t>(points.size()));
  return change;
}

PointChange erasure_in(const PointSet& points, std::vector<std::uint32_t> indices) {
  PointChange change{PointChange::Kind::erase, std::move(indices), {}, {}, {}};
  change.before = words_at(points, change.indices);
  return change;
}

PointChange inverse(PointChange change) {
  std::swap(change.before, change.after);
  if (change.kind != PointChange::Kind::move)
    change.kind = change.kind == PointChange::Kind::insert ? PointChange::Kind::erase : PointChange::Kind::insert;
  return change;
}

PointSet changed(const PointSet& points, const PointChange& change) {
  const std::uint32_t stride = points.stride();
  PointSet result{points.type, points.dim, points.payload_words, {}};
  switch (change.kind) {
    case PointChange::Kind::insert:
      result.words = with_records(points.words, change.indices, change.after, stride);
      break;
    case PointChange::Kind::erase:
      result.words = without_records(points.words, change.indices, stride);
      break;
    case PointChange::Kind::move:
      result.words = points.words;
      for (std::size_t i = 0; i < change.indices.size(); ++i)
        std::copy_n(change.after.begin() + std::ptrdiff_t(i) * stride, stride,
                    result.words.begin() + std::ptrdiff_t(change.indices[i]) * stride);
      break;
  }
  return result;
}

PointIds changed(const PointIds& ids, const PointChange& change) {
  if (change.kind == PointChange::Kind::move) return ids;
  PointIds result = ids;
  if (result.listed.empty()) {
    result.listed.resize(ids.count);
    std::iota(result.listed.begin(), result.listed.end(), ids.first);
  }
  result.listed = change.kind == PointChange::Kind::insert ? with_records(result.listed, change.indices, change.ids, 1)
                                                           : without_records(result.listed, change.indices, 1);
  result.count = result.listed.size();
  return result;
}

std::vector<std::uint32_t> earlier_indices(const PointIds& then, const PointIds& now) {
  if (then.listed.empty() && now.listed.empty() && then.first == now.first && then.count == now.count) return {};
  if (!then.listed.empty() && then.listed == now.listed) return {};
  std::unordered_map<std::uint64_t, std::uint32_t> index_of;
  for (std::size_t i = 0; i < then.listed.size(); ++i) index_of[then.listed[i]] = static_cast<std::uint32_t>(i);
  std::vector<std::uint32_t> indices(now.count, no_id);
  for (std::size_t i = 0; i < now.count; ++i) {
    const std::uint64_t id = now.at(i);
    if (then.listed.empty()) {
      if (id >= then.first && id - then.first < then.count) indices[i] = static_cast<std::uint32_t>(id - then.first);
    } else if (const auto found = index_of.find(id); found != index_of.end()) {
      indices[i] = found->second;
    }
  }
  return indices;
}

PointDifferences differences(const PointSet& then, const PointSet& now, const std::vector<std::uint32_t>& earlier) {
  PointDifferences result;
  const bool comparable = then.dim == now.dim && then.type == now.type;
  std::vector<bool> kept(then.size(), false);
  for (std::uint32_t i = 0; i < now.size(); ++i) {
    const std::uint32_t was = earlier.empty() ? i : earlier[i];
    if (!comparable || was >= then.size()) {
      result.added.push_back(i);
      continue;
    }
    kept[was] = true;
    const auto from = now.words.begin() + std::ptrdiff_t(i) * now.stride();
    if (!std::equal(from, from + now.dim, then.words.begin() + std::ptrdiff_t(was) * then.stride()))
      result.moved.push_back({was, i});
  }
  for (std::uint32_t i = 0; i < then.size(); ++i)
    if (!kept[i]) result.erased.push_back(i);
  return result;
}

bool equal_points(const DataSet& a, const DataSet& b) {
  return a.points.type == b.points.type && a.points.dim == b.points.dim && a.points.words == b.points.words;
}

std::string own_points_name(const std::string& origin) { return std::string(own_prefix) + origin + ")"; }

std::string edited_name(const std::string& name) {
  std::string origin = "from " + name;
  std::uint64_t edits = 0;
  if (name.starts_with(own_prefix) && name.ends_with(')')) {
    origin = name.substr(own_prefix.size(), name.size() - own_prefix.size() - 1);
    if (const std::size_t comma = origin.rfind(", "); comma != std::string::npos) {
      const char *begin = origin.data() + comma + 2, *end = origin.data() + origin.size();
      const auto [rest, problem] = std::from_chars(begin, end, edits);
      const std::string_view word(rest, static_cast<std::size_t>(end - rest));
      if (problem == std::errc() && (word == " edit" || word == " edits"))
        origin.resize(comma);
      else
        edits = 0;
    }
  }
  ++edits;
  return own_points_name(origin + ", " + std::to_string(edits) + (edits == 1 ? " edit" : " edits"));
}

std::uint32_t nearest_word(double value, ScalarType type) {
  if (type == ScalarType::int32) {
    constexpr double least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    return word_of(static_cast<std::int32_t>(std::clamp(std::round(value), least, most)));
  }
  constexpr double most = std::numeric_limits<float>::max();
  return word_of(static_cast<float>(std::clamp(value, -most, most)));
}

std::string coordinate_text(std::uint32_t word, ScalarType type) {
  if (type == ScalarType::float32 && word == word_of(-0.f)) return "-0.0";  // "-0" would be read as the integer 0
  char text[40];
  const auto result = type == ScalarType::int32
                          ? std::to_chars(text, text + sizeof text, static_cast<std::int32_t>(word))
                          : std::to_chars(text, text + sizeof text, std::bit_cast<float>(word));
  return {text, result.ptr};
}

std::string text_of_points(const PointSet& points, const std::vector<std::uint32_t>& indices) {
  std::string text;
  for (const std::uint32_t i : indices)
    for (std::uint32_t d = 0; d < points.dim; ++d)
      text += coordinate_text(points.word(i, d), points.type) + (d + 1 < points.dim ? '\t' : '\n');
  return text;
}

}  // namespace kdscope
