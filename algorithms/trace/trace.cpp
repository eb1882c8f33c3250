#include "algorithms/trace/trace.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

#include "algorithms/core/hash.hpp"
#include "algorithms/text/numbers.hpp"
#include "algorithms/trace/phase_path.hpp"

namespace kdscope {
namespace {

template <class Enum, std::size_t count>
std::optional<Enum> enum_named(std::string_view name, const std::array<const char*, count>& names) {
  for (std::size_t i = 0; i < count; ++i)
    if (name == names[i]) return static_cast<Enum>(i);
  return std::nullopt;
}

constexpr std::array element_names{"uint8", "uint32", "int32", "float32", "uint64", "float64"};
constexpr std::array<std::size_t, 6> element_sizes{1, 4, 4, 4, 8, 8};
constexpr std::array role_names{"pivot", "segment", "settled", "read", "write", "compare"};
constexpr std::array side_names{"none", "left", "right"};
// Trace files have called library steps "collective" since their first format.
constexpr std::array kind_names{"launch", "collective", "host"};

template <class T>
T element(std::span<const std::byte> bytes, std::size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

/// Calls f with the array's element i in its own type.
template <class F>
auto visit_element(const TypedArray& a, std::size_t i, F&& f) {
  switch (a.type()) {
    case ElementType::uint8:
      return f(static_cast<unsigned>(element<std::uint8_t>(a.bytes(), i)));
    case ElementType::uint32:
      return f(element<std::uint32_t>(a.bytes(), i));
    case ElementType::int32:
      return f(element<std::int32_t>(a.bytes(), i));
    case ElementType::float32:
      return f(element<float>(a.bytes(), i));
    case ElementType::uint64:
      return f(element<std::uint64_t>(a.bytes(), i));
    case ElementType::float64:
      break;
  }
  return f(element<double>(a.bytes(), i));
}

/// Adds [begin, end) to ascending ranges. Joins it to the last range across a gap of at most `bridge`.
void extend(std::vector<IndexRange>& ranges, std::size_t begin, std::size_t end, std::size_t bridge = 0) {
  if (!ranges.empty() && begin <= ranges.back().end + bridge)
    ranges.back().end = end;
  else
    ranges.push_back({begin, end});
}

/// Calls f with a value of the unsigned type that is as wide as an array's elements.
template <class F>
auto visit_width(ElementType type, F&& f) {
  switch (size_of(type)) {
    case 1:
      return f(std::uint8_t{});
    case 4:
      return f(std::uint32_t{});
    default:
      return f(std::uint64_t{});
  }
}

/// Returns the ranges of `after` that differ from `before`, an array of the same type. Joins ranges across gaps of at
/// most `bridge` to keep the list short.
std::vector<IndexRange> difference(const TypedArray& before, const TypedArray& after, std::size_t bridge) {
  constexpr std::size_t block = 512;  // equal blocks are skipped at memory speed
  const std::size_t shared = std::min(before.size(), after.size());
  std::vector<IndexRange> ranges;
  visit_width(after.type(), [&](auto word) {
    using Word = decltype(word);
    const std::span<const std::byte> a = before.bytes(), b = after.bytes();
    for (std::size_t i = 0; i < shared;) {
      const std::size_t end = std::min(shared, i + block);
      if (std::memcmp(a.data() + i * sizeof(Word), b.data() + i * sizeof(Word), (end - i) * sizeof(Word)) == 0) {
        i = end;
        continue;
      }
      for (; i < end; ++i)
        if (element<Word>(a, i) != element<Word>(b, i)) extend(ranges, i, i + 1, bridge);
    }
  });
  if (after.size() > shared) extend(ranges, shared, after.size(), bridge);
  return ranges;
}

/// The two arrays of a derived row, and the elements of the source that it gathers.
struct Gathered {
  const TypedArray *source, *through;
  std::uint64_t stride, component;
};

/// Returns the ranges in which two derived rows of one type differ. Compares the gathered elements without storing
/// either row.
std::vector<IndexRange> difference(const Gathered& before, const Gathered& after) {
  std::vector<IndexRange> ranges;
  const std::uint64_t had = before.through->size(), n = after.through->size();
  const bool same_source =
      before.stride == after.stride && before.component == after.component && *before.source == *after.source;
  const auto old_at = before.through->as<std::uint32_t>(), new_at = after.through->as<std::uint32_t>();
  visit_width(after.source->type(), [&](auto word) {
    using Word = decltype(word);
    const std::span<const std::byte> a = before.source->bytes(), b = after.source->bytes();
    const std::uint64_t a_size = before.source->size(), b_size = after.source->size();
    for (std::uint64_t i = 0; i < n; ++i) {
      if (i < had) {
        if (same_source && old_at[i] == new_at[i]) continue;
        const std::uint64_t x = old_at[i] * before.stride + before.component,
                            y = new_at[i] * after.stride + after.component;
        if (x < a_size && y < b_size ? element<Word>(a, x) == element<Word>(b, y) : x >= a_size && y >= b_size)
          continue;
      }
      extend(ranges, i, i + 1);
    }
  });
  return ranges;
}

void apply_version(const ArrayVersion& version, TypedArray& contents) {
  if (version.keyframe) {
    contents = version.values;
    return;
  }
  contents.resize(version.size);
  const std::size_t width = size_of(contents.type());
  std::size_t from = 0;
  for (const IndexRange& r : version.ranges) {
    const std::size_t length = (r.end - r.begin) * width;
    std::memcpy(contents.bytes().data() + r.begin * width, version.values.bytes().data() + from, length);
    from += length;
  }
}

std::uint64_t bytes_of(const Highlight& h) {
  return h.ranges.size() * sizeof(IndexRange) + h.nodes.size() * sizeof(std::uint32_t);
}

/// Who reports contents that cannot be had.
std::function<void(const Error&)>& lost_contents() {
  static std::function<void(const Error&)> report;
  return report;
}

bool equal(const Step& a, const Step& b) {
  return a.ordinal == b.ordinal && a.name == b.name && a.path == b.path && a.level == b.level && a.kind == b.kind &&
         a.grid == b.grid && a.block == b.block && a.phase == b.phase && a.title == b.title &&
         a.code_anchor == b.code_anchor && a.elapsed_ms == b.elapsed_ms && a.wrote == b.wrote &&
         a.highlights == b.highlights && a.checks == b.checks;
}

}  // namespace

std::size_t size_of(ElementType type) { return element_sizes[static_cast<std::size_t>(type)]; }
const char* name_of(ElementType type) { return element_names[static_cast<std::size_t>(type)]; }
const char* name_of(Role role) { return role_names[static_cast<std::size_t>(role)]; }
const char* name_of(Side side) { return side_names[static_cast<std::size_t>(side)]; }
const char* name_of(StepKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }
std::optional<Space> space_named(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > Space::longest_name || !std::all_of(name.begin(), name.end(), fits))
    return std::nullopt;
  return Space(std::string(name).c_str());
}
std::optional<ElementType> element_type_named(std::string_view name) {
  return enum_named<ElementType>(name, element_names);
}
std::optional<Side> side_named(std::string_view name) { return enum_named<Side>(name, side_names); }
std::optional<Role> role_named(std::string_view name) { return enum_named<Role>(name, role_names); }

struct TypedArray::Later {
  std::size_t byte_count;
  std::mutex making;
  std::atomic<bool> made = false;
  std::function<TypedArray()> make;  ///< empty once it is made
  TypedArray elements;
};

TypedArray TypedArray::later(ElementType type, std::size_t n, std::function<TypedArray()> make) {
  TypedArray array(type);
  array.later_ = std::make_shared<Later>();
  array.later_->byte_count = n * size_of(type);
  array.later_->make = std::move(make);
  return array;
}

std::size_t TypedArray::byte_count() const { return later_ ? later_->byte_count : bytes_.size(); }

bool TypedArray::present() const { return !later_ || later_->made; }

std::span<const std::byte> TypedArray::later_bytes() const {
  if (!later_->made) {
    const std::scoped_lock alone(later_->making);
    if (!later_->made) {
      TypedArray made = later_->make();
      if (made.type() != type_ || made.byte_count() != later_->byte_count)
        throw ErrorException({ErrorKind::bad_input, "values are of another type or number than was announced", "", ""});
      later_->elements = std::move(made);
      later_->make = nullptr;
      later_->made = true;
    }
  }
  return std::as_const(later_->elements).bytes();
}

void TypedArray::take_elements() {
  const auto all = later_bytes();
  bytes_.assign(all.begin(), all.end());
  later_.reset();
}

bool TypedArray::operator==(const TypedArray& other) const {
  return type_ == other.type_ && byte_count() == other.byte_count() &&
         (byte_count() == 0 || std::memcmp(bytes().data(), other.bytes().data(), byte_count()) == 0);
}

double TypedArray::number(std::size_t i) const {
  return visit_element(*this, i, [](auto v) { return static_cast<double>(v); });
}

std::string TypedArray::text(std::size_t i) const {
  return visit_element(*this, i, [](auto v) { return shortest(v); });
}

std::string TypedArray::short_text(std::size_t i) const {
  const std::string exact = text(i);
  if (type_ != ElementType::float64) return exact;
  const double value = number(i);
  if (!(std::abs(value) <= std::numeric_limits<float>::max())) return exact;
  const auto nearest = static_cast<float>(value);
  std::string rounded = shortest(nearest);
  if (nearest == value) return rounded;
  if (exact != rounded) return exact;
  char all[40];  // for a double that equals a float
  return {all, std::to_chars(all, all + sizeof all, value, std::chars_format::general, 17).ptr};
}

std::string path_text(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& phase : path) text += (text.empty() ? "" : " / ") + phase;
  return text;
}

std::string commit_text(const BuildProvenance& build) {
  constexpr std::size_t short_hash = 7;
  if (build.commit.empty() || build.commit == "unknown") return "an unknown commit";
  return "commit " + build.commit.substr(0, short_hash) + (build.local_changes ? " with local changes" : "");
}

std::string text_of(const BuildProvenance& build) {
  if (build.commit.empty()) return {};
  std::string text = commit_text(build);
  if (!build.compiler.empty()) text += ", " + build.compiler;
  if (!build.flags.empty()) text += " " + build.flags;
  if (!build.build_type.empty()) text += ", " + build.build_type;
  return text;
}

void Trace::index_arrays() {
  places_.clear();
  for (std::size_t i = 0; i < arrays.size(); ++i) places_.emplace(arrays[i].info.name, i);
}

const Trace::Array* Trace::find(std::string_view name) const {
  if (const auto place = places_.find(name);
      place != places_.end() && place->second < arrays.size() && arrays[place->second].info.name == name)
    return &arrays[place->second];
  for (const Array& a : arrays)
    if (a.info.name == name) return &a;
  return nullptr;
}

std::uint64_t Trace::stored_bytes() const {
  std::uint64_t total = 0;
  for (const Array& a : arrays)
    for (const ArrayVersion& v : a.versions) total += v.values.byte_count() + v.ranges.size() * sizeof(IndexRange);
  for (const Step& s : steps)
    for (const Highlight& h : s.highlights) total += bytes_of(h);
  return total;
}

bool equal(const Trace& a, const Trace& b) {
  if (!(a.header == b.header) || a.steps.size() != b.steps.size() || a.arrays.size() != b.arrays.size()) return false;
  for (std::size_t i = 0; i < a.steps.size(); ++i)
    if (!equal(a.steps[i], b.steps[i])) return false;
  for (std::size_t i = 0; i < a.arrays.size(); ++i) {
    const Trace::Array &x = a.arrays[i], &y = b.arrays[i];
    if (!(x.info == y.info) || x.versions.size() != y.versions.size()) return false;
    for (std::size_t v = 0; v < x.versions.size(); ++v) {
      const ArrayVersion &p = x.versions[v], &q = y.versions[v];
      if (p.step != q.step || p.keyframe != q.keyframe || p.size != q.size || p.ranges != q.ranges ||
          !(p.values == q.values))
        return false;
    }
  }
  return true;
}

TraceBuilder::TraceBuilder(TraceHeader header) { trace_.header = std::move(header); }

void TraceBuilder::declare(ArrayInfo info) {
  if (declared(info.name))
    throw ErrorException({ErrorKind::bad_usage, "array " + info.name + " is declared twice", "trace", ""});
  trace_.arrays.push_back({std::move(info), {}});
}

void TraceBuilder::begin_step(Step step) {
  step.ordinal = static_cast<std::uint32_t>(trace_.steps.size());
  trace_.steps.push_back(std::move(step));
}

Step& TraceBuilder::current_step() { return trace_.steps.back(); }

void TraceBuilder::highlight(Highlight h) {
  stored_bytes_ += bytes_of(h);
  current_step().highlights.push_back(std::move(h));
}

void TraceBuilder::write(std::string_view name, TypedArray contents) {
  const auto array =
      std::find_if(trace_.arrays.begin(), trace_.arrays.end(), [&](auto& a) { return a.info.name == name; });
  if (array == trace_.arrays.end() || array->info.type != contents.type())
    throw ErrorException(
        {ErrorKind::bad_usage, "array " + std::string(name) + " is written but not declared so", "trace", ""});
  if (!array->versions.empty() && array->versions.back().step == current_step().ordinal)
    throw ErrorException({ErrorKind::bad_usage, "array " + std::string(name) + " is written twice in one step",
                          path_text(current_step()), ""});
  ArrayVersion version;
  version.step = current_step().ordinal;
  version.size = contents.size();
  current_step().wrote.emplace_back(name);

  const auto before = latest_.find(name);
  std::size_t since_keyframe = 0;
  for (auto v = array->versions.rbegin(); v != array->versions.rend() && !v->keyframe; ++v) ++since_keyframe;
  if (before != latest_.end() && since_keyframe < 15) {
    const std::size_t width = size_of(contents.type());
    std::vector<IndexRange> ranges = difference(before->second, contents, sizeof(IndexRange) / width);
    std::uint64_t replaced = 0;
    for (const IndexRange& r : ranges) replaced += r.end - r.begin;
    if (2 * (replaced * width + ranges.size() * sizeof(IndexRange)) < contents.bytes().size()) {
      version.keyframe = false;
      version.values = TypedArray(contents.type(), replaced);
      std::size_t to = 0;
      for (const IndexRange& r : ranges) {
        const std::size_t length = (r.end - r.begin) * width;
        std::memcpy(version.values.bytes().data() + to, contents.bytes().data() + r.begin * width, length);
        to += length;
      }
      version.ranges = std::move(ranges);
    }
  }
  if (version.keyframe) version.values = contents;
  stored_bytes_ += version.values.bytes().size() + version.ranges.size() * sizeof(IndexRange);
  array->versions.push_back(std::move(version));
  latest_.insert_or_assign(std::string(name), std::move(contents));
}

void TraceBuilder::release_values() {
  for (Trace::Array& array : trace_.arrays)
    if (!array.versions.empty() && array.versions.back().step == current_step().ordinal)
      array.versions.back().values = TypedArray(array.info.type);
}

std::shared_ptr<const Trace> TraceBuilder::finish() {
  latest_.clear();
  std::erase_if(trace_.header.sources, [&](const RecordedSource& source) {
    const bool own = source.file.find("builders/" + trace_.header.algorithm + "/") != std::string::npos;
    const bool named = std::any_of(trace_.steps.begin(), trace_.steps.end(),
                                   [&](const Step& s) { return s.code_anchor == source.region; });
    return !own && !named;
  });
  trace_.index_arrays();
  return std::make_shared<const Trace>(std::move(trace_));
}

Cursor::Cursor(std::shared_ptr<const Trace> trace) : trace_(std::move(trace)), live_(trace_->arrays.size()) { seek(0); }

void Cursor::seek(std::uint32_t step) {
  step_ = std::min(step, step_count() == 0 ? 0 : step_count() - 1);
  for (std::size_t a = 0; a < live_.size(); ++a) {
    const std::vector<ArrayVersion>& versions = trace_->arrays[a].versions;
    const auto after = std::upper_bound(versions.begin(), versions.end(), step_,
                                        [](std::uint32_t s, const ArrayVersion& v) { return s < v.step; });
    const std::ptrdiff_t wanted = after - versions.begin() - 1;
    Live& live = live_[a];
    if (wanted == live.version) continue;
    if (wanted < 0) {
      live = {};
      continue;
    }
    const bool goes_on = live.version >= 0 && live.contents.present();
    std::ptrdiff_t from = wanted;
    while (from > 0 && !versions[from].keyframe && !(goes_on && from == live.version + 1)) --from;
    live.version = wanted;
    const auto begin = versions.begin() + from, end = versions.begin() + wanted + 1;
    if (from == wanted && begin->keyframe) {
      live.contents = begin->values;
    } else if (std::all_of(begin, end, [](const ArrayVersion& v) { return v.values.present(); })) {
      for (auto v = begin; v != end; ++v) apply_version(*v, live.contents);
    } else {
      live.contents = TypedArray::later(trace_->arrays[a].info.type, versions[wanted].size,
                                        [trace = trace_, begin, end, contents = std::move(live.contents)] {
                                          TypedArray made = contents;
                                          for (auto v = begin; v != end; ++v) apply_version(*v, made);
                                          return made;
                                        });
    }
  }
}

void Cursor::report_lost_contents(std::function<void(const Error&)> report) { lost_contents() = std::move(report); }

const TypedArray* Cursor::array(std::string_view name) const try {
  const Trace::Array* found = trace_->find(name);
  if (!found) return nullptr;
  const Live& live = live_[static_cast<std::size_t>(found - trace_->arrays.data())];
  if (live.version < 0) return nullptr;
  std::as_const(live.contents).bytes();
  return &live.contents;
} catch (const ErrorException& e) {
  if (!lost_contents()) throw;
  lost_contents()(e.error());
  return nullptr;
}

std::uint64_t Cursor::row_size(std::string_view name) const {
  const Trace::Array* found = trace_->find(name);
  if (!found) return 0;
  const auto& gather = found->info.gather;
  if (gather && !array(gather->source)) return 0;
  const TypedArray* stored = array(gather ? std::string_view(gather->through) : name);
  return stored ? stored->size() : 0;
}

const Trace::Array* Cursor::resolve(std::string_view name, std::uint64_t index, const TypedArray*& source,
                                    std::uint64_t& source_index) const {
  const Trace::Array* found = trace_->find(name);
  if (!found || index >= row_size(name)) return nullptr;
  source = array(name);
  source_index = index;
  if (const auto& gather = found->info.gather) {
    const Trace::Array* base = trace_->find(gather->source);
    source = array(gather->source);
    if (!base || !source) return nullptr;
    const TypedArray* through = array(gather->through);
    source_index = static_cast<std::uint64_t>(through->number(index)) * base->info.components + gather->component;
  }
  return source && source_index < source->size() ? found : nullptr;
}

std::string Cursor::text(std::string_view name, std::uint64_t index) const {
  const TypedArray* source = nullptr;
  std::uint64_t at = 0;
  return resolve(name, index, source, at) ? source->text(at) : std::string();
}

std::string Cursor::short_text(std::string_view name, std::uint64_t index) const {
  const TypedArray* source = nullptr;
  std::uint64_t at = 0;
  const Trace::Array* found = resolve(name, index, source, at);
  if (!found) return {};
  const Space values = found->info.value_space;
  return values == Space::coordinate || values == Space::split_value ? source->short_text(at) : source->text(at);
}

double Cursor::number(std::string_view name, std::uint64_t index) const {
  const TypedArray* source = nullptr;
  std::uint64_t at = 0;
  return resolve(name, index, source, at) ? source->number(at) : 0.0;
}

std::uint64_t Cursor::state_hash() const {
  std::uint64_t h = mix64(step_ + 1);
  for (std::size_t a = 0; a < live_.size(); ++a) {
    h = mix64(h ^ (a + 1));
    if (live_[a].version < 0) continue;
    const auto bytes = live_[a].contents.bytes();
    h = mix64(h ^ bytes.size());
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t chunk = 0;
      std::memcpy(&chunk, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
      h = mix64(h ^ chunk);
    }
  }
  return h;
}

bool sorts_triangles(const Trace& trace) {
  return std::any_of(trace.arrays.begin(), trace.arrays.end(), [](const Trace::Array& a) {
    return a.info.name != triangles_array &&
           (a.info.index_space == Space::triangle || a.info.value_space == Space::triangle);
  });
}

std::vector<IndexRange> changed_ranges(const Cursor& before, const Cursor& after, std::string_view row) {
  const Trace::Array *was = before.trace().find(row), *is = after.trace().find(row);
  const std::uint64_t n = after.row_size(row), had = before.row_size(row);
  if (!is || n == 0) return {};
  if (!was || had == 0) return {{0, n}};
  if (!is->info.gather && !was->info.gather && is->info.type == was->info.type)
    return difference(*before.array(row), *after.array(row), 0);

  if (is->info.gather && was->info.gather) {
    const auto gathered = [](const Cursor& cursor, const Gather& gather) {
      const Trace::Array* base = cursor.trace().find(gather.source);
      return Gathered{cursor.array(gather.source), cursor.array(gather.through), base ? base->info.components : 1u,
                      gather.component};
    };
    const Gathered a = gathered(before, *was->info.gather), b = gathered(after, *is->info.gather);
    const auto indexed = [](const Gathered& g) {
      return g.source && g.through && g.through->type() == ElementType::uint32;
    };
    if (indexed(a) && indexed(b) && a.source->type() == b.source->type()) return difference(a, b);
  }

  // Compare as numbers, because one row is derived or the types differ.
  const auto source = [&](const Cursor& cursor, const Trace::Array& array) {
    const auto& gather = array.info.gather;
    const Trace::Array& base = gather ? *cursor.trace().find(gather->source) : array;
    const TypedArray* through = gather ? cursor.array(gather->through) : nullptr;
    return [values = cursor.array(base.info.name), through, stride = gather ? base.info.components : 1u,
            component = gather ? gather->component : 0u](std::uint64_t i) {
      const std::uint64_t at = through ? static_cast<std::uint64_t>(through->number(i)) * stride + component : i;
      return at < values->size() ? std::optional<double>(values->number(at)) : std::nullopt;
    };
  };
  const auto old_value = source(before, *was), new_value = source(after, *is);
  std::vector<IndexRange> ranges;
  for (std::uint64_t i = 0; i < n; ++i) {
    if (i < had && old_value(i) == new_value(i)) continue;
    if (!ranges.empty() && ranges.back().end == i)
      ++ranges.back().end;
    else
      ranges.push_back({i, i + 1});
  }
  return ranges;
}

std::vector<std::uint32_t> steps_matching(const Trace& trace, std::string_view phase_path) {
  const PhasePath wanted(phase_path);
  std::vector<std::uint32_t> found;
  for (const Step& step : trace.steps)
    if (wanted.matches(step)) found.push_back(step.ordinal);
  return found;
}

}  // namespace kdscope
