#pragma once
// The emulated interface to the hardware (src/kernel/block.h): one EmulatedBlock a thread. Without checks an
// access is a plain move of an element; with them it first passes the Audit.
#include "emulator/audit.h"
#include "emulator/fiber.h"
#include "emulator/registers.h"
#include "kernel/block.h"

#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace skipper::emulator {

/// What a thread waits for when its fiber has gone back to the scheduler.
enum class Wait { warp, block, cluster, counter, finished };

/// What stands for a user's functions in the kernels that are emulated: they change the value at an address.
struct UserFunctions {
  void (*load)(void* value, long long place, void* data) = nullptr;
  void (*store)(void* value, long long place, void* data) = nullptr;
};
inline UserFunctions user_functions;

/// Elements of shared memory are addressed in their own size; room is kept for the largest.
inline constexpr std::size_t largest_element = sizeof(kernel::Complex<double>);

class EmulatedBlock {
 public:
  int thread() const { return coordinates_.thread; }
  int cluster_rank() const { return coordinates_.cluster_rank; }
  Wide tile() const { return tile_; }

  /// What is done by the threads of a condition alone.
  static bool only(bool yes) { return yes; }
  template <class F, class G>
  static void either(bool yes, F f, G g) {
    if (yes)
      f();
    else
      g();
  }
  template <class From, class Below, class Step, class F>
  static void loop(From from, Below below, Step step, F f) {
    for (From i = from; i < below; i += step) f(i);
  }
  template <class N, class F>
  static void in_rounds(N n, F f) {
    kernel::in_rounds(n, f);
  }

  void sync() { pause(Wait::block); }
  void sync_cluster() { pause(Wait::cluster); }
  void sync_warp() { pause(Wait::warp); }
  template <class N>
  N opaque(N x) const {
    return x;
  }

  /// All lanes show what they have, then each sums up what is its own.
  template <int K>
  void multiply_add(double (&sums)[4], double const* left, double const* right) {
    Shown& own = shown_[coordinates_.thread];
    std::copy_n(left, 2 * K, own.left);
    std::copy_n(right, K, own.right);
    pause(Wait::warp);
    Shown const* const lanes = shown_ + coordinates_.thread / warp_threads * warp_threads;
    int const g = coordinates_.thread % warp_threads / 4, t = coordinates_.thread % 4;
    for (int h = 0; h < 2; ++h)
      for (int e = 0; e < 2; ++e)
        for (int j = 0; j < 4 * K; ++j)
          sums[2 * h + e] +=
              lanes[4 * g + j % 4].left[2 * (j / 4) + h] * lanes[4 * (2 * t + e) + j % 4].right[j / 4];
    pause(Wait::warp);
  }

  template <class T>
  void put(int place, kernel::Complex<T> x) {
    ++counts_->shared_writes;
    if (audit_) [[unlikely]]
      audit_->put(coordinates_, coordinates_.cluster_rank, place, sizeof x);
    write(shared_, place, x);
  }
  template <class T>
  void put_remote(int target, int place, kernel::Complex<T> x) {
    ++counts_->shared_writes;
    ++counts_->remote_writes;
    if (audit_) [[unlikely]]
      audit_->put(coordinates_, target, place, sizeof x);
    write(cluster_ + target * block_bytes_, place, x);
  }
  template <class T>
  kernel::Complex<T> take(int place) {
    kernel::Complex<T> x;
    ++counts_->shared_reads;
    if (audit_) [[unlikely]]
      audit_->take(coordinates_, place, sizeof x);
    std::memcpy(&x, shared_ + std::ptrdiff_t(place) * std::ptrdiff_t(sizeof x), sizeof x);
    return x;
  }

  template <class T>
  void put_two(int place, kernel::Complex<T> x, kernel::Complex<T> y) {
    counts_->shared_writes += 2;
    if (audit_) [[unlikely]]
      audit_->put(coordinates_, coordinates_.cluster_rank, in_twos(place), 2 * sizeof x, 4);
    write(shared_, place, x);
    write(shared_, place + 1, y);
  }
  template <class T>
  kernel::Two<T> take_two(int place) {
    kernel::Two<T> both;
    counts_->shared_reads += 2;
    if (audit_) [[unlikely]]
      audit_->take(coordinates_, in_twos(place), sizeof both, 4);
    std::memcpy(&both, shared_ + std::ptrdiff_t(place) * std::ptrdiff_t(sizeof both.first), sizeof both);
    return both;
  }

  template <class T>
  kernel::Complex<T> take_remote(int target, int place) {
    kernel::Complex<T> x;
    ++counts_->shared_reads;
    if (audit_) [[unlikely]]
      audit_->take_remote(coordinates_, target, place, sizeof x);
    std::memcpy(&x, cluster_ + target * block_bytes_ + std::ptrdiff_t(place) * std::ptrdiff_t(sizeof x),
                sizeof x);
    return x;
  }

  template <class T>
  void put_real(int place, T x) {
    ++counts_->shared_writes;
    if (audit_) [[unlikely]]
      audit_->put(coordinates_, coordinates_.cluster_rank, place, sizeof x, 1);
    write(shared_, place, x);
  }
  template <class T>
  T take_real(int place) {
    T x;
    ++counts_->shared_reads;
    if (audit_) [[unlikely]]
      audit_->take(coordinates_, place, sizeof x, 1);
    std::memcpy(&x, shared_ + std::ptrdiff_t(place) * std::ptrdiff_t(sizeof x), sizeof x);
    return x;
  }

  Wide tiles() const { return tiles_; }
  /// Launches follow one another here; items of one launch wait for each other by counters (kernel/fused_passes.h).
  bool wait_for_previous() {
    if (!counter_) return true;
    if (coordinates_.thread == 0) *shown_number_ = waited();
    sync();
    return *shown_number_;
  }
  void poll_previous() {}

  /// A work item of kernel/fused_passes.h: its tile, and what it waits for.
  void begin_item(Wide tile, Wide tiles, unsigned const* counter, unsigned enough) {
    if (is_first()) forget_shared();  // it runs first after a barrier
    tile_ = tile;
    tiles_ = tiles;
    counter_ = counter;
    enough_ = enough;
  }
  /// How blocks come by their items. One that may not wait leaves an item at once whose L2 block is not there yet.
  void set_waiting(bool may_wait) { may_wait_ = may_wait; }
  bool is_first() const { return coordinates_.thread == 0; }
  static void set(unsigned* word, unsigned bit) { *word |= bit; }
  static unsigned clear(unsigned* word, unsigned bit) {
    unsigned const before = *word;
    *word &= ~bit;
    return before;
  }
  static unsigned peek(unsigned const* word) { return *word; }
  template <class F>
  unsigned broadcast(F f) {
    sync();
    if (coordinates_.thread == 0) *shown_number_ = f();
    sync();
    unsigned const value = *shown_number_;
    sync();
    return value;
  }
  void count(unsigned* counter) {
    if (coordinates_.thread == 0) ++*counter;
  }
  /// What is discarded must not be read again: these are no numbers.
  template <class E>
  void discard(E const* in, Wide offset) {
    std::memset(const_cast<E*>(in + offset), 0xff, 128);
  }
  void trigger_dependents() {}
  template <class E>
  void prefetch(E const* in, Wide offset) {
    ++counts_->prefetches;
    if (audit_) [[unlikely]]
      audit_->prefetched(coordinates_, in, offset, sizeof(E));
  }
  template <class E>
  E load(E const* in, Wide offset) {
    return loaded(in, offset);
  }
  template <class E>
  void store(E* out, Wide offset, std::type_identity_t<E> x) {
    demand_set(x, offset);
    stored(out, offset, x);
  }
  template <kernel::SixteenBit S>
  kernel::Complex<float> load(kernel::Complex<S> const* in, Wide offset) {
    kernel::Complex<S> const pair = loaded(in, offset);
    return {value(pair.re), value(pair.im)};
  }
  template <kernel::SixteenBit S>
  void store(kernel::Complex<S>* out, Wide offset, kernel::Complex<float> x) {
    demand_set(x, offset);
    stored(out, offset, kernel::Complex<S>{{bits(x.re, S{})}, {bits(x.im, S{})}});
  }
  template <kernel::SixteenBit S>
  float load(S const* in, Wide offset) {
    return value(loaded(in, offset));
  }
  template <kernel::SixteenBit S>
  void store(S* out, Wide offset, float x) {
    demand_set(x, offset);
    stored(out, offset, S{bits(x, S{})});
  }

  template <class V>
  V on_load(V x, Wide place, void* data) const {
    if (user_functions.load) user_functions.load(&x, place, data);
    return x;
  }
  template <class V>
  V on_store(V x, Wide place, void* data) const {
    if (user_functions.store) user_functions.store(&x, place, data);
    return x;
  }

  /// Of a symbol, which decides where elements go.
  template <class T>
  T reciprocal(T x) const {
    demand_set(x, "divides by a number made of ");
    return 1 / x;
  }

  template <class E>
  E root(E const* table, Wide offset) {
    ++counts_->root_loads;
    if (audit_) [[unlikely]]
      audit_->global(coordinates_, Use::root, table, offset, sizeof(E));
    return table[offset];
  }

 private:
  template <class E>
  E loaded(E const* in, Wide offset) {
    ++counts_->loads;
    if (audit_) [[unlikely]]
      audit_->global(coordinates_, Use::load, in, offset, sizeof(E));
    return in[offset];
  }
  template <class E>
  void stored(E* out, Wide offset, E x) {
    ++counts_->stores;
    if (audit_) [[unlikely]]
      audit_->global(coordinates_, Use::store, out, offset, sizeof(E));
    out[offset] = x;
  }
  template <class E>
  void demand_set(E const& x, Wide offset) const {
    if (auto const origin = unset_origin(x)) [[unlikely]]
      fail("stores at offset " + std::to_string(offset) + " a number made of " + origin_text(*origin));
  }
  template <class E>
  void demand_set(E const& x, char const* what) const {
    if (auto const origin = unset_origin(x)) [[unlikely]]
      fail(what + origin_text(*origin));
  }
  [[noreturn]] void fail(std::string const& what) const {
    throw EmulationError("thread " + std::to_string(coordinates_.thread) + " of rank " +
                         std::to_string(coordinates_.cluster_rank) + ", tile " + std::to_string(tile_) +
                         ": " + what);
  }
  static float value(kernel::Half x) { return half_value(x.bits); }
  static float value(kernel::BFloat16 x) { return bfloat16_value(x.bits); }
  static std::uint16_t bits(float x, kernel::Half) { return half_bits(x); }
  static std::uint16_t bits(float x, kernel::BFloat16) { return bfloat16_bits(x); }

  bool waited() {
    while (*counter_ < enough_) {
      if (!may_wait_) return false;
      pause(Wait::counter);
    }
    return true;
  }
  friend class Worker;

  template <class E>
  static void write(std::byte* block, int place, E const& x) {
    std::memcpy(block + std::ptrdiff_t(place) * std::ptrdiff_t(sizeof x), &x, sizeof x);
  }
  /// Number of the two elements at an even place.
  static int in_twos(int place) {
    if (place % 2 != 0) throw EmulationError("two elements at once from odd place " + std::to_string(place));
    return place / 2;
  }
  void forget_shared() {
    if (block_bytes_ > 0) std::memset(shared_, 0xff, std::size_t(block_bytes_));
  }
  void pause(Wait wait) {
    wait_ = wait;
    fiber_->yield();
    coordinates_.point[int(Kind::put)] = coordinates_.point[int(Kind::take)] = 0;
  }

  struct Shown {
    double left[8], right[4];
  };

  ThreadCoordinates coordinates_;
  Wide tile_ = 0, tiles_ = 0;
  std::byte* shared_ = nullptr;   // of this block
  std::byte* cluster_ = nullptr;  // of all blocks of the cluster
  std::ptrdiff_t block_bytes_ = 0;
  Counts* counts_ = nullptr;
  Audit* audit_ = nullptr;  // null without checks
  Fiber* fiber_ = nullptr;
  Shown* shown_ = nullptr;  // what each thread of this block shows the others of its warp
  unsigned const* counter_ = nullptr;
  unsigned enough_ = 0;
  bool may_wait_ = false;
  unsigned* shown_number_ = nullptr;  // what thread 0 shows the others: a word of the block's shared memory
  Wait wait_ = Wait::finished;
};

static_assert(kernel::BlockOf<EmulatedBlock, float> && kernel::BlockOf<EmulatedBlock, double>);

}  // namespace skipper::emulator
