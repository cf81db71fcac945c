// The driver's table and what is done with it.
#include "gpu.h"

#include <dlfcn.h>
#include <skipper/error.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <type_traits>

namespace skipper::cli {
namespace {

using Address = unsigned long long;
using Handle = void*;

struct Driver {
  int (*init)(unsigned);
  int (*device)(int*, int);
  int (*retain)(Handle*, int);
  int (*push)(Handle);
  int (*pop)(Handle*);
  int (*allocate)(Address*, std::size_t);
  int (*release)(Address);
  int (*allocate_host)(Handle*, std::size_t, unsigned);
  int (*release_host)(Handle);
  int (*upload)(Address, void const*, std::size_t, Handle);
  int (*download)(Handle, Address, std::size_t, Handle);
  int (*copy)(Address, Address, std::size_t, Handle);
  int (*fill)(Address, unsigned char, std::size_t, Handle);
  int (*create_stream)(Handle*, unsigned);
  int (*destroy_stream)(Handle);
  int (*wait)(Handle);
  int (*create_event)(Handle*, unsigned);
  int (*destroy_event)(Handle);
  int (*record)(Handle, Handle);
  int (*synchronize_event)(Handle);
  int (*elapsed)(float*, Handle, Handle);
  int (*begin_capture)(Handle, int);
  int (*end_capture)(Handle, Handle*);
  int (*instantiate)(Handle*, Handle, unsigned long long);
  int (*launch_graph)(Handle, Handle);
  int (*destroy_graph)(Handle);
  int (*destroy_exec)(Handle);
  int (*error_text)(int, char const**);
};

Driver const& driver() {
  static Driver const table = [] {
    char const* const chosen = std::getenv("SKIPPER_CUDA_DRIVER");
    void* const library = ::dlopen(chosen && *chosen ? chosen : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) throw Error("device", "the CUDA driver cannot be opened; use cpu");
    Driver d{};
    auto const find = [&](auto& entry, char const* name) {
      entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(::dlsym(library, name));
      if (!entry) throw Error("device", std::string("the CUDA driver lacks ") + name + "; update it");
    };
    find(d.init, "cuInit");
    find(d.device, "cuDeviceGet");
    find(d.retain, "cuDevicePrimaryCtxRetain");
    find(d.push, "cuCtxPushCurrent_v2");
    find(d.pop, "cuCtxPopCurrent_v2");
    find(d.allocate, "cuMemAlloc_v2");
    find(d.release, "cuMemFree_v2");
    find(d.allocate_host, "cuMemHostAlloc");
    find(d.release_host, "cuMemFreeHost");
    find(d.upload, "cuMemcpyHtoDAsync_v2");
    find(d.download, "cuMemcpyDtoHAsync_v2");
    find(d.copy, "cuMemcpyDtoDAsync_v2");
    find(d.fill, "cuMemsetD8Async");
    find(d.create_stream, "cuStreamCreate");
    find(d.destroy_stream, "cuStreamDestroy_v2");
    find(d.wait, "cuStreamSynchronize");
    find(d.create_event, "cuEventCreate");
    find(d.destroy_event, "cuEventDestroy_v2");
    find(d.record, "cuEventRecord");
    find(d.synchronize_event, "cuEventSynchronize");
    find(d.elapsed, "cuEventElapsedTime");
    find(d.begin_capture, "cuStreamBeginCapture_v2");
    find(d.end_capture, "cuStreamEndCapture");
    find(d.instantiate, "cuGraphInstantiateWithFlags");
    find(d.launch_graph, "cuGraphLaunch");
    find(d.destroy_graph, "cuGraphDestroy");
    find(d.destroy_exec, "cuGraphExecDestroy");
    find(d.error_text, "cuGetErrorString");
    return d;
  }();
  return table;
}

void demand(int status, char const* doing) {
  if (status == 0) return;
  char const* words = nullptr;
  driver().error_text(status, &words);
  std::string const why = words ? words : "unknown error";
  throw Error(status == 2 ? "memory" : "device", std::string(doing) + " failed: " + why);
}

Address address(void const* pointer) { return Address(reinterpret_cast<std::uintptr_t>(pointer)); }

}  // namespace

struct Cuda::State {
  Handle context = nullptr, stream = nullptr, begin = nullptr, end = nullptr;
  std::map<std::string, Memory> device, host;
};

Cuda::Cuda(int device) : state_(std::make_unique<State>()) {
  Driver const& d = driver();
  int handle = 0;
  demand(d.init(0), "starting the CUDA driver");
  demand(d.device(&handle, device), "finding the device");
  demand(d.retain(&state_->context, handle), "retaining the device's context");
  demand(d.push(state_->context), "making the context current");
  demand(d.create_stream(&state_->stream, 1), "making a stream");  // one that waits for no other
  demand(d.create_event(&state_->begin, 0), "making an event");
  demand(d.create_event(&state_->end, 0), "making an event");
}

Cuda::~Cuda() {
  Driver const& d = driver();
  free_device_memory();
  for (auto const& [name, memory] : state_->host) d.release_host(memory.data);
  d.destroy_event(state_->begin);
  d.destroy_event(state_->end);
  d.destroy_stream(state_->stream);
  Handle context = nullptr;
  d.pop(&context);
}

Cuda::Memory Cuda::device_memory(std::string const& name, std::size_t bytes) {
  Memory& m = state_->device[name];
  if (m.bytes >= bytes) return m;
  if (m.data) driver().release(address(m.data));
  m = {};
  Address made = 0;
  demand(driver().allocate(&made, bytes), "allocating device memory");
  return m = {reinterpret_cast<void*>(made), bytes};
}

Cuda::Memory Cuda::host_memory(std::string const& name, std::size_t bytes) {
  Memory& m = state_->host[name];
  if (m.bytes >= bytes) return m;
  if (m.data) driver().release_host(m.data);
  m = {};
  Handle made = nullptr;
  demand(driver().allocate_host(&made, bytes, 0), "allocating pinned memory");
  return m = {made, bytes};
}

void Cuda::free_device_memory() {
  for (auto const& [name, memory] : state_->device)
    if (memory.data) driver().release(address(memory.data));
  state_->device.clear();
}

void Cuda::upload(void* device, void const* host, std::size_t bytes) {
  demand(driver().upload(address(device), host, bytes, state_->stream), "copying to the device");
  wait();
}
void Cuda::download(void* host, void const* device, std::size_t bytes) {
  demand(driver().download(host, address(device), bytes, state_->stream), "copying from the device");
  wait();
}
void Cuda::copy(void* to, void const* from, std::size_t bytes) {
  demand(driver().copy(address(to), address(from), bytes, state_->stream), "copying on the device");
}
void Cuda::fill(void* device, unsigned char value, std::size_t bytes) {
  demand(driver().fill(address(device), value, bytes, state_->stream), "filling device memory");
}
void Cuda::wait() { demand(driver().wait(state_->stream), "waiting for the device"); }
void* Cuda::stream() const { return state_->stream; }

double Cuda::seconds(std::function<void()> const& work) {
  Driver const& d = driver();
  demand(d.record(state_->begin, state_->stream), "recording an event");
  work();
  demand(d.record(state_->end, state_->stream), "recording an event");
  demand(d.synchronize_event(state_->end), "waiting for the device");
  float milliseconds = 0;
  demand(d.elapsed(&milliseconds, state_->begin, state_->end), "reading the time");
  return double(milliseconds) / 1e3;
}

std::function<void()> Cuda::replayed(std::function<void()> const& work, int times) {
  Driver const& d = driver();
  Handle graph = nullptr, exec = nullptr;
  constexpr int relaxed = 2;
  demand(d.begin_capture(state_->stream, relaxed), "beginning a capture");
  for (int i = 0; i < times; ++i) work();
  demand(d.end_capture(state_->stream, &graph), "ending a capture");
  int const status = d.instantiate(&exec, graph, 0);
  d.destroy_graph(graph);
  demand(status, "making a graph");
  std::shared_ptr<void> const held(exec, d.destroy_exec);
  return [this, held] { demand(driver().launch_graph(held.get(), state_->stream), "launching a graph"); };
}

int cuda_device(std::string const& name) {
  return name.starts_with("cuda:") ? std::atoi(name.c_str() + 5) : -1;
}

}  // namespace skipper::cli
