// See cuda_port.h. Threads of the pipeline have no context of their own, so every call brings it along.
#include "api/cuda_port.h"

#include "gpu/columns.h"
#include "gpu/divide.h"

namespace skipper {
namespace {

using gpu::address;
using gpu::without_timing;

gpu::RowCopy::Side host_side(void const* host, stream::Rows const& rows) {
  return {0, 0, gpu::host_memory, host, 0, nullptr, std::size_t(rows.host_pitch)};
}
gpu::RowCopy::Side device_side(void const* device, stream::Rows const& rows) {
  return {0, 0, gpu::device_memory, nullptr, address(device), nullptr, std::size_t(rows.device_pitch)};
}
gpu::RowCopy row_copy(gpu::RowCopy::Side const& from, gpu::RowCopy::Side const& to,
                      stream::Rows const& rows) {
  return {from, to, std::size_t(rows.bytes), std::size_t(rows.count)};
}

}  // namespace

struct CudaDevice::Ready : stream::Prepared {
  std::shared_ptr<gpu::Transform const> transform;
  Index workspace_bytes() const override { return static_cast<Index>(transform->workspace_bytes()); }
};

struct CudaDevice::Divisor : stream::Prepared {
  gpu::Context context;
  std::unique_ptr<gpu::Divide> divide;
  Index workspace_bytes() const override { return 0; }
  ~Divisor() override {
    gpu::Current const current(context);
    divide.reset();
  }
};

struct CudaDevice::Eliminator : stream::Prepared {
  gpu::Context context;
  std::unique_ptr<gpu::Columns> columns;
  Index workspace_bytes() const override { return 0; }
  ~Eliminator() override {
    gpu::Current const current(context);
    columns.reset();
  }
};

struct CudaDevice::Recorded : stream::Mark {
  CudaDevice& owner;
  gpu::Event event = nullptr;

  explicit Recorded(CudaDevice& device) : owner(device) {
    {
      std::lock_guard lock(owner.mutex_);
      if (!owner.events_.empty()) {
        event = owner.events_.back();
        owner.events_.pop_back();
      }
    }
    if (!event) gpu::demand(owner.driver_.create_event(&event, without_timing), "making an event");
  }
  ~Recorded() override {
    std::lock_guard lock(owner.mutex_);
    owner.events_.push_back(event);
  }
  void wait() const override {
    gpu::Current const current(owner.context_);
    gpu::demand(owner.driver_.synchronise_event(event), "waiting for a slice");
  }
};

CudaDevice::CudaDevice(int device)
    : device_(device), driver_(gpu::demand_driver()), context_(gpu::context_for(device)) {
  gpu::Current const current(context_);
  for (gpu::Stream& stream : streams_)
    gpu::demand(driver_.create_stream(&stream, gpu::non_blocking), "making a stream");
}

CudaDevice::~CudaDevice() {
  gpu::Current const current(context_);
  for (gpu::Stream const stream : streams_)
    if (stream) driver_.destroy_stream(stream);
  for (gpu::Event const event : events_) driver_.destroy_event(event);
}

Index CudaDevice::free_bytes() const {
  gpu::Current const current(context_);
  std::size_t free = 0, all = 0;
  gpu::demand(driver_.free_memory(&free, &all), "asking for free memory");
  return static_cast<Index>(free);
}

void* CudaDevice::allocate(Index bytes) {
  gpu::Current const current(context_);
  gpu::DevicePointer pointer = 0;
  gpu::demand(driver_.allocate(&pointer, static_cast<std::size_t>(bytes)),
              "allocating a slice on the device");
  return reinterpret_cast<void*>(pointer);
}
void CudaDevice::release(void* memory) {
  gpu::Current const current(context_);
  driver_.release(address(memory));
}
void* CudaDevice::allocate_host(Index bytes) {
  gpu::Current const current(context_);
  void* memory = nullptr;
  gpu::demand(driver_.allocate_host(&memory, static_cast<std::size_t>(bytes), 0), "allocating pinned memory");
  return memory;
}
void CudaDevice::release_host(void* memory) {
  gpu::Current const current(context_);
  driver_.release_host(memory);
}

std::unique_ptr<stream::Prepared> CudaDevice::prepare(Problem const& problem) {
  gpu::Current const current(context_);
  auto& transform = transforms_[text(problem)];
  if (!transform) transform = std::make_shared<gpu::Transform const>(problem, device_);
  auto ready = std::make_unique<Ready>();
  ready->transform = transform;
  return ready;
}

std::unique_ptr<stream::Prepared> CudaDevice::prepare(stream::Division const& division) {
  gpu::Current const current(context_);
  auto ready = std::make_unique<Divisor>();
  ready->context = context_;
  ready->divide = std::make_unique<gpu::Divide>(division.symbols, division.complex,
                                                division.precision == Precision::f64, device_);
  return ready;
}

std::unique_ptr<stream::Prepared> CudaDevice::prepare(stream::Elimination const& elimination) {
  gpu::Current const current(context_);
  auto ready = std::make_unique<Eliminator>();
  ready->context = context_;
  std::vector<gpu::ColumnRow> rows;
  for (auto const& r : elimination.rows) rows.push_back({r.lower, r.diagonal, r.upper, r.width});
  ready->columns =
      std::make_unique<gpu::Columns>(rows, elimination.across, elimination.singular, elimination.complex,
                                     elimination.precision == Precision::f64, device_);
  return ready;
}

Index CudaDevice::buffer_bytes(stream::Prepared const& elimination, Index count) const {
  return Index(static_cast<Eliminator const&>(elimination).columns->buffer_bytes(count));
}

void CudaDevice::eliminate(stream::Prepared const& elimination, Index first, Index count, void const* from,
                           void* to, void* buffer, void* constant) {
  gpu::Current const current(context_);
  static_cast<Eliminator const&>(elimination)
      .columns->solve(first, count, address(from), address(to), address(buffer), address(constant),
                      stream_of(stream::StreamId::sweeps));
}

void CudaDevice::divide(stream::Prepared const& division, std::vector<stream::DivisionDim> const& dims,
                        void* data, void* constant) {
  gpu::Current const current(context_);
  std::vector<gpu::Divide::Dim> all;
  for (stream::DivisionDim const& d : dims) all.push_back({d.size, d.first});
  static_cast<Divisor const&>(division).divide->run(all, address(data), address(constant),
                                                    stream_of(stream::StreamId::sweeps));
}

bool CudaDevice::reaches(void const* host) const {
  gpu::Current const current(context_);
  unsigned type = 0;
  int fact = int(gpu::PointerFact::memory_type);
  void* answer = &type;
  gpu::demand(driver_.pointer_facts(1, &fact, &answer, address(host)), "asking where an array lies");
  return type == gpu::host_memory;  // else the system's, of which CUDA knows nothing
}

void CudaDevice::copy_up(void* device, void const* host, stream::Rows const& rows) {
  gpu::Current const current(context_);
  gpu::Stream const up = stream_of(stream::StreamId::up);
  gpu::RowCopy const copy = row_copy(host_side(host, rows), device_side(device, rows), rows);
  gpu::demand(rows.count == 1 ? driver_.to_device_async(address(device), host, std::size_t(rows.bytes), up)
                              : driver_.copy_rows_async(&copy, up),
              "copying a slice to the device");
}
void CudaDevice::copy_down(void* host, void const* device, stream::Rows const& rows) {
  gpu::Current const current(context_);
  gpu::Stream const down = stream_of(stream::StreamId::down);
  gpu::RowCopy const copy = row_copy(device_side(device, rows), host_side(host, rows), rows);
  gpu::demand(rows.count == 1 ? driver_.to_host_async(host, address(device), std::size_t(rows.bytes), down)
                              : driver_.copy_rows_async(&copy, down),
              "copying a slice to the host");
}
void CudaDevice::run(stream::Prepared const& prepared, void const* in, void* out, void* workspace) {
  gpu::Current const current(context_);
  static_cast<Ready const&>(prepared).transform->execute(in, out, workspace,
                                                         stream_of(stream::StreamId::sweeps));
}

stream::MarkRef CudaDevice::mark(stream::StreamId which) {
  gpu::Current const current(context_);
  auto mark = std::make_shared<Recorded>(*this);
  gpu::demand(driver_.record_event(mark->event, stream_of(which)), "recording an event");
  return mark;
}
void CudaDevice::wait_for(stream::StreamId which, stream::Mark const& mark) {
  gpu::Current const current(context_);
  gpu::demand(driver_.wait_for_event(stream_of(which), static_cast<Recorded const&>(mark).event, 0),
              "ordering two streams");
}

}  // namespace skipper
