// See streams.h.
#include "coverage/streams.h"

#include <algorithm>

#include "coverage/generator.h"
#include "coverage/problem_mechanisms.h"

namespace skipper::coverage {
namespace {

/// Whether the host may do an axis and the device the others.
bool may_share(Problem const& p) {
  return p.axes.size() > 1 && !is_16_bit(p.precision) && !any_axis(p, [](Problem const& q, std::size_t i) {
           return q.axes[i].in_count != 0 || q.axes[i].out_count != 0;
         });
}

template <StreamStrategy strategy>
bool has_strategy(StreamProblem const& s) {
  return s.strategy == strategy;
}

template <Kind kind>
bool has_kind(StreamProblem const& s) {
  return s.problem.kind == kind;
}

}  // namespace

StreamProblem drawn_stream(std::uint64_t seed, std::uint64_t number, Sizes const& sizes) {
  Generator random(seed + 1, number);
  StreamProblem s{.problem = drawn(seed + 1, number, sizes)};
  if (random.one_in(2)) s.problem.batch.clear();  // else slices are mostly whole transforms
  Index const bytes = std::max(in_bytes(s.problem), out_bytes(s.problem));
  s.memory_limit = random.by_doublings(std::max<Index>(1, bytes / 32), bytes);
  if (may_share(s.problem) && random.one_in(2)) s.strategy = StreamStrategy::host_and_device;
  s.pinned = random.one_in(4);
  return s;
}

std::string text(StreamProblem const& s) {
  return "stream " + std::to_string(s.memory_limit) +
         (s.strategy == StreamStrategy::device_only ? " device_only " : " host_and_device ") +
         (s.pinned ? "pinned " : "") + skipper::text(s.problem);
}

std::vector<Property<StreamProblem>> const& stream_properties() {
  using S = StreamProblem;
  static std::vector<Property<S>> const all{
      {"stream: device_only", has_strategy<StreamStrategy::device_only>},
      {"stream: host_and_device", has_strategy<StreamStrategy::host_and_device>},
      {"stream: pinned", [](S const& s) { return s.pinned; }},
      {"stream: c2c", has_kind<Kind::c2c>},
      {"stream: r2c", has_kind<Kind::r2c>},
      {"stream: c2r", has_kind<Kind::c2r>},
      {"stream: r2r", has_kind<Kind::r2r>},
      {"stream: 16 bits", [](S const& s) { return is_16_bit(s.problem.precision); }},
      {"stream: in place", [](S const& s) { return s.problem.placement == Placement::in_place; }},
      {"stream: strides", [](S const& s) { return s.problem != dense_layout(s.problem); }},
  };
  return all;
}

}  // namespace skipper::coverage
