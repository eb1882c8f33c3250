#pragma once
// A member of a struct with its name. `fields(io, value)` lists the members of a struct once, for every form in which
// it is written or read: forms with names (json_fields.hpp) use both, the stream between processes (trace_stream.hpp)
// only the values.

namespace kdscope {

template <class T>
struct Field {
  const char* name;
  T& value;
};
template <class T>
Field(const char*, T&) -> Field<T>;

}  // namespace kdscope
