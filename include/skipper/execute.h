// What an execution may be given beside its arrays.
//
//   plan.execute(in, out, {.workspace_bytes = bytes, .workspace = workspace, .stream = stream});
#pragma once

#include <cstddef>

namespace skipper {

struct ExecuteSettings {
  // Members are given by name. This one has no value to give: it keeps `{pointer}` from compiling, in which a stream would be
  // taken for the workspace.
  struct ByName {
    explicit constexpr ByName(int) {}
  };
  ByName by_name = ByName(0);

  // How many bytes the workspace has. Fewer than workspace_bytes() are an Error; 0: not checked.
  std::size_t workspace_bytes = 0;

  // workspace_bytes() of the caller's memory: host memory on a CPU, as malloc() aligns it; device memory on a GPU, aligned to 64
  // bytes. Two executions at once need two. Without it memory is taken and given back as needed.
  void* workspace = nullptr;

  // A CUstream or cudaStream_t of the GPU: the work is enqueued there. Without it: the default stream. On a CPU, which has no
  // streams, giving one is an Error.
  void* stream = nullptr;
};

}  // namespace skipper
