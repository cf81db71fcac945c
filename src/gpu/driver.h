// The CUDA driver and NVRTC, opened at run time. The few types and functions used are declared here by hand, so
// that neither building nor running needs CUDA: a machine without it gets a reason instead of a table.
#pragma once

#include <cstddef>
#include <string>

namespace skipper::gpu {

using Status = int;  // CUresult, nvrtcResult: 0 is success
using DeviceHandle = int;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using DevicePointer = unsigned long long;

// Of CUdevice_attribute.
enum class DeviceFact {
  threads_block = 1,
  shared_block_default = 8,
  warp = 10,
  registers_block = 12,
  sms = 16,
  l2_bytes = 38,
  threads_sm = 39,
  major = 75,
  minor = 76,
  shared_sm = 81,
  registers_sm = 82,
  shared_block = 97,
  blocks_sm = 106,
  shared_reserved = 111,
  cluster_launch = 120
};
// Of CUfunction_attribute.
enum class FunctionFact {
  registers = 4,
  local_bytes = 3,
  dynamic_shared_bytes = 8,
  non_portable_cluster = 13
};

struct Driver {
  Status (*init)(unsigned);
  Status (*driver_version)(int*);
  Status (*device_count)(int*);
  Status (*device)(DeviceHandle*, int);
  Status (*device_name)(char*, int, DeviceHandle);
  Status (*device_memory)(std::size_t*, DeviceHandle);
  Status (*device_fact)(int*, int, DeviceHandle);
  Status (*retain_context)(Context*, DeviceHandle);
  Status (*current_context)(Context*);
  Status (*push_context)(Context);
  Status (*pop_context)(Context*);
  Status (*load_module)(Module*, void const*);
  Status (*unload_module)(Module);
  Status (*find_function)(Function*, Module, char const*);
  Status (*set_function_fact)(Function, int, int);
  Status (*function_fact)(int*, int, Function);
  Status (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,
                   void**, void**);
  Status (*allocate)(DevicePointer*, std::size_t);
  Status (*release)(DevicePointer);
  Status (*to_device)(DevicePointer, void const*, std::size_t);
  Status (*to_host)(void*, DevicePointer, std::size_t);
  Status (*copy_async)(DevicePointer, DevicePointer, std::size_t, Stream);
  Status (*synchronise)();
  Status (*create_event)(Event*, unsigned);
  Status (*destroy_event)(Event);
  Status (*record_event)(Event, Stream);
  Status (*await_event)(Event);
  Status (*elapsed)(float*, Event, Event);
  Status (*error_text)(Status, char const**);
};

struct Nvrtc {
  Status (*version)(int*, int*);
  Status (*create)(struct NvrtcProgram**, char const*, char const*, int, char const* const*,
                   char const* const*);
  Status (*destroy)(struct NvrtcProgram**);
  Status (*add_name)(struct NvrtcProgram*, char const*);
  Status (*compile)(struct NvrtcProgram*, int, char const* const*);
  Status (*lowered_name)(struct NvrtcProgram*, char const*, char const**);
  Status (*cubin_size)(struct NvrtcProgram*, std::size_t*);
  Status (*cubin)(struct NvrtcProgram*, char*);
  Status (*log_size)(struct NvrtcProgram*, std::size_t*);
  Status (*log)(struct NvrtcProgram*, char*);
};

/// The tables, or null with the reason in words.
Driver const* driver(std::string* reason = nullptr);
Nvrtc const* nvrtc(std::string* reason = nullptr);

/// Throws Error with the driver's own words unless status is 0.
void demand(Status status, char const* doing);

/// Makes a device's primary context current for a while, unless the caller has one current already.
class Current {
 public:
  explicit Current(int device);
  ~Current();
  Current(Current const&) = delete;
  Current& operator=(Current const&) = delete;

 private:
  bool pushed_ = false;
};

}  // namespace skipper::gpu
