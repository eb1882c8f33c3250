#pragma once
// How long a test waits for what must come.

namespace kdscope {

/// Milliseconds, enough for software OpenGL on a machine that is busy with other work.
inline constexpr int patience_ms = 60000;

}  // namespace kdscope
