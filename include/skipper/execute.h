// What an execution may be given beside its arrays.
//
//   plan.execute(in, out, {.workspace = workspace, .stream = stream});
#pragma once

namespace skipper {

struct ExecuteSettings {
  // Members are given by name. This one has no value to give: it keeps `{pointer}` from compiling, in which a stream would be
  // taken for the workspace.
  struct ByName {
    explicit constexpr ByName(int) {}
  };
  ByName by_name = ByName(0);

  // workspace_bytes() of the caller's memory, aligned to 64 bytes: host memory on a CPU, device memory on a GPU. Two executions at
  // once need two. Without it memory is taken and given back as needed.
  void* workspace = nullptr;

  // A CUstream or cudaStream_t of the GPU: the work is enqueued there. Without it: the default stream. On a CPU, which has no
  // streams, giving one is an Error.
  void* stream = nullptr;
};

}  // namespace skipper
