// The driver's entry points. Each counts itself, fails where a test wants it, and does the least that is true.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include "gpu/driver.h"
#include "gpu/fake_driver/kernels.h"
#include "gpu/fake_driver/world.h"

using namespace skipper::fake_driver;

#define FAKE_DRIVER extern "C" __attribute__((visibility("default")))
// Enters an entry point: takes the lock, counts the call, leaves where it is to fail.
#define ENTER                                                      \
  std::lock_guard<std::recursive_mutex> const lock(world().mutex); \
  if (int const planned = called(__func__)) return planned

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int devices() {
  char const* const given = std::getenv("FAKE_DRIVER_DEVICES");
  return given ? std::atoi(given) : 2;
}

/// What a synchronisation says: the first failure of the work it waited for, once.
int told() {
  int const status = world().trouble;
  world().trouble = success;
  return status;
}

struct Facts {
  int number, h200, a100;
};
constexpr Facts facts[] = {{1, 1024, 1024},    {10, 32, 32},
                           {16, 132, 108},     {36, 3201000, 1593000},
                           {37, 6144, 5120},   {38, 60 << 20, 40 << 20},
                           {39, 2048, 2048},   {75, 9, 8},
                           {76, 0, 0},         {81, 228 << 10, 164 << 10},
                           {82, 65536, 65536}, {97, 227 << 10, 163 << 10},
                           {106, 32, 32},      {111, 1024, 1024},
                           {120, 1, 0}};

void* at(Address address) { return reinterpret_cast<void*>(address); }

}  // namespace

FAKE_DRIVER int cuInit(unsigned) {
  ENTER;
  char const* const given = std::getenv("FAKE_DRIVER_INIT");
  return given ? std::atoi(given) : success;
}
FAKE_DRIVER int cuDriverGetVersion(int* version) {
  char const* const given = std::getenv("FAKE_DRIVER_VERSION");
  *version = given ? std::atoi(given) : 13000;
  return success;
}
FAKE_DRIVER int cuDeviceGetCount(int* count) {
  ENTER;
  *count = devices();
  return success;
}
FAKE_DRIVER int cuDeviceGet(int* device, int number) {
  ENTER;
  *device = number;
  return number >= 0 && number < devices() ? success : invalid_device;
}
FAKE_DRIVER int cuDeviceGetName(char* name, int size, int device) {
  ENTER;
  auto const pretended = world().pretended.find(device);
  std::string const title = pretended != world().pretended.end() ? pretended->second.title
                            : device == 0                        ? "Fake driver H200"
                                                                 : "Fake driver A100";
  std::strncpy(name, title.c_str(), std::size_t(size));
  return success;
}
FAKE_DRIVER int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  ENTER;
  auto const pretended = world().pretended.find(device);
  *bytes = pretended != world().pretended.end() ? pretended->second.memory : std::size_t(64) << 30;
  return success;
}
FAKE_DRIVER int cuDeviceGetAttribute(int* value, int number, int device) {
  ENTER;
  *value = number == 115 ? world().pools : 0;
  for (Facts const& f : facts)
    if (f.number == number) *value = device == 0 ? f.h200 : f.a100;
  if (auto const pretended = world().pretended.find(device); pretended != world().pretended.end())
    if (auto const fact = pretended->second.facts.find(number); fact != pretended->second.facts.end())
      *value = fact->second;
  return success;
}
FAKE_DRIVER int cuGetErrorString(int status, char const** words) {
  *words = status == out_of_memory ? "out of memory" : status == success ? "no error" : "a planned failure";
  return success;
}

// ---- Contexts.

FAKE_DRIVER int cuDevicePrimaryCtxRetain(void** context, int device) {
  ENTER;
  auto& primary = world().primary[device];
  if (!primary) {
    primary = std::make_unique<Context>(Context{device, ++world().contexts_made});
    world().contexts.insert(primary.get());
  }
  *context = primary.get();
  return success;
}
FAKE_DRIVER int cuCtxGetCurrent(void** context) {
  ENTER;
  *context = current();
  return success;
}
FAKE_DRIVER int cuCtxGetDevice(int* device) {
  ENTER;
  if (!current()) return invalid_context;
  *device = current()->device;
  return success;
}
FAKE_DRIVER int cuCtxGetId(void* context, unsigned long long* id) {
  ENTER;
  *id = static_cast<Context*>(context)->id;
  return success;
}
FAKE_DRIVER int cuCtxPushCurrent_v2(void* context) {
  ENTER;
  auto* const known = static_cast<Context*>(context);
  if (!world().contexts.count(known)) return invalid_context;
  context_stack().push_back(known);
  return success;
}
FAKE_DRIVER int cuCtxPopCurrent_v2(void** context) {
  ENTER;
  if (context_stack().empty()) return invalid_context;
  *context = current();
  context_stack().pop_back();
  return success;
}
FAKE_DRIVER int cuCtxSynchronize() {
  ENTER;
  if (int const status = forbidden_under_capture()) return status;
  drain(current());
  return told();
}
FAKE_DRIVER int cuThreadExchangeStreamCaptureMode(int* mode) {
  ENTER;
  std::swap(*mode, capture_mode());
  return success;
}

// ---- Memory.

FAKE_DRIVER int cuMemAlloc_v2(Address* pointer, std::size_t bytes) {
  ENTER;
  if (int const status = forbidden_under_capture()) return status;
  return allocate(pointer, bytes, Allocation::Sort::device);
}
FAKE_DRIVER int cuMemAllocManaged(Address* pointer, std::size_t bytes, unsigned) {
  ENTER;
  return allocate(pointer, bytes, Allocation::Sort::managed);
}
FAKE_DRIVER int cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  ENTER;
  Address address = 0;
  int const status = allocate(&address, bytes, Allocation::Sort::pinned);
  *pointer = at(address);
  return status;
}
FAKE_DRIVER int cuMemFreeHost(void* pointer) {
  ENTER;
  return release(Address(reinterpret_cast<std::uintptr_t>(pointer)));
}
FAKE_DRIVER int cuMemFree_v2(Address pointer) {
  ENTER;
  if (int const status = forbidden_under_capture()) return status;
  drain(current());  // as the driver does
  return release(pointer);
}
FAKE_DRIVER int cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
  ENTER;
  *total = world().most ? world().most : std::size_t(64) << 30;
  *free = *total - world().in_use;
  return success;
}
FAKE_DRIVER int cuMemPoolCreate(void** pool, void const* properties) {
  ENTER;
  int values[4];
  std::memcpy(values, properties, sizeof values);
  if (values[0] != 1 || values[2] != 1 || values[3] < 0 || values[3] >= devices()) return invalid_value;
  *pool = new int(values[3]);
  return success;
}
FAKE_DRIVER int cuMemPoolDestroy(void* pool) {
  ENTER;
  delete static_cast<int*>(pool);
  return success;
}
FAKE_DRIVER int cuMemPoolSetAttribute(void*, int, void*) {
  ENTER;
  return success;
}
FAKE_DRIVER int cuMemAllocFromPoolAsync(Address* pointer, std::size_t bytes, void* pool, void* handle) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream || *static_cast<int*>(pool) != current()->device)
    return stream ? invalid_value : invalid_handle;
  int const status = allocate(pointer, bytes, Allocation::Sort::device);
  if (status == success && stream->captured) stream->captured->memory.push_back(*pointer);
  return status;
}
/// From the device's own pool.
FAKE_DRIVER int cuMemAllocAsync(Address* pointer, std::size_t bytes, void* handle) {
  ENTER;
  int device = current() ? current()->device : -1;
  return current() ? cuMemAllocFromPoolAsync(pointer, bytes, &device, handle) : invalid_context;
}
FAKE_DRIVER int cuMemFreeAsync(Address pointer, void* handle) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  if (stream->captured) return success;  // the graph keeps it
  return enqueue(*stream, [pointer] { return release(pointer); });
}
FAKE_DRIVER int cuPointerGetAttributes(unsigned count, int* which, void** answers, Address pointer) {
  ENTER;
  auto const found = holder(pointer);
  bool const known = found != world().memory.end();
  for (unsigned i = 0; i < count; ++i) {
    auto const sort = known ? found->second.sort : Allocation::Sort::pinned;
    if (which[i] == 2)
      *static_cast<unsigned*>(answers[i]) = !known ? 0 : sort == Allocation::Sort::pinned ? 1 : 2;
    if (which[i] == 8) *static_cast<char*>(answers[i]) = known && sort == Allocation::Sort::managed;
    if (which[i] == 9) *static_cast<int*>(answers[i]) = known ? found->second.device : -2;
  }
  return success;
}
FAKE_DRIVER int cuMemcpyHtoDAsync_v2(Address to, void const* from, std::size_t bytes, void* handle) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  std::string copy(static_cast<char const*>(from), bytes);  // host memory is read before the call returns
  return enqueue(*stream, [to, copy] {
    if (holder(to) == world().memory.end()) return int(illegal_address);
    std::memcpy(at(to), copy.data(), copy.size());
    mark_written(to, copy.size());
    return int(success);
  });
}
FAKE_DRIVER int cuMemcpyDtoHAsync_v2(void* to, Address from, std::size_t bytes, void* handle) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  if (holder(from) == world().memory.end()) return invalid_value;
  return enqueue(*stream, [=] {
    std::memcpy(to, at(from), bytes);
    return int(success);
  });
}
FAKE_DRIVER int cuMemcpy2DAsync_v2(void const* copy, void* handle) {
  ENTER;
  struct Side {
    std::size_t x, y;
    unsigned type;
    char* host;
    Address device;
    void* array;
    std::size_t pitch;
    char* row(std::size_t i) const {
      return (type == 1 ? host : static_cast<char*>(at(device))) + x + (y + i) * pitch;
    }
  };
  struct Copy {
    Side from, to;
    std::size_t width, height;
  } c;
  std::memcpy(&c, copy, sizeof c);
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  for (Side const& side : {c.from, c.to})
    if (side.pitch < c.width || (side.type == 2 && holder(side.device) == world().memory.end()))
      return invalid_value;
  return enqueue(*stream, [c] {
    for (std::size_t i = 0; i < c.height; ++i) {
      std::memcpy(c.to.row(i), c.from.row(i), c.width);
      auto const address = [&](Side const& side) {
        return Address(reinterpret_cast<std::uintptr_t>(side.row(i)));
      };
      copy_marks(address(c.to), address(c.from), c.width);
    }
    return int(success);
  });
}
FAKE_DRIVER int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void* handle) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  if (holder(from) == world().memory.end() || holder(to) == world().memory.end()) return invalid_value;
  return enqueue(*stream, [=] {
    std::memcpy(at(to), at(from), bytes);
    copy_marks(to, from, bytes);
    return int(success);
  });
}
FAKE_DRIVER int cuMemcpyAsync(Address to, Address from, std::size_t bytes, void* handle) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, handle);
}
FAKE_DRIVER int cuMemsetD8Async(Address to, unsigned char value, std::size_t bytes, void* handle) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  if (holder(to) == world().memory.end()) return invalid_value;
  return enqueue(*stream, [=] {
    std::memset(at(to), value, bytes);
    mark_written(to, bytes);
    return int(success);
  });
}
FAKE_DRIVER int cuMemcpyHtoD_v2(Address to, void const* from, std::size_t bytes) {
  if (int const status = cuMemcpyHtoDAsync_v2(to, from, bytes, nullptr)) return status;
  return cuStreamSynchronize(nullptr);
}
FAKE_DRIVER int cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
  if (int const status = cuMemcpyDtoHAsync_v2(to, from, bytes, nullptr)) return status;
  return cuStreamSynchronize(nullptr);
}

// ---- Other devices and processes. All devices reach each other; nobody else is there to open memory.

FAKE_DRIVER int cuDeviceCanAccessPeer(int* can, int device, int peer) {
  ENTER;
  *can = device != peer && world().peers;
  return device < 0 || peer < 0 || device >= devices() || peer >= devices() ? invalid_device : success;
}
FAKE_DRIVER int cuCtxEnablePeerAccess(void* context, unsigned flags) {
  ENTER;
  auto* const peer = static_cast<Context*>(context);
  if (flags != 0 || !world().contexts.count(peer) || peer->device == current()->device) return invalid_value;
  return world().reached.insert({current(), peer}).second ? success : peer_access_enabled;
}
FAKE_DRIVER int cuIpcGetMemHandle(void* handle, Address pointer) {
  ENTER;
  auto const found = world().memory.find(pointer);
  if (found == world().memory.end() || found->second.sort != Allocation::Sort::device) return invalid_value;
  std::memset(handle, 0, 64);
  std::memcpy(handle, &pointer, sizeof pointer);
  return success;
}
struct IpcHandle {
  unsigned char bytes[64];
};
FAKE_DRIVER int cuIpcOpenMemHandle_v2(Address*, IpcHandle, unsigned) {
  ENTER;
  return invalid_context;  // as CUDA says of memory of the same process
}
FAKE_DRIVER int cuIpcCloseMemHandle(Address) {
  ENTER;
  return invalid_value;
}

// ---- Streams, events and graphs.

FAKE_DRIVER int cuStreamCreate(void** handle, unsigned flags) {
  ENTER;
  if (!current()) return invalid_context;
  auto* const stream = new Stream;
  stream->context = current();
  stream->blocking = !(flags & 1);
  world().streams.insert(stream);
  *handle = stream;
  return success;
}
FAKE_DRIVER int cuStreamDestroy_v2(void* handle) {
  ENTER;
  auto* const stream = static_cast<Stream*>(handle);
  if (!world().streams.erase(stream)) return invalid_handle;
  drain(*stream);
  delete stream;
  return success;
}
FAKE_DRIVER int cuStreamSynchronize(void* handle) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  if (stream->captured) {
    stream->captured->invalid = true;
    return capture_unsupported;
  }
  drain(*stream);
  return told();
}
FAKE_DRIVER int cuStreamIsCapturing(void* handle, int* status) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  *status = stream->captured ? 1 : 0;
  return success;
}
FAKE_DRIVER int cuStreamGetCaptureInfo(void* handle, int* status, unsigned long long* number) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  *status = stream->captured ? 1 : 0;
  if (stream->captured) *number = stream->captured->number;
  return success;
}
FAKE_DRIVER int cuStreamBeginCapture_v2(void* handle, int mode) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream || !handle) return invalid_handle;
  stream->captured = std::make_shared<Graph>();
  stream->captured->number = ++world().captures;
  stream->mode = mode;
  return success;
}
FAKE_DRIVER int cuStreamEndCapture(void* handle, void** graph) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream || !stream->captured) return invalid_handle;
  auto const captured = std::move(stream->captured);
  stream->captured = nullptr;
  *graph = nullptr;
  bool loose = false;
  for (Stream* s : world().streams)
    if (s->captured == captured) {
      loose = loose || s->loose;
      s->captured = nullptr;
      s->forked = s->loose = false;
    }
  if (captured->invalid) return capture_invalidated;
  if (loose) return capture_unjoined;
  *graph = new std::shared_ptr<Graph>(captured);
  return success;
}
FAKE_DRIVER int cuGraphInstantiateWithFlags(void** exec, void* graph, unsigned long long) {
  ENTER;
  *exec = new std::shared_ptr<Graph>(*static_cast<std::shared_ptr<Graph>*>(graph));
  return success;
}
FAKE_DRIVER int cuGraphLaunch(void* exec, void* handle) {
  ENTER;
  Stream* const stream = stream_of(handle);
  if (!stream) return invalid_handle;
  for (Work const& work : (*static_cast<std::shared_ptr<Graph>*>(exec))->works) enqueue(*stream, work);
  return success;
}
FAKE_DRIVER int cuGraphExecDestroy(void* exec) {
  ENTER;
  auto* const held = static_cast<std::shared_ptr<Graph>*>(exec);
  if (held->use_count() == 1)
    for (Address const pointer : (*held)->memory) release(pointer);
  delete held;
  return success;
}
FAKE_DRIVER int cuGraphDestroy(void* graph) { return cuGraphExecDestroy(graph); }

FAKE_DRIVER int cuEventCreate(void** event, unsigned) {
  ENTER;
  *event = new Event;
  return success;
}
FAKE_DRIVER int cuEventDestroy_v2(void* event) {
  ENTER;
  delete static_cast<Event*>(event);
  return success;
}
FAKE_DRIVER int cuEventRecord(void* handle, void* stream_handle) {
  ENTER;
  Stream* const stream = stream_of(stream_handle);
  if (!stream) return invalid_handle;
  auto* const event = static_cast<Event*>(handle);
  event->stream = stream;
  event->captured = stream->captured;
  if (stream->captured) return success;
  int const status = enqueue(*stream, [seconds = event->seconds] {
    *seconds = now();
    return int(success);
  });
  event->position = stream->enqueued;
  return status;
}
FAKE_DRIVER int cuEventSynchronize(void* handle) {
  ENTER;
  if (Stream* const stream = static_cast<Event*>(handle)->stream)
    drain(*stream, static_cast<Event*>(handle)->position);
  return told();
}
FAKE_DRIVER int cuEventElapsedTime(float* milliseconds, void* begin, void* end) {
  ENTER;
  *milliseconds = float(1e3 * (*static_cast<Event*>(end)->seconds - *static_cast<Event*>(begin)->seconds));
  return success;
}
FAKE_DRIVER int cuStreamWaitEvent(void* handle, void* event, unsigned) {
  ENTER;
  Stream* const stream = stream_of(handle);
  Event const waited_for = *static_cast<Event*>(event);  // as it is recorded now
  if (!stream) return invalid_handle;
  if (waited_for.captured) {  // forks a stream into the capture, or joins what was forked
    if (stream->captured && stream->captured != waited_for.captured) return capture_invalidated;
    if (!stream->captured) stream->captured = waited_for.captured, stream->forked = true;
    waited_for.stream->loose = false;
    return success;
  }
  return enqueue(*stream, [waited_for] {
    if (waited_for.stream) drain(*waited_for.stream, waited_for.position);
    return int(success);
  });
}

// ---- The driver's compiler.

FAKE_DRIVER void skipper_interpret(char const* text, skipper::ir::Kernel const& kernel) {
  std::lock_guard<std::recursive_mutex> const lock(world().mutex);
  know_kernel(text, kernel);
}
FAKE_DRIVER int cuLinkCreate_v2(unsigned, int*, void**, void** handle) {
  ENTER;
  if (!current()) return invalid_context;
  auto* const link = new Link{architecture(current()->device), ""};
  world().links.insert(link);
  *handle = link;
  return success;
}
FAKE_DRIVER int cuLinkAddData_v2(void* handle, int type, void* data, std::size_t bytes, char const*, unsigned,
                                 int*, void**) {
  ENTER;
  auto* const link = static_cast<Link*>(handle);
  auto const* const text = static_cast<char const*>(data);
  if (type != 1 || bytes == 0 || text[bytes - 1] != 0) return invalid_value;
  auto const kernel = take_kernel(text);
  if (!kernel) return invalid_ptx;
  link->image = image_of(*kernel, link->architecture, "");
  return success;
}
FAKE_DRIVER int cuLinkComplete(void* handle, void** image, std::size_t* bytes) {
  ENTER;
  auto* const link = static_cast<Link*>(handle);
  *image = link->image.data();
  *bytes = link->image.size();
  return link->image.empty() ? invalid_image : success;
}
FAKE_DRIVER int cuLinkDestroy(void* handle) {
  ENTER;
  auto* const link = static_cast<Link*>(handle);
  if (!world().links.erase(link)) return invalid_handle;
  delete link;
  return success;
}

// ---- Modules and launches.

FAKE_DRIVER int cuModuleLoadData(void** handle, void const* image) {
  ENTER;
  if (!current()) return invalid_context;
  Module* const module = parse_cubin(static_cast<char const*>(image));
  if (!module) return no_binary;
  world().modules.insert(module);
  *handle = module;
  return success;
}
FAKE_DRIVER int cuModuleUnload(void* handle) {
  ENTER;
  auto* const module = static_cast<Module*>(handle);
  if (!world().modules.erase(module)) return invalid_handle;
  delete module;
  return success;
}
FAKE_DRIVER int cuModuleGetFunction(void** function, void* handle, char const* name) {
  ENTER;
  auto* const module = static_cast<Module*>(handle);
  if (module->name != name) return not_found;
  *function = &module->function;
  return success;
}
FAKE_DRIVER int cuFuncGetAttribute(int* value, int attribute, void* handle) {
  ENTER;
  if (attribute != 3 || !world().spilled_loaded) return invalid_value;
  auto const& function = *static_cast<Function*>(handle);
  int const resident = function.interpreted ? function.interpreted->resident : function.spec.resident;
  *value = resident == 1 ? 0 : *world().spilled_loaded;
  return success;
}
FAKE_DRIVER int cuFuncSetAttribute(void* handle, int attribute, int value) {
  ENTER;
  auto* const function = static_cast<Function*>(handle);
  if (attribute == 8) function->shared_allowed = value;
  if (attribute == 14) function->large_clusters = value != 0;
  if (attribute == 15) function->anywhere = value == 2;
  bool const share = attribute == 9 && value >= -1 && value <= 100;  // of the memory on chip, a hint
  bool const policy = attribute == 15 && value >= 0 && value <= 2;
  return attribute == 8 || attribute == 14 || share || policy ? success : invalid_value;
}
FAKE_DRIVER int cuOccupancyMaxActiveClusters(int* count, void* handle,
                                             skipper::gpu::LaunchConfig const* config) {
  ENTER;
  auto const& function = *static_cast<Function*>(handle);
  int const ranks = function.interpreted ? function.interpreted->cluster_ranks : function.spec.cluster_ranks;
  if (int(config->grid_x) != ranks || config->count != 0) return invalid_value;
  bool const fits = ranks <= world().largest_cluster &&
                    int(config->shared_bytes) <= function.shared_allowed &&
                    (ranks <= 8 || function.large_clusters);
  *count = fits ? (function.anywhere ? world().blocks_anywhere : world().blocks_apart) / ranks : 0;
  return success;
}
namespace {

int launch_interpreted(Function const& function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                       unsigned by, unsigned bz, unsigned shared, Stream& stream, void** parameters) {
  skipper::ir::Kernel const& kernel = *function.interpreted;
  int const ranks = kernel.cluster_ranks;
  std::int64_t const blocks = std::int64_t(gx) * gy / ranks;
  bool const sound = blocks > 0 && blocks <= kernel.blocks && gz == 1 && int(bx) == kernel.threads &&
                     by == 1 && bz == 1 && gx % unsigned(ranks) == 0 && gy <= 65535 &&
                     int(shared) == kernel.shared_bytes && int(shared) <= function.shared_allowed &&
                     (ranks <= 8 || function.large_clusters) && ranks <= world().largest_cluster;
  if (!sound) return invalid_value;
  world().launched_anywhere += function.anywhere;
  return enqueue(stream, [&function, given = arguments(kernel, parameters), blocks] {
    return run_interpreted(function, given, blocks);
  });
}

}  // namespace

FAKE_DRIVER int cuLaunchKernel(void* handle, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                               unsigned bz, unsigned shared, void* stream_handle, void** parameters, void**) {
  ENTER;
  auto const& function = *static_cast<Function*>(handle);
  auto const& spec = function.spec;
  Stream* const stream = stream_of(stream_handle);
  if (!stream) return invalid_handle;
  if (function.interpreted)
    return launch_interpreted(function, gx, gy, gz, bx, by, bz, shared, *stream, parameters);
  if (!function.plain.empty()) {
    if (gy != 1 || gz != 1 || by != 1 || bz != 1 || !plain_launch(function.plain, gx, bx, shared))
      return invalid_value;
    std::string const arguments(static_cast<char const*>(parameters[0]), argument_bytes(function));
    return enqueue(*stream, [&function, arguments, gx] { return run(function, arguments.data(), gx); });
  }
  skipper::kernel::Wide blocks = spec.cluster_ranks, more = function.last ? 1 : 0;
  for (int g = 0; g < spec.grids; ++g) blocks *= spec.grid_extent[g];
  for (int g = 0; function.last && g < function.last->grids; ++g) more *= function.last->grid_extent[g];
  blocks += more;
  unsigned const element = function.is_double ? 16 : 8;
  int const places = std::max(spec.shared, function.last ? function.last->shared : 0);
  skipper::kernel::Wide const given =
      skipper::kernel::Wide(gx) * gy;  // of an L2 block fewer than of the batch
  bool const sound = given > 0 && given <= blocks && gz == 1 && int(bx) == spec.threads && by == 1 &&
                     bz == 1 && gx % unsigned(spec.cluster_ranks) == 0 && gy <= 65535 &&
                     shared == std::max(unsigned(places) * element, function.last ? 4u : 0u) &&
                     int(shared) <= function.shared_allowed &&
                     (spec.cluster_ranks <= 8 || function.large_clusters) &&
                     spec.cluster_ranks <= world().largest_cluster;
  if (!sound) return invalid_value;
  world().launched_anywhere += function.anywhere;
  std::string const arguments(static_cast<char const*>(parameters[0]), argument_bytes(function));
  return enqueue(*stream, [&function, arguments, tiles = given / spec.cluster_ranks] {
    return run(function, arguments.data(), tiles);
  });
}
/// Only with the one attribute that allows a dependent launch: here it begins in stream order, as a launch like others.
FAKE_DRIVER int cuLaunchKernelEx(skipper::gpu::LaunchConfig const* c, void* handle, void** parameters,
                                 void**) {
  ENTER;
  bool const dependent = c->count == 1 && c->attributes->id == 6 && c->attributes->value == 1;
  auto const& function = *static_cast<Function*>(handle);
  bool const waits =
      function.interpreted ? waits_for_previous(*function.interpreted) : function.spec.flow.dependent;
  if (!dependent || !waits) return invalid_value;
  return cuLaunchKernel(handle, c->grid_x, c->grid_y, c->grid_z, c->block_x, c->block_y, c->block_z,
                        c->shared_bytes, c->stream, parameters, nullptr);
}
