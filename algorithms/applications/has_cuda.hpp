#pragma once
// Whether the applications were built for CUDA, as choose_device() asks.

namespace kdscope {

#if defined(KDSCOPE_HAS_CUDA)
inline constexpr bool has_cuda = true;
#else
inline constexpr bool has_cuda = false;
#endif

}  // namespace kdscope
