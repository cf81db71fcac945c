// What the interpreter does to memory.
#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <algorithm>
#include <cstring>

#include "emulator/traffic.h"
#include "interpreter/cluster.h"

namespace skipper::interpreter {

using emulator::Use;
using ir::Space;
using ir::Type;
using ir::Value;

namespace {

bool is_on_chip(Space space) { return space == Space::shared || space == Space::remote; }

/// Where the next warp of a cluster begins: the last one of a block may be short.
int next_warp(int first, int threads) {
  return std::min(first + emulator::warp_threads, first - first % threads + threads);
}

}  // namespace

std::uintptr_t Cluster::global_address(Value v, std::size_t thread) {
  Value const address = operand(v, 0);
  if (lanes(address).is_unset(thread)) fail(thread, "an address that was never set");
  return std::uintptr_t(as<std::int64_t>(address)[thread] + run_.kernel[v].bits);
}

Array const& Cluster::array_at(std::size_t thread, Use use, std::uintptr_t at, int bytes) {
  for (auto const& array : run_.launch.arrays)
    if (array.what.use == use && array.what.contains(at) && at + std::uintptr_t(bytes) <= array.what.end())
      return array;
  for (auto const& array : run_.launch.arrays)
    if (array.what.use == use && at + (1 << 20) > array.what.base && at < array.what.end() + (1 << 20))
      fail(thread, "global memory at byte " + std::to_string(std::int64_t(at - array.what.base)) +
                       " of an array of " + std::to_string(array.what.end() - array.what.base));
  fail(thread, "global memory that the launch does not know");
}

void Cluster::note(std::size_t thread, Use use, std::uintptr_t at, int bytes) {
  if (!run_.settings.races) return;
  try {
    run_.memory.note(use, at, bytes, stamp(thread));
  } catch (emulator::EmulationError const& race) {
    fail(thread, race.what());
  }
}

Shared::Place Cluster::shared_place(Value v, std::size_t thread) {
  Value const address = operand(v, 0);
  if (lanes(address).is_unset(thread)) fail(thread, "an address that was never set");
  std::int64_t const at = as<std::int32_t>(address)[thread] + run_.kernel[v].bits;
  if (run_.kernel[v].access.space == Space::remote) return shared_.place(at);
  return {rank_of(thread), int(at)};
}

/// What a load gives to a thread.
void Cluster::read(Value v, std::size_t thread, std::byte const* from, bool is_set) {
  auto const access = run_.kernel[v].access;
  for (Value p = v + 1; p < run_.kernel.size() && run_.kernel[p].op == ir::Op::part; ++p) {
    std::byte const* const at = from + run_.kernel[p].bits * bytes_of(access.type);
    std::uint16_t half = 0;
    switch (access.type) {
      case Type::f16:
        std::memcpy(&half, at, 2), as<float>(p)[thread] = half_value(half);
        break;
      case Type::bf16:
        std::memcpy(&half, at, 2), as<float>(p)[thread] = bfloat16_value(half);
        break;
      default:
        if (bytes_of(access.type) == 4)
          std::memcpy(as<std::int32_t>(p) + thread, at, 4);
        else
          std::memcpy(as<std::int64_t>(p) + thread, at, 8);
    }
    if (!is_set) lanes(p).mark_unset(thread);
  }
}

void Cluster::load(Value v) {
  auto const access = run_.kernel[v].access;
  int const bytes = access.count * bytes_of(access.type);
  bool const on_chip = is_on_chip(access.space);
  Use const use = access.space == Space::table ? Use::root : Use::load;
  for (Value p = v + 1; p < run_.kernel.size() && run_.kernel[p].op == ir::Op::part; ++p) lanes(p).all_set();
  for (std::size_t t = 0; t < threads_; ++t) {
    places_[t] = -1;
    if (!is_active(t)) continue;
    if (on_chip) {
      auto const place = shared_place(v, t);
      if (auto const why = shared_.touch(rank_of(t), thread_of(t), place, bytes, false); !why.empty())
        fail(t, why);
      places_[t] = emulator::shared_address(place.rank, place.offset / bytes);
      read(v, t, shared_.bytes(place), shared_.is_set(place, bytes));
      continue;
    }
    auto const at = global_address(v, t);
    auto const& array = array_at(t, use, at, bytes);
    if (use == Use::load) note(t, use, at, bytes);
    places_[t] = Wide(at - array.what.base) + Wide(array.what.base & ~std::uintptr_t(255));
    read(v, t, reinterpret_cast<std::byte const*>(at),
         !array.written || array.written->is_set(at, std::size_t(bytes)));
  }
  count_access(v, places_, bytes);
}

void Cluster::store(Value v) {
  auto const access = run_.kernel[v].access;
  int const size = bytes_of(access.type), bytes = access.count * size;
  bool const on_chip = is_on_chip(access.space);
  for (int k = 1; k <= access.count; ++k) check_set(operand(v, k), "a number is stored");
  for (std::size_t t = 0; t < threads_; ++t) {
    places_[t] = -1;
    if (!is_active(t)) continue;
    std::byte* to = nullptr;
    if (on_chip) {
      auto const place = shared_place(v, t);
      if (auto const why = shared_.touch(rank_of(t), thread_of(t), place, bytes, true); !why.empty())
        fail(t, why);
      places_[t] = emulator::shared_address(place.rank, place.offset / bytes);
      to = shared_.bytes(place);
      if (place.rank != rank_of(t)) counts_.remote_writes += access.count > 1 ? access.count / 2 : 1;
    } else {
      auto const at = global_address(v, t);
      auto const& array = array_at(t, Use::store, at, bytes);
      note(t, Use::store, at, bytes);
      places_[t] = Wide(at - array.what.base) + Wide(array.what.base & ~std::uintptr_t(255));
      if (array.written) array.written->mark(at, std::size_t(bytes), true);
      to = reinterpret_cast<std::byte*>(at);
    }
    for (int k = 0; k < access.count; ++k, to += size) {
      Value const x = operand(v, k + 1);
      std::uint16_t const half = access.type == Type::f16    ? half_bits(as<float>(x)[t])
                                 : access.type == Type::bf16 ? bfloat16_bits(as<float>(x)[t])
                                                             : std::uint16_t(0);
      if (size == 2)
        std::memcpy(to, &half, 2);
      else if (size == 4)
        std::memcpy(to, as<std::int32_t>(x) + t, 4);
      else
        std::memcpy(to, as<std::int64_t>(x) + t, 8);
    }
  }
  count_access(v, places_, bytes);
}

/// Counts are in elements: complex numbers, or single reals.
void Cluster::count_access(Value v, std::vector<Wide> const& at, int bytes) {
  auto const& i = run_.kernel[v];
  bool const is_load = i.op == ir::Op::load, on_chip = is_on_chip(i.access.space);
  Wide const elements = i.access.count > 1 ? i.access.count / 2 : 1;
  auto const active = Wide(regions_.back().active);
  auto& moved = on_chip                          ? (is_load ? counts_.shared_reads : counts_.shared_writes)
                : i.access.space == Space::table ? counts_.root_loads
                                                 : (is_load ? counts_.loads : counts_.stores);
  moved += active * elements;
  if (!run_.settings.traffic || i.access.space == Space::table) return;
  int const threads = run_.kernel.threads;
  for (int first = 0; first < int(threads_); first = next_warp(first, threads)) {
    emulator::WarpAccess access{bytes, 0, {}};
    for (int t = first; t < next_warp(first, threads); ++t)
      if (at[std::size_t(t)] >= 0)
        access.active |= 1u << (t - first), access.at[t - first] = at[std::size_t(t)];
    if (access.active == 0) continue;
    if (on_chip) {
      auto const cost = emulator::wavefronts(access);
      (is_load ? counts_.wavefronts_read : counts_.wavefronts_write) += cost.used;
      counts_.wavefronts_ideal += cost.ideal;
      counts_.conflicts += cost.used - cost.ideal;
      if (!is_load) counts_.put_sectors += emulator::shared_sectors(access);
    } else {
      (is_load ? counts_.load_sectors : counts_.store_sectors) += emulator::sectors(access);
      (is_load ? counts_.load_bytes : counts_.store_bytes) += Wide(bytes) * __builtin_popcount(access.active);
    }
  }
}

void Cluster::prefetch(Value v) {
  for (std::size_t t = 0; t < threads_; ++t) {
    if (!is_active(t)) continue;
    array_at(t, Use::load, global_address(v, t), 1);
    ++counts_.prefetches;
  }
}

/// What is discarded must not be read again.
void Cluster::discard(Value v) {
  constexpr int line = 128;
  for (std::size_t t = 0; t < threads_; ++t) {
    if (!is_active(t)) continue;
    auto const at = global_address(v, t);
    auto const& array = array_at(t, Use::load, at, line);
    if (array.written) array.written->mark(at, line, false);
    std::memset(reinterpret_cast<void*>(at), 0xff, line);
  }
}

void Cluster::atomic(Value v) {
  ir::Op const op = run_.kernel[v].op;
  for (std::size_t t = 0; t < threads_; ++t) {
    if (!is_active(t)) continue;
    auto const at = global_address(v, t);
    array_at(t, Use::store, at, 4);
    auto& word = *reinterpret_cast<std::uint32_t*>(at);
    std::uint32_t const before = word;
    if (op == ir::Op::add_release) {
      ++word;
      continue;
    }
    if (op == ir::Op::atomic_or) word |= std::uint32_t(as<std::int32_t>(operand(v, 1))[t]);
    if (op == ir::Op::atomic_and) word &= std::uint32_t(as<std::int32_t>(operand(v, 1))[t]);
    as<std::int32_t>(v)[t] = std::int32_t(before);
  }
  if (op != ir::Op::add_release) lanes(v).all_set();
}

/// What it makes of a number that was never set was never set either.
void Cluster::call_user(Value v) {
  auto const function =
      run_.kernel[v].op == ir::Op::user_load ? run_.launch.user_load : run_.launch.user_store;
  if (!function) fail(0, "a user's function that the launch does not have");
  int const count = int(run_.kernel.operands_of(v).size()) - 2;
  bool const is_double = run_.kernel[operand(v, 0)].type == Type::f64;
  std::size_t const bytes = is_double ? 8 : 4;
  for (int k = count; k < count + 2; ++k) check_set(operand(v, k), "a user's function gets an argument");
  for (Value p = v + 1; p < run_.kernel.size() && run_.kernel[p].op == ir::Op::part; ++p) lanes(p).all_set();
  for (std::size_t t = 0; t < threads_; ++t) {
    if (!is_active(t)) continue;
    std::byte value[16];
    bool is_set = true;
    for (int k = 0; k < count; ++k) {
      std::memcpy(value + std::size_t(k) * bytes, lanes(operand(v, k)).as<std::byte>() + t * bytes, bytes);
      is_set = is_set && !lanes(operand(v, k)).is_unset(t);
    }
    auto const data = std::uintptr_t(as<std::int64_t>(operand(v, count + 1))[t]);
    function(value, as<std::int64_t>(operand(v, count))[t], reinterpret_cast<void*>(data));
    for (Value p = v + 1; p < run_.kernel.size() && run_.kernel[p].op == ir::Op::part; ++p) {
      std::memcpy(lanes(p).as<std::byte>() + t * bytes, value + std::size_t(run_.kernel[p].bits) * bytes,
                  bytes);
      if (!is_set) lanes(p).mark_unset(t);
    }
  }
}

/// Lane 4 g + t has rows g and g + 8 of columns 4 i + t of the left matrix, row 4 i + t of column g of the right one, and sums of
/// rows g and g + 8 in columns 2 t and 2 t + 1.
void Cluster::matrix_multiply(Value v) {
  barrier(ir::Op::warp_barrier);
  int const k = (int(run_.kernel.operands_of(v).size()) - 4) / 3;
  for (int x = 0; x < 4 + 3 * k; ++x) check_set(operand(v, x), "a factor");
  std::vector<Value> parts;
  for (Value p = v + 1; p < run_.kernel.size() && run_.kernel[p].op == ir::Op::part; ++p) parts.push_back(p);
  for (Value p : parts) lanes(p).all_set();
  for (std::size_t thread = 0; thread < threads_; ++thread) {
    if (!is_active(thread)) continue;
    std::size_t const lane = thread % emulator::warp_threads, warp = thread - lane, g = lane / 4,
                      t = lane % 4;
    for (Value p : parts) {
      auto const number = int(run_.kernel[p].bits), h = number / 2, e = number % 2;
      double sum = as<double>(operand(v, number))[thread];
      for (int j = 0; j < 4 * k; ++j)
        sum += as<double>(operand(v, 4 + 2 * (j / 4) + h))[warp + 4 * g + std::size_t(j % 4)] *
               as<double>(
                   operand(v, 4 + 2 * k + j / 4))[warp + 4 * (2 * t + std::size_t(e)) + std::size_t(j % 4)];
      as<double>(p)[thread] = sum;
    }
  }
}

}  // namespace skipper::interpreter
