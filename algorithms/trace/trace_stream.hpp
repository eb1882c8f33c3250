#pragma once
// A trace in parts, sent from the process that reads a file or records a run to the process that requested it. Both
// processes run the same build, so the byte layout is private to it. The receiver trusts no byte, because a harmful
// file may control the sender, or the sender may run a variant of a builder.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "algorithms/core/points.hpp"
#include "algorithms/text/field.hpp"
#include "algorithms/trace/trace.hpp"

namespace kdscope {

// ---- the fields of each type, in the order of the stream ------------------------------------------------------------

// clang-format off
template <class Io> void fields(Io& io, IndexRange& r) { io(r.begin, r.end); }
template <class Io> void fields(Io& io, Error& e) {
  io(Field{"kind", e.kind}, Field{"what", e.what}, Field{"where", e.where}, Field{"remedy", e.remedy});
}
template <class Io> void fields(Io& io, Gather& g) { io(g.source, g.through, g.component); }
template <class Io> void fields(Io& io, ArrayDimension& d) { io(d.name, d.row, d.from_least); }
template <class Io> void fields(Io& io, Highlight& h) { io(h.role, h.space, h.ranges, h.nodes); }
template <class Io> void fields(Io& io, RecordedSource& s) {
  io(Field{"region", s.region}, Field{"file", s.file}, Field{"first_line", s.first_line}, Field{"text", s.text});
}
template <class Io> void fields(Io& io, ArrayVersion& v) {
  io(v.step, v.keyframe, v.size, v.ranges);  // the values follow in pieces
}
template <class Io> void fields(Io& io, BuildProvenance& b) {
  io(b.commit, b.local_changes, b.compiler, b.flags, b.build_type);
}
template <class Io> void fields(Io& io, CheckResult& c) {
  io(c.name, c.statement, c.passed, c.detail, c.array, c.violations, c.elements);
}
template <class Io> void fields(Io& io, Step& s) {
  io(s.ordinal, s.name, s.path, s.level, s.phase, s.kind, s.grid, s.block, s.title, s.code_anchor, s.elapsed_ms,
     s.wrote, s.highlights, s.checks);
}
template <class Io> void fields(Io& io, ArrayInfo& a) {
  io(a.name, a.label, a.type, a.index_space, a.value_space, a.components, a.dimensions, a.shown_as_row, a.gather,
     a.dimension, a.component_names, a.order, a.owner, a.offsets, a.side);
}
template <class Io> void fields(Io& io, TraceHeader& h) {
  io(h.algorithm, h.title, h.citation, h.parameters, h.data_set, h.n, h.dim, h.scalar, h.up_axis, h.backend, h.device,
     h.version, h.tree_hash, h.tree_kind, h.build, h.sources, h.data_warnings, h.search);
}
template <class Io> void fields(Io& io, PointSet& value) {
  auto& [a, b, c, d, words_elsewhere] = value;
  static_cast<void>(words_elsewhere);  // a device here is none there
  io(a, b, c, d);
}
template <class Io> void fields(Io& io, DataSet& value) {
  auto& [a, b, c, d, e, f, g, h, i, j] = value;
  io(a, b, c, d, e, f, g, h, i, j);
}

// clang-format on

constexpr ElementType last_of(ElementType) { return ElementType::float64; }
constexpr Side last_of(Side) { return Side::right; }
constexpr Role last_of(Role) { return Role::compare; }
constexpr StepKind last_of(StepKind) { return StepKind::host; }
constexpr ScalarType last_of(ScalarType) { return ScalarType::int32; }
constexpr ErrorKind last_of(ErrorKind) { return ErrorKind::io_failure; }

}  // namespace kdscope

namespace kdscope::trace_stream {

/// The type of the next item in the stream. A version follows its array and precedes its step or, if a file is read,
/// follows all steps. The header may come again; last_step replaces the last step.
enum class Part : std::uint8_t { header, step, last_step, array, version, end, error, image, version_elsewhere };
constexpr Part last_of(Part) { return Part::version_elsewhere; }

/// Types for which every sequence of bytes is a valid value.
template <class T>
inline constexpr bool plain = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, IndexRange>;

/// The objects behind shared pointers of a stream, in the order in which they were sent, each once. With those of a
/// request, an answer names the request's objects instead of copying them.
using SharedObjects = std::vector<std::pair<std::shared_ptr<const void>, const std::type_info*>>;

/// Where values are that a trace does not hold in memory yet.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  /// Fills `values`, of an array's type, with the elements that the sender has at `place`. Several threads may call it
  /// at once. Throws ErrorException.
  virtual void read(std::uint32_t array, std::uint64_t place, TypedArray& values) const = 0;
};

/// Values that a process keeps of what it records, once it has sent so many bytes of values.
class KeptValues {
 public:
  explicit KeptValues(std::uint64_t most_sent) : left_(most_sent) {}
  /// Returns the place at which a version's values are kept, or nullopt if they are to be sent.
  std::optional<std::uint64_t> keep(std::uint32_t array, const TypedArray& values);
  /// Returns what keep() kept. Throws ErrorException of kind bad_input if there is none of this type and size.
  const TypedArray& at(std::uint32_t array, std::uint64_t place, ElementType type, std::uint64_t size) const;

 private:
  std::uint64_t left_;
  std::vector<std::vector<TypedArray>> kept_;  ///< by array and place
};

/// Sends items to a descriptor. Without `shared`, it is the child process's to the one that asked: it ends this process
/// if no process reads. With it, the descriptor is a file in memory, and a full memory throws ErrorException.
class Sender {
 public:
  explicit Sender(int descriptor, SharedObjects* shared = nullptr) : descriptor_(descriptor), shared_(shared) {}
  template <class... Items>
  void operator()(Items&&... items) {
    (send(items), ...);
  }
  void part(Part next) { send(next); }
  /// Sends an array in pieces that fit into the processor's cache; read(begin, end, bytes) reads the elements of one
  /// piece.
  template <class Read>
  void values(ElementType type, std::uint64_t size, Read read) {
    constexpr std::size_t piece_bytes = 256 << 10;
    send(type);
    count(size);
    piece_.resize(piece_bytes);
    const std::uint64_t piece = piece_bytes / size_of(type);
    for (std::uint64_t begin = 0; begin < size; begin += piece) {
      const std::uint64_t end = std::min(size, begin + piece);
      read(begin, end, piece_.data());
      bytes(piece_.data(), (end - begin) * size_of(type));
    }
  }
  void raw(std::string_view all) {
    count(all.size());
    bytes(all.data(), all.size());
  }
  /// Sends the buffered bytes.
  void flush() {
    write(buffer_.data(), used_);
    used_ = 0;
  }

 private:
  void write(const void* from, std::size_t size);
  void bytes(const void* from, std::size_t size) {
    if (size > buffer_.size() - used_) flush();
    if (size > buffer_.size()) return write(from, size);
    if (size > 0) std::memcpy(buffer_.data() + used_, from, size);
    used_ += size;
  }
  void count(std::uint64_t number) { bytes(&number, sizeof number); }

  template <class T>
  void send(T& item) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>)
      bytes(&item, sizeof item);
    else
      fields(*this, item);
  }
  void send_text(const std::string& text) {
    count(text.size());
    bytes(text.data(), text.size());
  }
  void send(std::string& text) { send_text(text); }
  void send(Space& space) { send_text(space.name()); }
  template <class T>
  void send(std::vector<T>& items) {
    count(items.size());
    if constexpr (plain<T>)
      bytes(items.data(), items.size() * sizeof(T));
    else
      for (T& item : items) send(item);
  }
  void send(std::map<std::string, std::string>& texts) {
    count(texts.size());
    for (const auto& [name, text] : texts) send_text(name), send_text(text);
  }
  template <class T>
  void send(std::optional<T>& item) {
    count(item.has_value());
    if (item) send(*item);
  }
  template <class T>
  void send(Field<T>& field) {
    send(field.value);
  }
  template <class T, std::size_t n>
  void send(std::array<T, n>& items) {
    for (T& item : items) send(item);
  }
  /// Sends 0 for null, the place of an object that was sent before, from 1, or the next place and the object.
  template <class T>
  void send(std::shared_ptr<const T>& object) {
    const auto known =
        std::ranges::find(*shared_, std::shared_ptr<const void>(object), &SharedObjects::value_type::first);
    if (!object) return count(0);
    count(static_cast<std::uint64_t>(known - shared_->begin()) + 1);
    if (known != shared_->end()) return;
    shared_->emplace_back(object, &typeid(T));
    send(const_cast<T&>(*object));  // which does not change it
  }
  int descriptor_;
  SharedObjects* shared_;
  std::array<std::byte, 1 << 16> buffer_;
  std::size_t used_ = 0;
  std::vector<std::byte> piece_;
};

/// Sends a trace while it is recorded, step by step.
class StepSender {
 public:
  /// kept: keeps values instead of sending them; null to send all.
  explicit StepSender(int descriptor, std::shared_ptr<KeptValues> kept = nullptr)
      : out_(descriptor), kept_(std::move(kept)) {}
  /// Sends the last step of a trace and what it wrote.
  void step(const Trace& so_far);
  /// Sends what recording has completed after the last step, and the end.
  void end(const Trace& trace);
  /// Sends the end of a recording that failed.
  void end();

 private:
  Sender out_;
  std::shared_ptr<KeptValues> kept_;
  std::size_t arrays_ = 0;  ///< number of arrays that were sent
};

/// Reads at least one and at most `size` bytes. Throws ErrorException if none will come any more.
using ReadSome = std::function<std::size_t(void* bytes, std::size_t size)>;

/// Receives the items of a Sender. Throws ErrorException once the trace would take more than `most_bytes` of memory.
class Receiver {
 public:
  Receiver(ReadSome read_some, std::uint64_t most_bytes, SharedObjects* shared = nullptr)
      : read_some_(std::move(read_some)), left_(most_bytes), shared_(shared) {}

  template <class... Items>
  void operator()(Items&&... items) {
    (receive(items), ...);
  }
  /// Receives one more item of a list, or leaves the list as it is if the stream ends before.
  template <class T, class Field>
  void append(std::vector<T>& items, Field field) {
    charge(1, sizeof(T));
    T item{};
    receive(std::invoke(field, item));
    items.push_back(std::move(item));
  }
  /// Passes on the raw bytes of a Sender piece by piece; take(piece) returns false to stop.
  template <class Take>
  void raw(Take take) {
    std::uint64_t left = 0;
    bytes(&left, sizeof left);
    while (left > 0) {
      if (begin_ == end_) begin_ = 0, end_ = read_some_(buffer_.data(), buffer_.size());
      const std::size_t size = static_cast<std::size_t>(std::min<std::uint64_t>(left, end_ - begin_));
      if (!take(std::string_view(reinterpret_cast<const char*>(buffer_.data() + begin_), size))) return;
      begin_ += size, left -= size;
    }
  }
  Part part() {
    Part next{};
    receive(next);
    return next;
  }
  /// Receives the type and number of values that come later, and take memory only then.
  std::pair<ElementType, std::uint64_t> values_elsewhere() {
    constexpr std::uint64_t most = std::uint64_t(1) << 48;
    ElementType type{};
    std::uint64_t number = 0;
    receive(type);
    bytes(&number, sizeof number);
    if (number > most) refuse_bytes();
    return {type, number};
  }

 private:
  [[noreturn]] static void refuse(ErrorKind kind, const char* what, const char* remedy) {
    throw ErrorException({kind, what, "", remedy});
  }
  [[noreturn]] static void refuse_bytes() {
    refuse(ErrorKind::bad_input, "was read wrongly", "record it again, or ask for another copy");
  }

  void bytes(void* to, std::size_t size) {
    auto* at = static_cast<std::byte*>(to);
    while (size > 0) {
      if (begin_ == end_ && size >= buffer_.size()) {
        const std::size_t got = read_some_(at, size);
        at += got, size -= got;
        continue;
      }
      if (begin_ == end_) begin_ = 0, end_ = read_some_(buffer_.data(), buffer_.size());
      const std::size_t taken = std::min(size, end_ - begin_);
      std::memcpy(at, buffer_.data() + begin_, taken);
      begin_ += taken, at += taken, size -= taken;
    }
  }

  /// Subtracts the memory of items from the remaining budget before it is allocated.
  void charge(std::uint64_t number, std::size_t item_bytes) {
    if (number > left_ / item_bytes)
      refuse(ErrorKind::out_of_memory, "takes more memory than a trace of its size or this machine can",
             "close other traces, or record fewer points");
    left_ -= number * item_bytes;
  }
  std::uint64_t count(std::size_t item_bytes) {
    std::uint64_t number = 0;
    bytes(&number, sizeof number);
    charge(number, item_bytes);
    return number;
  }

  template <class T>
  void receive(T& item) {
    if constexpr (std::is_same_v<T, bool>) {
      std::uint8_t byte = 0;
      bytes(&byte, 1);
      item = byte != 0;
    } else if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number{};
      bytes(&number, sizeof number);
      if (number < 0 || number > static_cast<decltype(number)>(last_of(item))) refuse_bytes();
      item = static_cast<T>(number);
    } else if constexpr (std::is_arithmetic_v<T>) {
      bytes(&item, sizeof item);
    } else {
      fields(*this, item);
    }
  }
  void receive(std::string& text) {
    text.resize(count(1));
    bytes(text.data(), text.size());
  }
  void receive(Space& space) {
    std::string name;
    receive(name);
    const std::optional<Space> read = space_named(name);
    if (!read) refuse_bytes();
    space = *read;
  }
  template <class T>
  void receive(std::vector<T>& items) {
    items.resize(count(sizeof(T)));
    if constexpr (plain<T>)
      bytes(items.data(), items.size() * sizeof(T));
    else
      for (T& item : items) receive(item);
  }
  void receive(std::map<std::string, std::string>& texts) {
    constexpr std::size_t node_bytes = 2 * sizeof(std::string) + 4 * sizeof(void*);
    for (std::uint64_t left = count(node_bytes); left > 0; --left) {
      std::string name;
      receive(name);
      receive(texts[name]);
    }
  }
  template <class T>
  void receive(std::optional<T>& item) {
    if (count(1) > 0) receive(item.emplace());
  }
  template <class T>
  void receive(Field<T>& field) {
    receive(field.value);
  }
  template <class T, std::size_t n>
  void receive(std::array<T, n>& items) {
    for (T& item : items) receive(item);
  }
  template <class T>
  void receive(std::shared_ptr<const T>& object) {
    std::uint64_t place = 0;
    bytes(&place, sizeof place);
    if (place == 0) return object.reset();
    if (place <= shared_->size() && *(*shared_)[place - 1].second == typeid(T)) {
      object = std::static_pointer_cast<const T>((*shared_)[place - 1].first);
      return;
    }
    if (place != shared_->size() + 1) refuse_bytes();
    charge(1, sizeof(T));
    const auto received = std::make_shared<T>();
    object = received;
    shared_->emplace_back(object, &typeid(T));
    receive(*received);
  }
  void receive(TypedArray& array) {
    ElementType type{};
    receive(type);
    array = TypedArray(type, count(size_of(type)));
    bytes(array.bytes().data(), array.bytes().size());
  }

  ReadSome read_some_;
  std::uint64_t left_;
  SharedObjects* shared_;
  std::array<std::byte, 1 << 16> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

/// Adds the next part to a trace. Values that the sender keeps come from `elsewhere` once somebody looks at them.
/// Returns false at the end of the stream. Throws the error that the sender sent, and an error of kind bad_input if the
/// parts do not fit one another.
bool receive_part(Receiver& in, Trace& trace, const std::shared_ptr<const ValueSource>& elsewhere = nullptr);

/// Removes the versions of a step that the stream did not complete.
void drop_open_step(Trace& trace);
/// Returns whether some values are not in memory.
bool has_values_elsewhere(const Trace& trace);
/// Removes the first step whose values are not all in memory, and those after it.
void drop_steps_elsewhere(Trace& trace);

}  // namespace kdscope::trace_stream
