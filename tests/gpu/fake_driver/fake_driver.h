#pragma once
// A fake driver for the CUDA driver and NVRTC: a shared library with the entry points that Skipper and its tests call,
// backed by host memory. It runs kernels: it finds the spec in the source that NVRTC is given, and a launch runs that
// spec under the emulator. Work on streams waits until something synchronises, so that what is not in stream order
// shows. Calls are counted, and can be made to fail. Its devices claim to be an H200 and an A100.
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "emulator/concurrent.h"

namespace skipper::fake_driver {

/// Forgets counts and planned failures. Memory, streams and modules stay.
void reset();

/// The next call of the entry point but `after` answers `status` and does nothing else.
void fail(std::string const& function, int status, int after = 0);

/// How often an entry point was called, all of them together without a name.
int calls(std::string const& function = "");

/// Bytes of device memory in use, and how many allocations they are.
std::size_t allocated();
int allocations();

/// Device memory is scarce: an allocation beyond so many bytes in all fails. 0: no limit.
void limit_memory(std::size_t bytes);

/// Kernels that ran, as opposed to those only launched.
int kernels_run();

/// From now on one output of every kernel is wrong.
void spoil(bool yes);

/// From now on kernels for more than one block an SM spill so many bytes, as NVRTC says behind its warnings, and the driver.
void spill(int bytes);
/// From now on the driver says that so many bytes of a thread are in local memory, whatever NVRTC says; nothing: it does not
/// say.
void spill_as_loaded(std::optional<int> bytes);

/// From now on no cluster of more blocks fits the devices.
void limit_clusters(int blocks);

/// From now on so many blocks of clusters fit the devices at once, each on an SM of its own or wherever there is room.
void hold_blocks(int apart, int anywhere);
/// From now on blocks of kernels whose blocks wait for each other begin so.
void start_blocks(emulator::Schedule const& schedule);
/// Kernels launched whose blocks may be anywhere.
int launched_anywhere();

/// From now on a device says so of itself: attributes by CUDA's numbers, others as before.
struct Pretended {
  std::string title;
  std::size_t memory = 0;
  std::map<int, int> facts;
};
void pretend(int device, Pretended const& facts);

/// From now on no device reaches memory of another.
void part_devices();

/// Whether memory pools exist.
void offer_pools(bool yes);

/// A context beside the primary one, which is made current, and its end.
void* make_context(int device);
void end_context(void* context);

}  // namespace skipper::fake_driver

// What tests call of CUDA by themselves, as a user would.
extern "C" {
int cuInit(unsigned);
int cuCtxGetCurrent(void**);
int cuCtxPushCurrent_v2(void*);
int cuCtxPopCurrent_v2(void**);
int cuCtxSynchronize();
int cuDevicePrimaryCtxRetain(void**, int);
int cuMemAlloc_v2(unsigned long long*, std::size_t);
int cuMemFree_v2(unsigned long long);
int cuMemAllocManaged(unsigned long long*, std::size_t, unsigned);
int cuMemHostAlloc(void**, std::size_t, unsigned);
int cuMemFreeHost(void*);
int cuMemcpyHtoD_v2(unsigned long long, void const*, std::size_t);
int cuMemcpyDtoH_v2(void*, unsigned long long, std::size_t);
int cuMemcpyDtoDAsync_v2(unsigned long long, unsigned long long, std::size_t, void*);
int cuStreamCreate(void**, unsigned);
int cuStreamDestroy_v2(void*);
int cuStreamSynchronize(void*);
int cuStreamWaitEvent(void*, void*, unsigned);
int cuStreamBeginCapture_v2(void*, int);
int cuStreamEndCapture(void*, void**);
int cuGraphInstantiateWithFlags(void**, void*, unsigned long long);
int cuGraphLaunch(void*, void*);
int cuGraphExecDestroy(void*);
int cuGraphDestroy(void*);
int cuEventCreate(void**, unsigned);
int cuEventDestroy_v2(void*);
int cuEventRecord(void*, void*);
int cuEventSynchronize(void*);
int cuEventElapsedTime(float*, void*, void*);
}
