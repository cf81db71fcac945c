// See nccl.h.
#include "gpu/nccl.h"

#include <dlfcn.h>
#include <skipper/error.h>

#include <memory>
#include <type_traits>
#include <vector>

#include "base/environment.h"
#include "base/lazy.h"

namespace skipper::gpu {
namespace {

struct OpenedNccl {
  Nccl table{};
  std::string reason;

  OpenedNccl() {
    std::string const named = environment("SKIPPER_NCCL");
    void* library = nullptr;
    std::string tried;
    for (std::string const& name : named.empty() ? std::vector<std::string>{"libnccl.so.2", "libnccl.so"}
                                                 : std::vector<std::string>{named}) {
      library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (library) break;
      tried += (tried.empty() ? "" : ", ") + name;
    }
    if (!library) {
      reason = "NCCL cannot be opened (tried " + tried +
               "); install it, add its folder to LD_LIBRARY_PATH, or name it in SKIPPER_NCCL";
      return;
    }
    auto const find = [&](char const* name, auto& function) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      if (!function && reason.empty())
        reason = std::string("NCCL lacks ") + name + "; 2.7 or newer is needed";
    };
    find("ncclGetVersion", table.version);
    find("ncclGetUniqueId", table.make_id);
    find("ncclCommInitRank", table.init_rank);
    find("ncclCommDestroy", table.destroy);
    find("ncclCommAbort", table.abort);
    find("ncclSend", table.send);
    find("ncclRecv", table.receive);
    find("ncclGroupStart", table.begin_group);
    find("ncclGroupEnd", table.end_group);
    find("ncclGetErrorString", table.error_text);
  }
};

}  // namespace

Nccl const& demand_nccl() {
  static constinit Lazy<std::unique_ptr<OpenedNccl>> library;
  OpenedNccl& opened = *library.get([] { return std::make_unique<OpenedNccl>(); });
  if (!opened.reason.empty())
    throw Error("communicator", opened.reason + "; without it ranks send by their own communicator");
  return opened.table;
}

void demand_nccl(Status status, char const* doing) {
  if (status == 0) return;
  char const* const words = demand_nccl().error_text(status);
  throw Error("communicator", std::string("NCCL failed while ") + doing + ": " + (words ? words : "") + " (" +
                                  std::to_string(status) + ")");
}

}  // namespace skipper::gpu
