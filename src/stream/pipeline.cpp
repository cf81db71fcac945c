// See pipeline.h. Three threads a pass: one gathers, one feeds the device's streams, the caller's scatters and reports.
// Where the system gives no thread, the caller's does that work too, slice by slice. Buffers go round in queues; copies and sweeps are ordered by marks between streams, so the feeding thread waits only
// for buffers. Where nothing is gathered or scattered the caller's thread feeds and reports by itself.
#include "stream/pipeline.h"

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "stream/hermitian.h"
#include "stream/queue.h"
#include "stream/slices.h"
#include "stream/twiddle.h"

namespace skipper::stream {
namespace {

/// Arrays that no cache of a host holds. What is gathered is not among them: the link finds it in cache.
constexpr Index beyond_caches = Index(128) << 20;

struct Shape {
  Problem problem;
  std::unique_ptr<Prepared> prepared;
  std::vector<RowsOfBox> rows_in, rows_out;
};

class DevicePass {
 public:
  DevicePass(Pass const& pass, Device& device, Reserve& reserve, Host& host, std::byte const* from,
             std::byte* to)
      : pass_(pass),
        cut_(pass.slicing),
        device_(device),
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
      shapes_.emplace(counts,
                      Shape{problem, device.prepare(problem), rows_of(gather_dims(pass.whole, problem)),
                            rows_of(scatter_dims(pass.whole, problem))});
    }
    choose_direct();
    carve(reserve);
  }

  /// Scatters on this thread; done(slice) after each.
  void run(std::function<void()> const& done) {
    if (direct_in_ && direct_out_) {
      guarded([&] { feed_directly(done); });
      settle();
      if (error_) std::rethrow_exception(error_);
      return;
    }
    std::thread gathers;
    if (!direct_in_) gathers = started([this](Index i) { return gather(i); });
    std::thread feeds = started([this](Index i) { return feed(i); });
    guarded([&] {
      for (Index i = 0; i < cut_.slices; ++i) {
        if (!direct_in_ && !gathers.joinable() && !gather(i)) return;
        if (!feeds.joinable() && !feed(i)) return;
        if (!scatter()) return;
        done();
      }
    });
    if (gathers.joinable()) gathers.join();
    if (feeds.joinable()) feeds.join();
    settle();
    if (error_) std::rethrow_exception(error_);
  }

 private:
  struct Ready {
    Index slice;
    int buffer;  // -1: it is in the caller's array already
    MarkRef mark;
  };

  /// A thread that does a stage of every slice, until it says false; none where the system gives none.
  template <class Stage>
  std::thread started(Stage stage) {
    try {
      return std::thread([this, stage] {
        guarded([&] {
          for (Index i = 0; i < cut_.slices && stage(i); ++i) {
          }
        });
      });
    } catch (std::exception const&) {  // std::system_error, or no memory for the thread
      return {};
    }
  }

  /// Where the caller's memory is pinned and rows are long, the link takes them from there and brings them back.
  void choose_direct() {
    if (shared_) return;
    auto const all = [&](bool in) {
      return std::all_of(shapes_.begin(), shapes_.end(),
                         [&](auto const& s) { return lies_in_rows(pass_, s.second.problem, in); });
    };
    direct_in_ = all(true) && device_.reaches(from_);
    direct_out_ = all(false) && device_.reaches(to_);
  }

  /// Slots and workspace on the device, pinned buffers on the host where data are gathered and scattered.
  void carve(Reserve& reserve) {
    Index workspace = 0;
    for (auto const& [counts, shape] : shapes_)
      workspace = std::max(workspace, shape.prepared->workspace_bytes());
    std::byte* at =
        reserve.on_device(cut_.device_bytes() - aligned(cut_.workspace_bytes) + aligned(workspace));
    auto const take = [&](Index bytes) { return std::exchange(at, at + aligned(bytes)); };
    for (int i = 0; i < cut_.slots; ++i) {
      slots_in_.push_back(take(cut_.in_bytes));
      slots_out_.push_back(cut_.in_place ? slots_in_.back() : take(cut_.out_bytes));
      if (shared_) free_in_.push(i);
    }
    if (workspace > 0) workspace_ = at;
    int const buffers = shared_ ? 0 : int(std::min<Index>(2, cut_.slices));
    Index const bytes =
        buffers * ((direct_in_ ? 0 : aligned(cut_.in_bytes)) + (direct_out_ ? 0 : aligned(cut_.out_bytes)));
    if (bytes > 0) at = reserve.pinned(bytes);
    for (int i = 0; i < buffers; ++i) {
      if (!direct_in_) host_in_.push_back(take(cut_.in_bytes)), free_in_.push(i);
      if (!direct_out_) host_out_.push_back(take(cut_.out_bytes)), free_out_.push(i);
    }
    marks_in_.resize(host_in_.size());
    marks_slot_.resize(static_cast<std::size_t>(cut_.slots));
  }

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
      stopped_ = true;
      free_in_.stop();
      full_in_.stop();
      free_out_.stop();
      full_out_.stop();
    }
  }

  /// Nothing may be freed while the device works on it.
  void settle() {
    for (StreamId const id : {StreamId::up, StreamId::sweeps, StreamId::down})
      guarded([&] { device_.mark(id)->wait(); });
  }

  Shape const& shape(Index slice) const {
    return shapes_.at(slice_box(pass_.whole, cut_.extents, slice).count);
  }

  // The stages of a slice. They say false where the pipeline was stopped.

  bool gather(Index i) {
    auto const buffer = free_in_.pop();
    if (!buffer) return false;
    auto const at = static_cast<std::size_t>(*buffer);
    if (!shared_ && marks_in_[at]) marks_in_[at]->wait();  // its last copy up
    Box const box = slice_box(pass_.whole, cut_.extents, i);
    Index const bytes = in_element_bytes(pass_.whole);
    std::byte* const data = (shared_ ? slots_in_ : host_in_)[at];
    if (pass_.hermitian && pass_.twiddled)
      gather_hermitian(pass_, box, shape(i).problem, from_, data, loop_);
    else
      copy_box(gather_dims(pass_.whole, shape(i).problem), bytes, from_ + in_offset(pass_.whole, box) * bytes,
               data, loop_);
    full_in_.push(*buffer);
    return true;
  }

  bool feed(Index i) {
    if (shared_) return feed_shared(i);
    auto const slot = static_cast<std::size_t>(i % cut_.slots);
    Shape const& s = shape(i);
    if (stopped_ || !send(i, slot, s)) return false;
    device_.run(*s.prepared, slots_in_[slot], slots_out_[slot], workspace_);
    device_.wait_for(StreamId::down, *device_.mark(StreamId::sweeps));
    auto const target = direct_out_ ? std::optional(-1) : free_out_.pop();
    if (!target) return false;
    fetch(i, slot, s, *target);
    full_out_.push({i, *target, marks_slot_[slot]});
    return true;
  }

  /// From the caller's arrays and back into them. A slice is the unit of cancelling; so that no stream waits for this thread,
  /// it is two rounds of slots ahead of what it reports.
  void feed_directly(std::function<void()> const& done) {
    std::deque<MarkRef> sent;  // copies down that may not be done
    auto const report = [&] {
      sent.front()->wait();
      sent.pop_front();
      done();
    };
    for (Index i = 0; i < cut_.slices; ++i) {
      auto const slot = static_cast<std::size_t>(i % cut_.slots);
      if (Index(sent.size()) == 2 * cut_.slots) report();
      Shape const& s = shape(i);
      send(i, slot, s);
      device_.run(*s.prepared, slots_in_[slot], slots_out_[slot], workspace_);
      device_.wait_for(StreamId::down, *device_.mark(StreamId::sweeps));
      fetch(i, slot, s, -1);
      sent.push_back(marks_slot_[slot]);
    }
    while (!sent.empty()) report();
  }

  /// Into the slot, after which the sweeps may begin.
  bool send(Index i, std::size_t slot, Shape const& s) {
    auto const buffer = direct_in_ ? std::optional(-1) : full_in_.pop();
    if (!buffer) return false;
    if (marks_slot_[slot]) device_.wait_for(StreamId::up, *marks_slot_[slot]);
    Index const bytes = in_element_bytes(pass_.whole);
    auto const* const first = from_ + in_offset(pass_.whole, slice_box(pass_.whole, cut_.extents, i)) * bytes;
    for (RowsOfBox const& r : s.rows_in)
      if (direct_in_)
        device_.copy_up(slots_in_[slot] + r.to * bytes, first + r.from * bytes,
                        {r.size * bytes, r.rows, r.to_pitch * bytes, r.from_pitch * bytes});
    if (!direct_in_) device_.copy_up(slots_in_[slot], host_in_[std::size_t(*buffer)], {in_bytes(s.problem)});
    MarkRef const up = device_.mark(StreamId::up);
    device_.wait_for(StreamId::sweeps, *up);
    if (!direct_in_) {
      marks_in_[std::size_t(*buffer)] = up;
      free_in_.push(*buffer);
    }
    return true;
  }

  /// Into a pinned buffer, or right into the caller's array.
  void fetch(Index i, std::size_t slot, Shape const& s, int target) {
    Index const bytes = out_element_bytes(pass_.whole);
    auto* const first = to_ + out_offset(pass_.whole, slice_box(pass_.whole, cut_.extents, i)) * bytes;
    for (RowsOfBox const& r : s.rows_out)
      if (direct_out_)
        device_.copy_down(first + r.to * bytes, slots_out_[slot] + r.from * bytes,
                          {r.size * bytes, r.rows, r.from_pitch * bytes, r.to_pitch * bytes});
    if (!direct_out_)
      device_.copy_down(host_out_[std::size_t(target)], slots_out_[slot], {out_bytes(s.problem)});
    marks_slot_[slot] = device_.mark(StreamId::down);
  }

  bool feed_shared(Index i) {
    auto const buffer = full_in_.pop();
    if (!buffer) return false;
    auto const slot = static_cast<std::size_t>(*buffer);
    device_.run(*shape(i).prepared, slots_in_[slot], slots_out_[slot], workspace_);
    full_out_.push({i, *buffer, device_.mark(StreamId::sweeps)});
    return true;
  }

  /// The next slice that is ready.
  bool scatter() {
    auto const ready = full_out_.pop();
    if (!ready) return false;
    ready->mark->wait();
    if (ready->buffer < 0) return true;
    std::byte* const data = (shared_ ? slots_out_ : host_out_)[static_cast<std::size_t>(ready->buffer)];
    Box const box = slice_box(pass_.whole, cut_.extents, ready->slice);
    Problem const& problem = shape(ready->slice).problem;
    if (pass_.twiddled) twiddles_.apply(pass_, box, problem, data, loop_);
    Index const bytes = out_element_bytes(pass_.whole);
    if (pass_.hermitian && !pass_.twiddled)
      scatter_hermitian(pass_, box, problem, data, to_, loop_);
    else
      copy_box(scatter_dims(pass_.whole, problem), bytes, data, to_ + out_offset(pass_.whole, box) * bytes,
               loop_, scatters_);
    (shared_ ? free_in_ : free_out_).push(ready->buffer);
    return true;
  }

  Pass const& pass_;
  Slicing const& cut_;
  Device& device_;
  Loop loop_;
  std::byte const* from_;
  std::byte* to_;
  Twiddles twiddles_;
  Stores scatters_ = out_bytes(pass_.whole) < beyond_caches ? Stores::plain : Stores::streaming;
  bool shared_, direct_in_ = false, direct_out_ = false;
  std::map<std::vector<Index>, Shape> shapes_;
  std::vector<std::byte*> slots_in_, slots_out_, host_in_, host_out_;
  std::byte* workspace_ = nullptr;
  std::vector<MarkRef> marks_in_, marks_slot_;
  Queue<int> free_in_, full_in_, free_out_;
  Queue<Ready> full_out_;
  std::atomic<bool> stopped_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace

void execute(Schedule const& schedule, Device& device, Reserve& reserve, Host& host, void const* in,
             void* out, void* work, std::function<bool(StreamProgress const&)> const& progress) {
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
      DevicePass(pass, device, reserve, host, from, to).run(done);
    } else {
      host.run(pass.whole, from, to);
      done();
    }
  }
}

}  // namespace skipper::stream
