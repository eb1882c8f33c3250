#include "algorithms/trace/row_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace kdscope {
namespace {

constexpr std::uint64_t no_element = ~std::uint64_t{0};

}  // namespace

const ArrayVersion* version_at(const Trace::Array& array, std::uint32_t step) {
  const auto after = std::upper_bound(array.versions.begin(), array.versions.end(), step,
                                      [](std::uint32_t s, const ArrayVersion& v) { return s < v.step; });
  return after == array.versions.begin() ? nullptr : &*std::prev(after);
}

TypedArray contents_at(const Trace::Array& array, std::uint32_t step) {
  TypedArray contents(array.info.type);
  const std::vector<ArrayVersion>& versions = array.versions;
  std::size_t end = 0;
  while (end < versions.size() && versions[end].step <= step) ++end;
  std::size_t at = end;
  while (at > 0 && !versions[--at].keyframe) {
  }
  const std::size_t width = size_of(array.info.type);
  for (; at < end; ++at) {
    if (versions[at].keyframe) {
      contents = versions[at].values;
      continue;
    }
    contents.resize(versions[at].size);
    const std::byte* from = versions[at].values.bytes().data();
    for (const IndexRange& r : versions[at].ranges) {
      std::memcpy(contents.bytes().data() + r.begin * width, from, (r.end - r.begin) * width);
      from += (r.end - r.begin) * width;
    }
  }
  return contents;
}

bool is_missing(const ArrayInfo& info, ElementType type, double value) {
  const auto measures = [&](const Space& of) {
    return of == Space::key || of == Space::coordinate || of == Space::split_value;
  };
  return std::isnan(value) ||
         (value == static_cast<double>(no_id) && type == ElementType::uint32 && !measures(info.value_space));
}

RowReader::RowReader(const Cursor& cursor, std::string_view name, std::uint32_t component) : component_(component) {
  const Trace::Array* array = cursor.trace().find(name);
  if (!array) return;
  info_ = &array->info;
  if (const auto& gather = info_->gather) {
    const Trace::Array* base = cursor.trace().find(gather->source);
    through_ = cursor.array(gather->through);
    source_ = base && through_ ? cursor.array(gather->source) : nullptr;
    if (!source_) return;
    stride_ = std::max(1u, base->info.components);
    component_ = gather->component;
    size_ = through_->size();
    return;
  }
  source_ = cursor.array(name);
  if (!source_) return;
  stride_ = std::max(1u, info_->components);
  size_ = source_->size() / stride_;
  if (stride_ == 1 && source_->type() == ElementType::uint32) ids_ = source_->as<std::uint32_t>();
}

RowReader::RowReader(const Cursor& cursor, const Trace::Array* array, std::uint32_t step) {
  if (!array || array->info.gather) return;
  const ArrayVersion* const version = version_at(*array, step);
  if (!version) return;
  if (version == version_at(*array, cursor.step())) {
    *this = RowReader(cursor, array->info.name);
    return;
  }
  copy_ = std::make_shared<const TypedArray>(contents_at(*array, step));
  source_ = copy_.get();
  info_ = &array->info;
  stride_ = std::max(1u, info_->components);
  size_ = source_->size() / stride_;
  if (stride_ == 1 && source_->type() == ElementType::uint32) ids_ = source_->as<std::uint32_t>();
}

RowReader::RowReader(const TypedArray* elements) : source_(elements), size_(elements ? elements->size() : 0) {
  if (elements && elements->type() == ElementType::uint32) ids_ = elements->as<std::uint32_t>();
}

bool RowReader::whole() const {
  return source_ && source_->type() != ElementType::float32 && source_->type() != ElementType::float64;
}

std::uint64_t RowReader::element(std::uint64_t column) const {
  if (column >= size_) return no_element;
  const std::uint64_t named = through_ ? static_cast<std::uint64_t>(through_->number(column)) : column;
  const std::uint64_t at = named * stride_ + component_;
  return at < source_->size() ? at : no_element;
}

double RowReader::number_of(std::uint64_t column) const {
  const std::uint64_t at = element(column);
  return at == no_element ? std::nan("") : source_->number(at);
}

double RowReader::known_number(std::uint64_t column) const {
  const double value = number(column);
  return info_ && kdscope::is_missing(*info_, source_->type(), value) ? std::nan("") : value;
}

std::uint32_t RowReader::id_of(std::uint64_t column) const {
  const std::uint64_t at = element(column);
  return at == no_element ? no_id : static_cast<std::uint32_t>(source_->number(at));
}

std::uint64_t RowReader::bits(std::uint64_t column) const {
  const std::uint64_t at = element(column);
  if (at == no_element) return 0;
  return source_->type() == ElementType::uint64 ? source_->as<std::uint64_t>()[at]
                                                : static_cast<std::uint64_t>(source_->number(at));
}

std::string RowReader::text(std::uint64_t column) const {
  const std::uint64_t at = element(column);
  return at == no_element ? std::string() : source_->text(at);
}

std::string RowReader::short_text(std::uint64_t column) const {
  const std::uint64_t at = element(column);
  if (at == no_element) return {};
  const bool in_space = info_ && (info_->value_space == Space::coordinate || info_->value_space == Space::split_value);
  return in_space ? source_->short_text(at) : source_->text(at);
}

bool RowReader::is_missing(std::uint64_t column) const {
  if (column >= size_) return false;
  const std::uint64_t at = element(column);
  if (at == no_element) return through_ != nullptr;
  return info_ && kdscope::is_missing(*info_, source_->type(), source_->number(at));
}

}  // namespace kdscope
