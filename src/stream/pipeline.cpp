// See pipeline.h. Three threads a pass: one gathers, one feeds the device's lanes, the caller's scatters and reports.
// Buffers go round in queues; copies and sweeps are ordered by marks between lanes, so the feeding thread waits only
// for buffers.
#include "stream/pipeline.h"

#include <algorithm>
#include <exception>
#include <map>
#include <thread>

#include "stream/hermitian.h"
#include "stream/queue.h"
#include "stream/slices.h"
#include "stream/twiddle.h"

namespace skipper::stream {
namespace {

/// Memory of a port, given back when it goes.
class Buffer {
 public:
  Buffer(Device& device, Index bytes, bool on_host)
      : device_(&device),
        on_host_(on_host),
        data_(on_host ? device.allocate_host(bytes) : device.allocate(bytes)) {}
  Buffer(Buffer&& other) noexcept
      : device_(other.device_), on_host_(other.on_host_), data_(std::exchange(other.data_, nullptr)) {}
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() {
    if (data_) on_host_ ? device_->release_host(data_) : device_->release(data_);
  }
  void* data() const { return data_; }

 private:
  Device* device_;
  bool on_host_;
  void* data_;
};

struct Shape {
  Problem problem;
  std::unique_ptr<Prepared> prepared;
};

class DevicePass {
 public:
  DevicePass(Pass const& pass, Device& device, Host& host, std::byte const* from, std::byte* to)
      : pass_(pass),
        cut_(pass.slicing),
        device_(device),
        host_(host),
        loop_(
            [&host](Index count, std::function<void(Index, Index)> const& body) { host.loop(count, body); }),
        from_(from),
        to_(to),
        twiddles_(pass.twiddled),
        shared_(device.shares_memory()) {
    for (Index i = 0; i < cut_.slices; ++i) {
      std::vector<Index> const counts = slice_box(pass.whole, cut_.extents, i).count;
      if (shapes_.contains(counts)) continue;
      Problem const problem = slice_problem(pass.whole, counts);
      shapes_.emplace(counts, Shape{problem, device.prepare(problem)});
    }
    Index workspace = 0;
    for (auto const& [counts, shape] : shapes_)
      workspace = std::max(workspace, shape.prepared->workspace_bytes());
    if (workspace > 0) workspace_.emplace_back(device, workspace, false);
    for (int i = 0; i < cut_.slots; ++i) {
      slots_in_.emplace_back(device, cut_.in_bytes, false);
      if (!cut_.in_place) slots_out_.emplace_back(device, cut_.out_bytes, false);
      if (shared_) free_in_.push(i);
    }
    for (int i = 0; !shared_ && i < std::min<Index>(2, cut_.slices); ++i) {
      host_in_.emplace_back(device, cut_.in_bytes, true);
      host_out_.emplace_back(device, cut_.out_bytes, true);
      free_in_.push(i);
      free_out_.push(i);
    }
    marks_in_.resize(host_in_.size());
    marks_slot_.resize(static_cast<std::size_t>(cut_.slots));
  }

  /// Scatters on this thread; done(slice) after each.
  void run(std::function<void()> const& done) {
    std::thread gathers([this] { guarded([this] { gather(); }); });
    std::thread feeds([this] { guarded([this] { shared_ ? feed_shared() : feed(); }); });
    guarded([&] { scatter(done); });
    gathers.join();
    feeds.join();
    settle();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Ready {
    Index slice;
    int buffer;
    MarkRef mark;
  };

  /// The first error stops every stage.
  template <class Body>
  void guarded(Body&& body) {
    try {
      body();
    } catch (...) {
      {
        std::lock_guard lock(error_mutex_);
        if (!error_) error_ = std::current_exception();
      }
      free_in_.stop();
      full_in_.stop();
      free_out_.stop();
      full_out_.stop();
    }
  }

  /// Nothing may be freed while the device works on it.
  void settle() {
    for (Lane const lane : {Lane::up, Lane::sweeps, Lane::down}) guarded([&] { device_.mark(lane)->wait(); });
  }

  Shape const& shape(Index slice) const {
    return shapes_.at(slice_box(pass_.whole, cut_.extents, slice).count);
  }
  void* slot_out(std::size_t i) const { return (cut_.in_place ? slots_in_ : slots_out_)[i].data(); }
  void* workspace() const { return workspace_.empty() ? nullptr : workspace_[0].data(); }

  void gather() {
    for (Index i = 0; i < cut_.slices; ++i) {
      auto const buffer = free_in_.pop();
      if (!buffer) return;
      auto const at = static_cast<std::size_t>(*buffer);
      if (!shared_ && marks_in_[at]) marks_in_[at]->wait();  // its last copy up
      Box const box = slice_box(pass_.whole, cut_.extents, i);
      Index const bytes = in_element_bytes(pass_.whole);
      auto* const data = static_cast<std::byte*>((shared_ ? slots_in_ : host_in_)[at].data());
      if (pass_.hermitian && pass_.twiddled)
        gather_hermitian(pass_, box, shape(i).problem, from_, data, loop_);
      else
        copy_box(gather_dims(pass_.whole, shape(i).problem), bytes,
                 from_ + in_offset(pass_.whole, box) * bytes, data, loop_);
      full_in_.push(*buffer);
    }
  }

  void feed() {
    for (Index i = 0; i < cut_.slices; ++i) {
      auto const buffer = full_in_.pop();
      if (!buffer) return;
      auto const at = static_cast<std::size_t>(*buffer), slot = static_cast<std::size_t>(i % cut_.slots);
      Shape const& s = shape(i);
      if (marks_slot_[slot]) device_.await(Lane::up, *marks_slot_[slot]);  // the slot's last copy down
      device_.copy_up(slots_in_[slot].data(), host_in_[at].data(), in_bytes(s.problem));
      MarkRef const up = marks_in_[at] = device_.mark(Lane::up);
      free_in_.push(*buffer);
      device_.await(Lane::sweeps, *up);
      device_.run(*s.prepared, slots_in_[slot].data(), slot_out(slot), workspace());
      MarkRef const swept = device_.mark(Lane::sweeps);
      auto const target = free_out_.pop();
      if (!target) return;
      device_.await(Lane::down, *swept);
      device_.copy_down(host_out_[static_cast<std::size_t>(*target)].data(), slot_out(slot),
                        out_bytes(s.problem));
      marks_slot_[slot] = device_.mark(Lane::down);
      full_out_.push({i, *target, marks_slot_[slot]});
    }
  }

  void feed_shared() {
    for (Index i = 0; i < cut_.slices; ++i) {
      auto const buffer = full_in_.pop();
      if (!buffer) return;
      auto const slot = static_cast<std::size_t>(*buffer);
      device_.run(*shape(i).prepared, slots_in_[slot].data(), slot_out(slot), workspace());
      full_out_.push({i, *buffer, device_.mark(Lane::sweeps)});
    }
  }

  void scatter(std::function<void()> const& done) {
    for (Index i = 0; i < cut_.slices; ++i) {
      auto const ready = full_out_.pop();
      if (!ready) return;
      ready->mark->wait();
      auto const at = static_cast<std::size_t>(ready->buffer);
      auto* const data = static_cast<std::byte*>(shared_ ? slot_out(at) : host_out_[at].data());
      Box const box = slice_box(pass_.whole, cut_.extents, ready->slice);
      Problem const& problem = shape(ready->slice).problem;
      if (pass_.twiddled) twiddles_.apply(pass_, box, problem, data, loop_);
      Index const bytes = out_element_bytes(pass_.whole);
      if (pass_.hermitian && !pass_.twiddled)
        scatter_hermitian(pass_, box, problem, data, to_, loop_);
      else
        copy_box(scatter_dims(pass_.whole, problem), bytes, data, to_ + out_offset(pass_.whole, box) * bytes,
                 loop_);
      (shared_ ? free_in_ : free_out_).push(ready->buffer);
      done();
    }
  }

  Pass const& pass_;
  Slicing const& cut_;
  Device& device_;
  Host& host_;
  Loop loop_;
  std::byte const* from_;
  std::byte* to_;
  Twiddles twiddles_;
  bool shared_;
  std::map<std::vector<Index>, Shape> shapes_;
  std::vector<Buffer> workspace_, slots_in_, slots_out_, host_in_, host_out_;
  std::vector<MarkRef> marks_in_, marks_slot_;
  Queue<int> free_in_, full_in_, free_out_;
  Queue<Ready> full_out_;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace

void execute(Schedule const& schedule, Device& device, Host& host, void const* in, void* out, void* work,
             std::function<bool(StreamProgress const&)> const& progress) {
  StreamProgress state;
  for (Pass const& pass : schedule.passes) state.slices += pass.on_device ? pass.slicing.slices : 1;
  auto const done = [&] {
    ++state.slices_done;
    if (progress && !progress(state)) throw Cancelled();
  };
  for (Pass const& pass : schedule.passes) {
    auto const* const from = static_cast<std::byte const*>(pass.from == Array::in    ? in
                                                           : pass.from == Array::out ? out
                                                                                     : work);
    auto* const to = static_cast<std::byte*>(pass.to == Array::out ? out : work);
    if (pass.on_device) {
      DevicePass(pass, device, host, from, to).run(done);
    } else {
      host.run(pass.whole, from, to);
      done();
    }
  }
}

}  // namespace skipper::stream
