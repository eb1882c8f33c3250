#include "algorithms/cluster/nccl_link.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#if defined(KDSCOPE_HAS_NCCL)
#include <dlfcn.h>
#include <nccl.h>
#endif

namespace kdscope::cluster {

#if defined(KDSCOPE_HAS_NCCL)
namespace {

/// The functions of the library.
struct NcclFunctions {
  decltype(&ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&ncclCommInitRank) init_rank = nullptr;
  decltype(&ncclCommDestroy) destroy = nullptr;
  decltype(&ncclGroupStart) group_start = nullptr;
  decltype(&ncclGroupEnd) group_end = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  decltype(&ncclGetErrorString) error_text = nullptr;

  /// Opens the library, which stays open. Returns whether it has all functions.
  bool open() {
    void* library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen(KDSCOPE_NCCL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return find(get_unique_id, "ncclGetUniqueId") && find(init_rank, "ncclCommInitRank") &&
           find(destroy, "ncclCommDestroy") && find(group_start, "ncclGroupStart") && find(group_end, "ncclGroupEnd") &&
           find(send, "ncclSend") && find(receive, "ncclRecv") && find(error_text, "ncclGetErrorString");
  }
  void check(ncclResult_t result, const char* doing) const {
    if (result != ncclSuccess)
      throw ErrorException({ErrorKind::device_failure,
                            std::string("NCCL failed while ") + doing + ": " + error_text(result), "",
                            "set NCCL_DEBUG=WARN for its reasons, or use --link host"});
  }
};

class ConnectedNccl final : public NcclLink {
 public:
  ConnectedNccl(const NcclFunctions& nccl, Communicator& ranks) : nccl_(nccl) {
    std::vector<char> own;
    if (ranks.rank() == 0) {
      ncclUniqueId id;
      nccl_.check(nccl_.get_unique_id(&id), "naming a group");
      own.assign(id.internal, id.internal + sizeof id.internal);
    }
    const std::vector<char> all = ranks.gather_all(std::span<const char>(own));
    ncclUniqueId id;
    std::ranges::copy(all, id.internal);
    nccl_.check(nccl_.init_rank(&comm_, static_cast<int>(ranks.size()), id, static_cast<int>(ranks.rank())),
                "connecting devices");
  }
  ~ConnectedNccl() override { nccl_.destroy(comm_); }
  void exchange(std::span<const Run> sent, std::span<const Run> received, CUstream_st* stream) override {
    nccl_.check(nccl_.group_start(), "beginning an exchange");
    for (const Run& run : sent)
      nccl_.check(nccl_.send(run.at, run.bytes, ncclChar, static_cast<int>(run.rank), comm_, stream), "sending points");
    for (const Run& run : received)
      nccl_.check(nccl_.receive(run.at, run.bytes, ncclChar, static_cast<int>(run.rank), comm_, stream),
                  "receiving points");
    nccl_.check(nccl_.group_end(), "exchanging points");
  }

 private:
  NcclFunctions nccl_;
  ncclComm_t comm_ = nullptr;
};

}  // namespace
#endif

std::unique_ptr<NcclLink> NcclLink::connect(Communicator& ranks, int device, std::string& why) {
#if defined(KDSCOPE_HAS_NCCL)
  using HostAndDevice = std::pair<std::uint32_t, std::uint32_t>;
  struct HasLibrary {
    std::uint32_t host, device, has_library;
  };
  NcclFunctions nccl;
  const HasLibrary own{ranks.host(), static_cast<std::uint32_t>(device), nccl.open()};
  std::vector<HostAndDevice> places;
  bool all_have_it = true;
  for (const HasLibrary& place : ranks.gather_all(std::span<const HasLibrary>(&own, 1))) {
    places.emplace_back(place.host, place.device);
    all_have_it = all_have_it && place.has_library != 0;
  }
  std::ranges::sort(places);
  if (!all_have_it)
    why = "libnccl.so.2 is missing";
  else if (std::ranges::adjacent_find(places) != places.end())
    why = "two ranks share a device";
  else
    return std::make_unique<ConnectedNccl>(nccl, ranks);
#else
  static_cast<void>(ranks), static_cast<void>(device);
  why = "kdscope was built without NCCL";
#endif
  return nullptr;
}

}  // namespace kdscope::cluster
