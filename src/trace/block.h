#pragma once
// The block that records (kernel/block.h): what other blocks do, this one writes down.
#include <optional>

#include "kernel/block.h"
#include "trace/numbers.h"

namespace skipper::trace {

/// A tile of a sweep that shares a kernel with another one, and what it waits for (kernel/fused_passes.h).
struct FusedTile {
  Index tile;
  Index counter;  // the address of the counter that it polls
  Index target;
  bool waits_forever = false;  // in the launch of deferred items
};

class Block {
 public:
  /// Of a kernel that is no sweep, launched with any number of blocks.
  Block() : tiles_(Index::of(builder().blocks())) {}
  Block(kernel::SweepSpec const& spec, std::int64_t tiles)
      : tiles_(tiles), ranks_(spec.cluster_ranks), flow_(spec.flow) {}
  Block(kernel::SweepSpec const& spec, std::int64_t tiles, FusedTile const& fused) : Block(spec, tiles) {
    fused_ = fused;
  }

  Index thread() const { return Index::of(builder().thread()); }
  Index cluster_rank() const { return Index::of(builder().rank()); }
  Index tile() const { return fused_ ? fused_->tile : Index::of(builder().block()); }
  Index tiles() const { return tiles_; }
  Index opaque(Index const& x) const { return Index::of(builder().opaque(x.held())); }

  ir::Region only(Bool const& yes) const { return ir::Region(yes); }
  template <class F, class G>
  void either(Bool const& yes, F f, G g) const {
    if (auto const here = only(yes)) f();
    if (auto const here = only(!yes)) g();
  }
  template <class F>
  void loop(Index const& from, Index const& below, Index const& step, F f) const {
    builder().loop_by(from.held(), below.held(), step.held(), [&](int i) { f(Index::of(i)); });
  }
  template <class F>
  void in_rounds(int n, F f) const {
    loop(0, n, 1, f);
  }

  void sync() const { builder().effect(ir::Op::block_barrier); }
  void sync_warp() const { builder().effect(ir::Op::warp_barrier); }
  void sync_cluster() const {
    builder().effect(ranks_ > 1 ? ir::Op::cluster_barrier : ir::Op::block_barrier);
  }
  void trigger_dependents() const { builder().effect(ir::Op::trigger_dependents); }
  /// Of a fused sweep the first thread polls, not without limit.
  Bool wait_for_previous() {
    if (!fused_) {
      builder().effect(ir::Op::wait_for_previous);
      return true;
    }
    Bool passes = true;
    if (auto const here = only(thread() == 0)) {
      Index polls = 0;
      builder().loop_while(
          [&] { return (done_ < fused_->target && (fused_->waits_forever || polls < max_polls)).held(); },
          [&] {
            polls += 1;
            poll();
          });
      passes = done_ >= fused_->target;
    }
    return Bool::of(builder().all_of_block(passes.held()));
  }
  void poll_previous() {
    if (auto const here = only(fused_.has_value() && thread() == 0)) poll();
  }

  // Shared memory.
  void put(Index const& place, Complex<Real> const& x) const { put_in(place_of(place), {x.re, x.im}); }
  template <class T>
  Complex<Real> take(Index const& place) const {
    return pair(take_from(place_of(place), 2));
  }
  void put_two(Index const& place, Complex<Real> const& x, Complex<Real> const& y) const {
    if (builder().real() == ir::Type::f32) return put_in(place_of(place), {x.re, x.im, y.re, y.im});
    put(place, x);
    put(place + 1, y);
  }
  template <class T>
  kernel::Two<Real> take_two(Index const& place) const {
    if (builder().real() != ir::Type::f32) return {take<T>(place), take<T>(place + 1)};
    ir::Value const first = take_from(place_of(place), 4);
    return {pair(first), pair(first + 2)};
  }
  void put_remote(Index const& rank, Index const& place, Complex<Real> const& x) const {
    if (ranks_ == 1) return put(place, x);
    put_in(remote_place(rank, place), {x.re, x.im}, ir::Space::remote);
  }
  template <class T>
  Complex<Real> take_remote(Index const& rank, Index const& place) const {
    if (ranks_ == 1) return take<T>(place);
    return pair(take_from(remote_place(rank, place), 2, ir::Space::remote));
  }
  /// T is Real, or Double where those are what a kernel computes in.
  template <class T>
  void put_real(Index const& place, T const& x) const {
    store_numbers({.space = ir::Space::shared, .type = stored<T>().type, .count = 1}, real_place<T>(place),
                  {x});
  }
  template <class T>
  T take_real(Index const& place) const {
    ir::Access const access{.space = ir::Space::shared, .type = stored<T>().type, .count = 1};
    return Real::of(builder().load(access, real_place<T>(place).held()));
  }

  // Global memory. Hints are for complex numbers in full.
  template <class E>
  Complex<Real> load(Pointer<Complex<E>> const& in, Index const& at) const {
    bool const streaming = std::is_same_v<E, Real> && flow_.read_streaming;
    return pair(read(in, at, ir::Space::global, streaming));
  }
  template <class E>
  Real load(Pointer<E> const& in, Index const& at) const {
    return Real::of(read(in, at, ir::Space::global));
  }
  template <class E>
  void store(Pointer<Complex<E>> const& out, Index const& at, Complex<Real> const& x) const {
    write(out, at, {x.re, x.im}, std::is_same_v<E, Real> && flow_.write_streaming);
  }
  template <class E>
  void store(Pointer<E> const& out, Index const& at, Real const& x) const {
    write(out, at, {x});
  }
  template <class E>
  void prefetch(Pointer<E> const& in, Index const& at) const {
    builder().at_address(ir::Op::prefetch, in.at(at).held());
  }
  template <class E>
  void discard(Pointer<E> const& in, Index const& at) const {
    builder().at_address(ir::Op::discard, in.at(at).held());
  }

  // Tables.
  template <class E>
  Complex<Real> root(Pointer<Complex<E>> const& table, Index const& at) const {
    return pair(read(table, at, ir::Space::table));
  }
  Real root(Pointer<Real> const& table, Index const& at) const {
    return Real::of(read(table, at, ir::Space::table));
  }
  Double root(Pointer<double> const& table, Index const& at) const {
    return Real::of(read(table, at, ir::Space::table));
  }
  Index root(Pointer<int> const& places, Index const& at) const {
    return entry(places.at(at), {0, INT32_MAX});
  }
  Address root(Pointer<unsigned long long> const& bases, Index const& at) const {
    return {entry(bases.at(at), {0, std::int64_t(1) << 48})};
  }

  Real reciprocal(Real const& x) const { return Real::of(builder().reciprocal(x.held())); }
  template <int K>
  void multiply_add(Double (&sums)[4], Double const* left, Double const* right) const {
    std::vector<ir::Value> operands;
    for (int i = 0; i < 4; ++i) operands.push_back(sums[i].held());
    for (int i = 0; i < 2 * K; ++i) operands.push_back(left[i].held());
    for (int i = 0; i < K; ++i) operands.push_back(right[i].held());
    ir::Value const first = builder().matrix_multiply(operands);
    for (int i = 0; i < 4; ++i) sums[i] = Real::of(first + i);
  }

  /// A user's functions.
  template <class V, class Data>
  V on_load(V const& x, Index const& place, Data const& data) const {
    return by_user(ir::Op::user_load, x, place, data.address);
  }
  template <class V, class Data>
  V on_store(V const& x, Index const& place, Data const& data) const {
    return by_user(ir::Op::user_store, x, place, data.address);
  }

 private:
  static constexpr int max_polls = 4096;  // as in kernel/fused_entry.h

  void poll() {
    done_ = Index::of(builder().form_of(builder().load_acquire(fused_->counter.held()), {0, INT32_MAX}));
  }
  static ir::Builder& builder() { return ir::builder(); }
  static Real by_user(ir::Op op, Real const& x, Index const& place, Index const& data) {
    return Real::of(builder().by_user(op, {x.held()}, place.held(), data.held()));
  }
  static Complex<Real> by_user(ir::Op op, Complex<Real> const& x, Index const& place, Index const& data) {
    return pair(builder().by_user(op, {x.re.held(), x.im.held()}, place.held(), data.held()));
  }
  static Complex<Real> pair(ir::Value first) { return {Real::of(first), Real::of(first + 1)}; }
  template <class T = Real>
  static Index real_place(Index const& place) {
    return Index::of(builder().shared_base()) + place * stored<T>().bytes();
  }
  static Index place_of(Index const& place) { return real_place(2 * place); }
  static Index remote_place(Index const& rank, Index const& place) {
    return Index::of(builder().remote(rank.held(), place_of(place).held()));
  }
  static void put_in(Index const& address, std::vector<Real> const& numbers,
                     ir::Space space = ir::Space::shared) {
    store_numbers({.space = space, .type = builder().real(), .count = std::uint8_t(numbers.size())}, address,
                  numbers);
  }
  static ir::Value take_from(Index const& address, int count, ir::Space space = ir::Space::shared) {
    return builder().load({.space = space, .type = builder().real(), .count = std::uint8_t(count)},
                          address.held());
  }
  template <class E>
  static ir::Access access(ir::Space space, bool streaming) {
    auto const [type, count] = element<E>();
    return {.space = space, .type = type, .count = std::uint8_t(count), .streaming = streaming};
  }
  template <class E>
  static ir::Value read(Pointer<E> const& in, Index const& at, ir::Space space, bool streaming = false) {
    return builder().load(access<E>(space, streaming), in.at(at).held());
  }
  template <class E>
  static void write(Pointer<E> const& out, Index const& at, std::vector<Real> const& numbers,
                    bool streaming = false) {
    store_numbers(access<E>(ir::Space::global, streaming), out.at(at), numbers);
  }
  static void store_numbers(ir::Access access, Index const& address, std::vector<Real> const& numbers) {
    std::vector<ir::Value> held;
    for (Real const& x : numbers) held.push_back(x.held());
    builder().store(access, address.held(), held);
  }
  static Index entry(Index const& address, ir::Range range) {
    return Index::of(builder().load_index(ir::Space::table, address.held(), range));
  }

  Index tiles_;
  int ranks_ = 1;
  kernel::Flow flow_ = {};
  std::optional<FusedTile> fused_;
  Index done_ = 0;  // value of the counter when it was last polled
};

}  // namespace skipper::trace
