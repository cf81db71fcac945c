// The order in which a cluster does its instructions: regions, loops and barriers.
#include "interpreter/cluster.h"

#include <algorithm>
#include <cstring>

namespace skipper::interpreter {

using ir::Op;
using ir::Value;

Cluster::Cluster(Run const& run, emulator::Counts& counts)
    : run_(run),
      counts_(counts),
      threads_(std::size_t(run.kernel.threads) * std::size_t(run.kernel.cluster_ranks)),
      values_(std::size_t(run.slots.count), Lanes(threads_)),
      shared_(run.kernel, run.settings.races),
      places_(threads_) {
  fixed_values();
}

void Cluster::start(Wide tile) {
  tile_ = tile;
  at_ = 0;
  barriers_ = cluster_barriers_ = 0;
  polled_at_ = ir::no_value;
  regions_.assign(1, {ir::no_value, std::vector<char>(threads_, 1), threads_});
  shared_.begin();
}

bool Cluster::advance(bool pauses) {
  waits_ = false;
  while (at_ < run_.kernel.size()) {
    Value const v = at_++;
    execute(v);
    Op const op = run_.kernel[v].op;
    if (!pauses) continue;
    if (op == Op::load_acquire) {  // it waits where it has come round and the counter has not moved
      waits_ = v == polled_at_ && as<std::int32_t>(v)[0] == polled_;
      polled_at_ = v;
      polled_ = as<std::int32_t>(v)[0];
      return false;
    }
    if (op == Op::block_barrier || op == Op::all_of_block) return false;
  }
  if (auto const why = shared_.end(); !why.empty() && run_.settings.races) fail(0, why);
  return true;
}

void Cluster::execute(Value v) {
  Op const op = run_.kernel[v].op;
  if (is_fixed(op)) return;
  if (ir::is_pure(op)) return pure(v);
  switch (op) {
    case Op::load:
      return load(v);
    case Op::store:
      return store(v);
    case Op::prefetch:
      return prefetch(v);
    case Op::discard:
      return discard(v);
    case Op::atomic_or:
    case Op::atomic_and:
    case Op::add_release:
    case Op::load_acquire:
      return atomic(v);
    case Op::warp_barrier:
    case Op::block_barrier:
    case Op::cluster_barrier:
      return barrier(op);
    case Op::all_of_block:
      return all_of_block(v);
    case Op::matrix_multiply:
      return matrix_multiply(v);
    case Op::user_load:
    case Op::user_store:
      return call_user(v);
    case Op::if_begin:
      return begin_if(v);
    case Op::if_end:
      return end_region();
    case Op::merge:
      return merge(v);
    case Op::loop_begin:
      return begin_loop(v);
    case Op::loop_while: {
      check_set(operand(v, 0), "a condition");
      auto& region = regions_.back();
      auto const* const goes_on = as<char>(operand(v, 0));
      for (std::size_t t = 0; t < threads_; ++t) region.mask[t] = char(region.mask[t] & goes_on[t]);
      region.active = std::size_t(std::ranges::count(region.mask, char(1)));
      if (region.active > 0) return;
      at_ = run_.partner[std::size_t(region.begin)] + 1;
      return end_region();
    }
    case Op::loop_end:
      return next_round(v);
    default:
      return;  // parts, what is carried, and the launch's
  }
}

void Cluster::begin_if(Value v) {
  check_set(operand(v, 0), "a condition");
  auto const* const condition = as<char>(operand(v, 0));
  Region inside{v, std::vector<char>(threads_), 0};
  for (std::size_t t = 0; t < threads_; ++t) inside.mask[t] = char(mask()[t] & condition[t]);
  inside.active = std::size_t(std::ranges::count(inside.mask, char(1)));
  bool const is_empty = inside.active == 0;
  regions_.push_back(std::move(inside));
  if (is_empty) at_ = run_.partner[std::size_t(v)];
}
void Cluster::end_region() {
  ended_ = std::move(regions_.back());
  regions_.pop_back();
}

void Cluster::merge(Value v) {
  auto& to = lanes(v);
  to.all_set();
  copy(operand(v, 0), to, ended_.mask.data(), 1);
  copy(operand(v, 1), to, ended_.mask.data(), 0);
}

void Cluster::begin_loop(Value v) {
  regions_.push_back({v, mask(), regions_.back().active});
  for (; run_.kernel[at_].op == Op::carried; ++at_) {
    lanes(at_).all_set();
    copy(operand(at_, 0), lanes(at_), mask().data(), 1);
    copy(operand(at_, 0), lanes(at_), mask().data(), 0);
  }
}
/// What is carried changes at once, since one may come from another.
void Cluster::next_round(Value end) {
  Value const first = run_.partner[std::size_t(end)] + 1;
  std::vector<Lanes> next;
  for (Value c = first; run_.kernel[c].op == Op::carried; ++c) {
    next.push_back(lanes(c));
    copy(operand(c, 1), next.back(), mask().data(), 1);
  }
  at_ = first;
  for (; run_.kernel[at_].op == Op::carried; ++at_) lanes(at_) = std::move(next[std::size_t(at_ - first)]);
}

void Cluster::barrier(Op op) {
  int const group = op == Op::warp_barrier ? emulator::warp_threads : run_.kernel.threads;
  for (int rank = 0; rank < run_.kernel.cluster_ranks; ++rank)
    for (int first = 0; first < run_.kernel.threads; first += group) {
      auto const begin = std::size_t(rank * run_.kernel.threads + first);
      auto const end = begin + std::size_t(std::min(group, run_.kernel.threads - first));
      auto const active = std::size_t(
          std::count(mask().begin() + std::ptrdiff_t(begin), mask().begin() + std::ptrdiff_t(end), char(1)));
      bool const all = active == end - begin && (op != Op::warp_barrier || end - begin == std::size_t(group));
      if (active > 0 && !all)
        fail(begin, "divergent barrier: " + std::to_string(active) + " of " + std::to_string(group) +
                        " threads reach it");
      if (op == Op::cluster_barrier && active == 0 && regions_.back().active > 0)
        fail(begin, "divergent barrier: block " + std::to_string(rank) + " does not reach it");
      if (active == 0) continue;
      if (op == Op::warp_barrier) shared_.warp_barrier(rank, first / group);
      if (op == Op::block_barrier) shared_.block_barrier(rank), ++counts_.barriers;
    }
  if (op == Op::block_barrier) ++barriers_;
  if (op == Op::cluster_barrier && regions_.back().active > 0) {
    shared_.cluster_barrier();
    ++counts_.cluster_barriers;
    ++barriers_;
    ++cluster_barriers_;
  }
}

void Cluster::all_of_block(Value v) {
  barrier(Op::block_barrier);
  check_set(operand(v, 0), "a condition");
  auto const* const own = as<char>(operand(v, 0));
  auto* const to = as<char>(v);
  auto const threads = std::size_t(run_.kernel.threads);
  for (std::size_t first = 0; first < threads_; first += threads) {
    bool const all = std::all_of(own + first, own + first + threads, [](char c) { return c != 0; });
    std::fill(to + first, to + first + threads, char(all));
  }
  lanes(v).all_set();
}

void Cluster::check_set(Value v, char const* what) {
  if (!lanes(v).any_unset) return;
  for (std::size_t t = 0; t < threads_; ++t)
    if (is_active(t) && lanes(v).is_unset(t)) fail(t, std::string(what) + " that was never set");
}

void Cluster::fail(std::size_t thread, std::string const& what) const {
  Value const v = std::max(at_ - 1, 0);
  throw Fault("instruction " + std::to_string(v) + " (" + name_of(run_.kernel[v].op) + "), thread " +
              std::to_string(thread_of(thread)) +
              (run_.kernel.cluster_ranks > 1 ? " of rank " + std::to_string(rank_of(thread)) : "") +
              ", tile " + std::to_string(tile_) + ": " + what);
}

emulator::Stamp Cluster::stamp(std::size_t thread) const {
  return {std::uint32_t(tile_),
          std::uint16_t(rank_of(thread)),
          std::uint16_t(thread_of(thread)),
          cluster_barriers_,
          barriers_,
          std::uint32_t(thread_of(thread) / emulator::warp_threads),
          0};
}

}  // namespace skipper::interpreter
