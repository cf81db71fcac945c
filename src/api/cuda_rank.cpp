// See cuda_rank.h. Callers may have any context current, so every call brings its own along.
#include "api/cuda_rank.h"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

#include "api/engine.h"
#include "gpu/device.h"
#include "gpu/engine.h"
#include "gpu/swap.h"

namespace skipper {
namespace {

using gpu::address;
using gpu::stream_of;
using gpu::without_timing;

/// What this process has exported: a process cannot open memory of its own, ranks that are its threads still may use it.
class Exports {
 public:
  struct Entry {
    void* memory = nullptr;
    int device = 0;
    gpu::Context context = nullptr;
  };

  static Exports& all() {
    static auto& exports = *new Exports;
    return exports;
  }
  void add(distributed::MemoryHandle const& handle, Entry const& entry) {
    std::lock_guard const lock(mutex_);
    known_[handle] = entry;
  }
  void remove(void* memory) {
    std::lock_guard const lock(mutex_);
    std::erase_if(known_, [&](auto const& entry) { return entry.second.memory == memory; });
  }
  Entry find(distributed::MemoryHandle const& handle) {
    std::lock_guard const lock(mutex_);
    auto const known = known_.find(handle);
    return known == known_.end() ? Entry{} : known->second;
  }

 private:
  std::mutex mutex_;
  std::map<distributed::MemoryHandle, Entry> known_;
};

class CudaRank final : public distributed::Gpu {
 public:
  explicit CudaRank(int device);
  ~CudaRank() override;

  void* allocate(Index bytes) override;
  void release(void* memory) noexcept override;
  void* allocate_host(Index bytes) override;
  void release_host(void* memory) noexcept override;
  void upload(void* to, void const* from, Index bytes) override;
  std::unique_ptr<distributed::GpuTransform> prepare(distributed::LocalProblem const& local, Index peer_unit,
                                                     distributed::GpuLoad const& load) override;
  distributed::GpuStream make_stream() override;
  std::unique_ptr<distributed::GpuEvent> make_event() override;
  std::unique_ptr<distributed::GpuMark> mark(distributed::GpuStream stream) override;
  bool reaches(distributed::Gpu& other) override;
  bool reaches(int device, gpu::Context context);
  std::optional<distributed::MemoryHandle> exported(void* memory) override;
  void* opened(distributed::MemoryHandle const& handle) override;
  void close(void* memory) noexcept override;
  void copy(stream::RowsOfBox const& rows, void const* from, void* to,
            distributed::GpuStream stream) override;
  void swap(std::vector<stream::BoxDim> const& dims, Index element_bytes, void* a, void* b,
            distributed::GpuStream stream) override;
  void wait(distributed::GpuStream stream, distributed::GpuEvent& event) override;
  void synchronise(distributed::GpuStream stream) override;
  void synchronise() override;

 private:
  class Prepared;
  class Recorded;
  class Marked;

  int device_;
  gpu::Driver const& driver_;
  gpu::Context context_;
  std::vector<gpu::Stream> streams_;
};

class CudaRank::Prepared final : public distributed::GpuTransform {
 public:
  Prepared(Problem const& problem, int device, gpu::Options const& options)
      : transform_(problem, device, options) {}
  Index workspace_bytes() const override { return static_cast<Index>(transform_.workspace_bytes()); }
  void run(void const* in, void* out, void* workspace, distributed::GpuStream stream) const override {
    transform_.execute(in, out, workspace, stream_of(stream));
  }
  void run_to_peers(void const* in, void const* bases, void* workspace,
                    distributed::GpuStream stream) const override {
    transform_.execute_to_peers(in, address(bases), workspace, stream_of(stream));
  }

 private:
  gpu::Transform transform_;
};

class CudaRank::Recorded final : public distributed::GpuEvent {
 public:
  explicit Recorded(CudaRank& owner) : driver_(owner.driver_), context_(owner.context_) {
    gpu::Current const current(context_);
    gpu::demand(driver_.create_event(&event_, without_timing), "making an event");
  }
  ~Recorded() override {
    gpu::Current const current(context_);
    driver_.destroy_event(event_);
  }
  void record(distributed::GpuStream stream) override {
    gpu::Current const current(context_);
    gpu::Status const status = driver_.record_event(event_, stream_of(stream));
    if (status == gpu::invalid_handle)
      throw Error("stream", "is not a stream of the rank's device; give one that was made there");
    gpu::demand(status, "recording an event");
  }
  void synchronise() override {
    gpu::Current const current(context_);
    gpu::demand(driver_.synchronise_event(event_), "waiting for a rank's data");
  }
  gpu::Event event() const { return event_; }

 private:
  gpu::Driver const& driver_;
  gpu::Context context_;
  gpu::Event event_ = nullptr;
};

class CudaRank::Marked final : public distributed::GpuMark {
 public:
  Marked(CudaRank& owner, gpu::Stream stream) : driver_(owner.driver_), context_(owner.context_) {
    constexpr unsigned with_timing = 0;
    gpu::Current const current(context_);
    gpu::demand(driver_.create_event(&event_, with_timing), "making an event");
    gpu::Status const status = driver_.record_event(event_, stream);
    if (status != 0) driver_.destroy_event(event_);
    gpu::demand(status, "recording an event");
  }
  ~Marked() override {
    gpu::Current const current(context_);
    driver_.destroy_event(event_);
  }
  double seconds_since(distributed::GpuMark const& earlier) const override {
    gpu::Current const current(context_);
    gpu::demand(driver_.synchronise_event(event_), "waiting for the end of a phase");
    float milliseconds = 0;
    gpu::demand(driver_.elapsed_time(&milliseconds, static_cast<Marked const&>(earlier).event_, event_),
                "timing a phase");
    return 1e-3 * double(milliseconds);
  }

 private:
  gpu::Driver const& driver_;
  gpu::Context context_;
  gpu::Event event_ = nullptr;
};

CudaRank::CudaRank(int device)
    : device_(device), driver_(gpu::demand_driver()), context_(gpu::context_for(device)) {}

CudaRank::~CudaRank() {
  try {
    gpu::Current const current(context_);
    for (gpu::Stream const stream : streams_) driver_.destroy_stream(stream);
  } catch (Error const&) {  // the context is gone, and with it all that was in it
  }
}

void* CudaRank::allocate(Index bytes) {
  gpu::Current const current(context_);
  gpu::DevicePointer pointer = 0;
  gpu::demand(driver_.allocate(&pointer, static_cast<std::size_t>(bytes)), "allocating a rank's window");
  return reinterpret_cast<void*>(pointer);
}

void CudaRank::release(void* memory) noexcept try {
  Exports::all().remove(memory);
  gpu::Current const current(context_);
  driver_.release(address(memory));
} catch (Error const&) {
}

void* CudaRank::allocate_host(Index bytes) {
  gpu::Current const current(context_);
  constexpr unsigned for_all_contexts = 1;  // CU_MEMHOSTALLOC_PORTABLE
  void* memory = nullptr;
  gpu::demand(driver_.allocate_host(&memory, static_cast<std::size_t>(bytes), for_all_contexts),
              "allocating pinned memory");
  return memory;
}

void CudaRank::release_host(void* memory) noexcept try {
  gpu::Current const current(context_);
  driver_.release_host(memory);
} catch (Error const&) {
}

void CudaRank::upload(void* to, void const* from, Index bytes) {
  gpu::Current const current(context_);
  gpu::Stream made = nullptr;  // the default one may be under capture
  gpu::demand(driver_.create_stream(&made, gpu::non_blocking), "making a stream");
  std::unique_ptr<gpu::StreamTag, gpu::Status (*)(gpu::Stream)> const stream(made, driver_.destroy_stream);
  gpu::demand(driver_.to_device_async(address(to), from, static_cast<std::size_t>(bytes), made),
              "uploading a table");
  gpu::demand(driver_.synchronise_stream(made), "uploading a table");
}

std::unique_ptr<distributed::GpuTransform> CudaRank::prepare(distributed::LocalProblem const& local,
                                                             Index peer_unit,
                                                             distributed::GpuLoad const& load) {
  gpu::Current const current(context_);
  gpu::Options options;
  options.peer_unit = peer_unit;
  options.load = load.text;
  options.data = load.data;
  options.narrow = local.narrow;
  return std::make_unique<Prepared>(local.problem, device_, options);
}

distributed::GpuStream CudaRank::make_stream() {
  gpu::Current const current(context_);
  gpu::Stream stream = nullptr;
  gpu::demand(driver_.create_stream(&stream, gpu::non_blocking), "making a stream");
  streams_.push_back(stream);
  return stream;
}

std::unique_ptr<distributed::GpuEvent> CudaRank::make_event() { return std::make_unique<Recorded>(*this); }

std::unique_ptr<distributed::GpuMark> CudaRank::mark(distributed::GpuStream stream) {
  return std::make_unique<Marked>(*this, stream_of(stream));
}

bool CudaRank::reaches(distributed::Gpu& other) {
  auto const* const peer = dynamic_cast<CudaRank*>(&other);
  return peer && reaches(peer->device_, peer->context_);
}

bool CudaRank::reaches(int device, gpu::Context context) {
  if (device == device_) return context == context_;
  gpu::DeviceHandle mine = 0, theirs = 0;
  int can = 0;
  gpu::demand(driver_.device(&mine, device_), "finding a device");
  gpu::demand(driver_.device(&theirs, device), "finding a device");
  if (driver_.can_reach(&can, mine, theirs) != 0 || !can) return false;
  gpu::Current const current(context_);
  gpu::Status const status = driver_.enable_reach(context, 0);
  return status == 0 || status == gpu::reach_is_enabled;
}

std::optional<distributed::MemoryHandle> CudaRank::exported(void* memory) {
  gpu::Current const current(context_);
  gpu::MemoryHandle made;
  if (driver_.export_memory(&made, address(memory)) != 0) return std::nullopt;
  distributed::MemoryHandle handle;
  std::copy(std::begin(made.bytes), std::end(made.bytes), handle.begin());
  Exports::all().add(handle, {memory, device_, context_});
  return handle;
}

void* CudaRank::opened(distributed::MemoryHandle const& handle) {
  if (auto const own = Exports::all().find(handle); own.memory)
    return reaches(own.device, own.context) ? own.memory : nullptr;
  gpu::Current const current(context_);
  gpu::MemoryHandle given;
  std::copy(handle.begin(), handle.end(), std::begin(given.bytes));
  gpu::DevicePointer pointer = 0;
  if (driver_.open_memory(&pointer, given, gpu::enables_reach) != 0) return nullptr;
  return reinterpret_cast<void*>(pointer);
}

void CudaRank::close(void* memory) noexcept try {
  gpu::Current const current(context_);
  driver_.close_memory(address(memory));  // refused where it is of this process, which is as well
} catch (Error const&) {
}

void CudaRank::copy(stream::RowsOfBox const& rows, void const* from, void* to,
                    distributed::GpuStream stream) {
  gpu::Current const current(context_);
  gpu::DevicePointer const source = address(from) + gpu::DevicePointer(rows.from),
                           target = address(to) + gpu::DevicePointer(rows.to);
  char const* const doing = "copying a part to a peer";
  constexpr Index largest_pitch = Index(1) << 30;  // that every device takes
  if (rows.rows == 1 || std::max(rows.from_pitch, rows.to_pitch) > largest_pitch) {
    for (Index r = 0; r < rows.rows; ++r)
      gpu::demand(driver_.copy_any_async(target + gpu::DevicePointer(r * rows.to_pitch),
                                         source + gpu::DevicePointer(r * rows.from_pitch),
                                         std::size_t(rows.size), stream_of(stream)),
                  doing);
    return;
  }
  auto const side = [](gpu::DevicePointer first, Index pitch) {
    return gpu::RowCopy::Side{0, 0, gpu::any_memory, nullptr, first, nullptr, std::size_t(pitch)};
  };
  gpu::RowCopy const copy{side(source, rows.from_pitch), side(target, rows.to_pitch), std::size_t(rows.size),
                          std::size_t(rows.rows)};
  gpu::demand(driver_.copy_rows_async(&copy, stream_of(stream)), doing);
}

void CudaRank::swap(std::vector<stream::BoxDim> const& dims, Index element_bytes, void* a, void* b,
                    distributed::GpuStream stream) {
  gpu::Current const current(context_);
  std::vector<gpu::SwapDim> boxes;
  for (stream::BoxDim const& d : stream::merged(dims)) boxes.push_back({d.size, d.from, d.to});
  if (boxes.empty() || boxes.back().a != 1 || boxes.back().b != 1) boxes.push_back({1, 1, 1});
  // Elements of 4 to 16 bytes move as reals or complex numbers of that size.
  gpu::Swap(element_bytes != 4, element_bytes == 16, device_)
      .run(boxes, address(a), address(b), stream_of(stream));
}

void CudaRank::wait(distributed::GpuStream stream, distributed::GpuEvent& event) {
  gpu::Current const current(context_);
  gpu::demand(driver_.wait_for_event(stream_of(stream), static_cast<Recorded&>(event).event(), 0),
              "waiting for a rank");
}

void CudaRank::synchronise(distributed::GpuStream stream) {
  gpu::Current const current(context_);
  gpu::demand(driver_.synchronise_stream(stream_of(stream)), "waiting for a rank's stream");
}

void CudaRank::synchronise() {
  gpu::Current const current(context_);
  gpu::demand(driver_.synchronise(), "waiting for a rank's device");
}

}  // namespace

std::optional<int> cuda_number(Device const& device) { return cuda_number(device.name()); }

std::shared_ptr<distributed::Gpu> cuda_rank(int device) { return std::make_shared<CudaRank>(device); }

std::vector<int> cuda_numbers(std::vector<Device> const& devices) {
  if (devices.empty()) throw Error("devices", "is empty; name a GPU for each rank");
  if (devices.size() > 1024)
    throw Error("devices",
                "names " + std::to_string(devices.size()) + " but a process has 1024 ranks at most");
  std::vector<int> numbers;
  for (Device const& device : devices) {
    auto const number = cuda_number(device);
    if (!number)
      throw Error("devices",
                  "names " + device.name() +
                      ", which is no GPU; ranks on CPUs are threads or processes, with a communicator");
    numbers.push_back(*number);
  }
  return numbers;
}

double cuda_copy_bandwidth(std::vector<int> const& devices) {
  double least = std::numeric_limits<double>::infinity();
  for (int const device : devices) least = std::min(least, cuda_copy_bandwidth(device));
  return least;
}

double cuda_copy_bandwidth(int device) { return gpu::device_machine(device).copy_bandwidth; }

}  // namespace skipper
