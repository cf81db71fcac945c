// The CUDA driver and NVRTC, opened at run time. The few types and functions used are declared here by hand, so
// that neither building nor running needs CUDA: a machine without it gets a reason instead of a table.
// SKIPPER_CUDA_DRIVER and SKIPPER_NVRTC name other libraries to open instead, by path.
#pragma once

#include <cstddef>
#include <string>

namespace skipper::ir {
struct Kernel;
}

namespace skipper::gpu {

using Status = int;  // CUresult, nvrtcResult: 0 is success
using DeviceHandle = int;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Link = struct LinkTag*;
using Function = struct FunctionTag*;
using Stream = struct StreamTag*;
using Event = struct EventTag*;
using MemoryPool = struct MemoryPoolTag*;
using DevicePointer = unsigned long long;

/// What users hold, as the driver takes it.
inline DevicePointer address(void const* memory) { return reinterpret_cast<DevicePointer>(memory); }
inline Stream stream_of(void* stream) { return static_cast<Stream>(stream); }

// Of CUresult: those that get words of ours.
inline constexpr Status out_of_memory = 2, invalid_image = 200, no_binary = 209, invalid_handle = 400;
inline constexpr Status lost_by_fork = -1;  // of ours

// Of CUdevice_attribute.
enum class DeviceFact {
  threads_block = 1,
  warp = 10,
  sms = 16,
  memory_clock = 36,  // kHz
  memory_width = 37,  // bits
  l2_bytes = 38,
  threads_sm = 39,
  major = 75,
  minor = 76,
  shared_sm = 81,
  registers_sm = 82,
  shared_block = 97,
  blocks_sm = 106,
  shared_reserved = 111,
  memory_pools = 115,
  cluster_launch = 120
};
// Of CUfunction_attribute.
enum class FunctionFact {
  local_bytes = 3,
  dynamic_shared_bytes = 8,
  shared_percent = 9,
  non_portable_cluster = 14,
  cluster_policy = 15
};
// Of CUclusterSchedulingPolicy: whether blocks of a cluster may share an SM.
enum class ClusterPolicy { usual = 0, balanced = 2 };
// Of CUpointer_attribute, and of CUmemorytype; 0 is memory that CUDA does not know.
enum class PointerFact { memory_type = 2, is_managed = 8, device = 9 };
inline constexpr unsigned host_memory = 1, device_memory = 2;

// CUDA_MEMCPY2D: rows of the same length, evenly apart on either side.
struct RowCopy {
  struct Side {
    std::size_t x = 0, y = 0;
    unsigned type = host_memory;
    void const* host = nullptr;
    DevicePointer device = 0;
    void* array = nullptr;
    std::size_t pitch = 0;
  } from, to;
  std::size_t width = 0, height = 0;
};
static_assert(sizeof(RowCopy) == 128);

// CUipcMemHandle: device memory as another process opens it.
struct MemoryHandle {
  unsigned char bytes[64] = {};
};
inline constexpr unsigned enables_reach = 1;     // of CUipcMem_flags
inline constexpr Status reach_is_enabled = 704;  // of CUresult: it was enabled before
inline constexpr unsigned any_memory = 4;        // of CUmemorytype: the address tells

inline constexpr unsigned non_blocking = 1;    // of CUstream_flags
inline constexpr unsigned without_timing = 2;  // of CUevent_flags
inline constexpr int relaxed = 2;              // of CUstreamCaptureMode

// CUlaunchAttribute and CUlaunchConfig: a launch that may begin before the previous one in the stream has ended.
struct LaunchAttribute {
  int id = 6;
  unsigned pad = 0;
  int value = 1;
  unsigned char rest[60] = {};
};
static_assert(sizeof(LaunchAttribute) == 72);
struct LaunchConfig {
  unsigned grid_x = 1, grid_y = 1, grid_z = 1, block_x = 1, block_y = 1, block_z = 1, shared_bytes = 0;
  Stream stream = nullptr;
  LaunchAttribute* attributes = nullptr;
  unsigned count = 0;
};
static_assert(sizeof(LaunchConfig) == 56);

// CUmemPoolProps: memory of one device, for this process alone.
struct PoolProperties {
  int pinned = 1, handles = 0, on_device = 1, device = 0;
  unsigned char rest[72] = {};
};
static_assert(sizeof(PoolProperties) == 88);
inline constexpr int release_threshold = 4;  // of CUmemPool_attribute

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
  Status (*current_device)(DeviceHandle*);
  Status (*context_id)(Context, unsigned long long*);
  Status (*push_context)(Context);
  Status (*pop_context)(Context*);
  Status (*create_link)(unsigned, int* options, void** values, Link*);
  Status (*add_to_link)(Link, int type, void*, std::size_t, char const* name, unsigned, int* options,
                        void** values);
  Status (*complete_link)(Link, void**, std::size_t*);
  Status (*destroy_link)(Link);
  Status (*load_module)(Module*, void const*);
  Status (*unload_module)(Module);
  Status (*find_function)(Function*, Module, char const*);
  Status (*function_fact)(int*, int, Function);
  Status (*set_function_fact)(Function, int, int);
  Status (*launch)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream,
                   void**, void**);
  Status (*launch_as)(LaunchConfig const*, Function, void**, void**);
  Status (*active_clusters)(int*, Function, LaunchConfig const*);
  Status (*pointer_facts)(unsigned, int*, void**, DevicePointer);
  Status (*allocate)(DevicePointer*, std::size_t);
  Status (*release)(DevicePointer);
  Status (*free_memory)(std::size_t*, std::size_t*);
  Status (*allocate_host)(void**, std::size_t, unsigned);  // pinned
  Status (*release_host)(void*);
  Status (*create_pool)(MemoryPool*, PoolProperties const*);
  Status (*destroy_pool)(MemoryPool);
  Status (*set_pool_fact)(MemoryPool, int, void*);
  Status (*allocate_async)(DevicePointer*, std::size_t, MemoryPool, Stream);
  Status (*release_async)(DevicePointer, Stream);
  Status (*to_device_async)(DevicePointer, void const*, std::size_t, Stream);
  Status (*copy_async)(DevicePointer, DevicePointer, std::size_t, Stream);  // within the device
  Status (*fill_async)(DevicePointer, unsigned char, std::size_t, Stream);
  Status (*to_host_async)(void*, DevicePointer, std::size_t, Stream);
  Status (*copy_rows_async)(RowCopy const*, Stream);
  Status (*copy_any_async)(DevicePointer, DevicePointer, std::size_t,
                           Stream);                       // the addresses tell where they are
  Status (*can_reach)(int*, DeviceHandle, DeviceHandle);  // whether a device may use memory of another
  Status (*enable_reach)(Context, unsigned);              // of the current context into that one
  Status (*export_memory)(MemoryHandle*, DevicePointer);  // for other processes
  Status (*open_memory)(DevicePointer*, MemoryHandle, unsigned);
  Status (*close_memory)(DevicePointer);
  Status (*create_stream)(Stream*, unsigned);
  Status (*destroy_stream)(Stream);
  Status (*create_event)(Event*, unsigned);
  Status (*destroy_event)(Event);
  Status (*record_event)(Event, Stream);
  Status (*synchronise_event)(Event);
  Status (*elapsed_time)(float* milliseconds, Event begin, Event end);
  Status (*wait_for_event)(Stream, Event, unsigned);
  Status (*exchange_capture_mode)(int*);
  Status (*is_capturing)(Stream, int*);
  Status (*capture_info)(Stream, int*, unsigned long long*);
  Status (*synchronise_stream)(Stream);
  Status (*synchronise)();
  Status (*error_text)(Status, char const**);
  /// Only of a driver that interprets kernels, as tests have it; null of NVIDIA's. Takes the kernel that a text is of, PTX or CUDA C++.
  void (*interpret)(char const* text, ir::Kernel const& kernel);
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

/// Whether this process was forked from one that had opened the driver. CUDA works in the process that started it only:
/// every call of the table fails then, and nothing waits for the parent's threads.
bool driver_is_lost() noexcept;

/// Whether NVRTC has been opened, or an attempt has been made.
bool nvrtc_is_open();

/// The tables, or Error with the way out.
Driver const& demand_driver();
Nvrtc const& demand_nvrtc();

/// "13.0", or "" where it is not there.
std::string driver_version();
std::string nvrtc_version();

/// The oldest driver that has all we call, as cuDriverGetVersion counts: CUDA 12.0.
inline constexpr int oldest_driver = 12000;

/// Throws Error with the driver's own words unless status is 0.
void demand(Status status, char const* doing);

}  // namespace skipper::gpu
