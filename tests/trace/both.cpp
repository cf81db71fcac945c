#include "trace/both.h"

#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "emulator/emulator.h"
#include "interpreter/interpreter.h"
#include "ir/check.h"
#include "ir/sink.h"
#include "trace/trace.h"

namespace skipper::testing {
namespace {

using kernel::Wide;

/// In whole sectors, as arrays of a device are.
struct alignas(256) Unit {
  std::byte bytes[256];
};
using Memory = std::vector<Unit>;

/// Numbers between -1 and 1 as they stand in memory.
Memory random_numbers(Index bytes, kernel::Storage storage, bool is_double, std::uint64_t seed) {
  Memory memory(std::size_t(bytes) / sizeof(Unit) + 2);  // a line of L2 more, which may be prefetched
  auto* const begin = reinterpret_cast<std::byte*>(memory.data());
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  auto const next = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return double(std::int64_t(state) >> 11) / double(std::int64_t(1) << 52);
  };
  auto const fill = [&](auto number) {
    auto* const at = reinterpret_cast<decltype(number(0.0))*>(begin);
    for (std::size_t i = 0; i < memory.size() * sizeof(Unit) / sizeof *at; ++i) at[i] = number(next());
  };
  if (storage == kernel::Storage::f16)
    fill([](double x) { return half_bits(float(x)); });
  else if (storage == kernel::Storage::bf16)
    fill([](double x) { return bfloat16_bits(float(x)); });
  else if (is_double)
    fill([](double x) { return x; });
  else
    fill([](double x) { return float(x); });
  return memory;
}

template <class T>
Memory roots_of(Lowered const& lowered) {
  std::vector<std::complex<T>> roots;
  if constexpr (sizeof(T) == 4)
    roots = roots32(lowered);
  else
    roots = roots64(lowered);
  Memory memory(roots.size() * sizeof(roots[0]) / sizeof(Unit) + 1);
  if (!roots.empty()) std::memcpy(memory.data(), roots.data(), roots.size() * sizeof(roots[0]));
  return memory;
}

template <class T>
auto* elements(Memory& memory) {
  return reinterpret_cast<kernel::Complex<T>*>(memory.data());
}
template <class T>
Index count(Memory const& memory) {
  return Index(memory.size() * sizeof(Unit) / sizeof(kernel::Complex<T>));
}

/// The arrays of a launch.
struct Arrays {
  Memory in, out, roots, factors, constant_mode;
  bool operator==(Arrays const& other) const {
    auto const same = [](Memory const& a, Memory const& b) {
      return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Unit)) == 0;
    };
    return same(in, other.in) && same(out, other.out) && same(constant_mode, other.constant_mode);
  }
};

template <class T>
Arrays arrays_of(LoweredSweep const& sweep, std::uint64_t seed) {
  bool const is_double = sizeof(T) == 8;
  kernel::SweepSpec const& spec = sweep.lowered.spec;
  Arrays all{random_numbers(sweep.in_bytes, spec.pre.storage, is_double, seed),
             Memory(std::size_t(sweep.in_place ? 0 : sweep.out_bytes) / sizeof(Unit) + 2),
             roots_of<T>(sweep.lowered),
             random_numbers(sweep.factors_bytes, kernel::Storage::full, is_double, seed + 1), Memory(1)};
  std::memset(all.out.data(), 0xff, all.out.size() * sizeof(Unit));
  for (int a = 0; a < spec.symbol.axes; ++a)  // so that there is a constant mode
    reinterpret_cast<T*>(all.factors.data())[spec.symbol.table[a]] = 0;
  return all;
}

template <class T>
emulator::Counts emulated(LoweredSweep const& sweep, Arrays& arrays, Index tile) {
  Memory& to = sweep.in_place ? arrays.in : arrays.out;
  emulator::Launch<T> const launch{elements<T>(arrays.in),
                                   count<T>(arrays.in),
                                   elements<T>(to),
                                   count<T>(to),
                                   elements<T>(arrays.roots),
                                   count<T>(arrays.roots),
                                   T(sweep.scale),
                                   elements<T>(arrays.factors),
                                   count<T>(arrays.factors),
                                   elements<T>(arrays.constant_mode)};
  return emulator::emulate<T>(sweep.lowered.spec, sweep.lowered.tiles, launch, emulator::Checks::all(), 1,
                              tile);
}

template <class T>
interpreter::Launch launch_of(LoweredSweep const& sweep, Arrays& arrays) {
  Memory& to = sweep.in_place ? arrays.in : arrays.out;
  auto const address = [](Memory& m) { return std::int64_t(reinterpret_cast<std::uintptr_t>(m.data())); };
  T const scale = T(sweep.scale);
  std::int64_t scale_bits = 0;
  std::memcpy(&scale_bits, &scale, sizeof scale);
  auto written = emulator::storable(elements<T>(to), count<T>(to));
  auto const& post = sweep.lowered.spec.post;
  int const parts = (post.real ? 2 : 1) * (post.storage == kernel::Storage::full ? 1 : 2);
  written.bytes /= parts;
  written.count *= parts;
  auto const known = [](emulator::Array array) { return interpreter::Array{array, nullptr}; };
  auto const table = [&](Memory& m) { return known(emulator::root_table(elements<T>(m), count<T>(m))); };
  return {{address(arrays.in), address(to), address(arrays.roots), scale_bits, address(arrays.factors), 0,
           address(arrays.constant_mode)},
          {known(emulator::loadable(elements<T>(arrays.in), count<T>(arrays.in))), known(written),
           table(arrays.roots), table(arrays.factors),
           known(emulator::storable(elements<T>(arrays.constant_mode), 1))},
          sweep.lowered.tiles,
          emulator::user_functions.load,
          emulator::user_functions.store};
}

/// Whether any thread may leave out an access that others make: the emulator then takes what comes next for the same one.
bool leaves_out(kernel::SweepSpec const& spec) {
  return spec.guards > 0 || spec.pre.real_axis || spec.post.real_axis || spec.hermitian.used ||
         spec.post.coalesced_pairs > 0 || spec.symbol.axes > 0;
}

/// What nobody needs is not read by what is traced.
std::string different_counts(kernel::SweepSpec const& spec, emulator::Counts const& emulated,
                             emulator::Counts const& interpreted) {
  std::ostringstream out;
  auto const demand = [&](bool yes, char const* what, Wide x, Wide y) {
    if (!yes) out << what << " " << x << " emulated, " << y << " interpreted; ";
  };
  auto const equal = [&](char const* what, Wide emulator::Counts::*number) {
    demand(emulated.*number == interpreted.*number, what, emulated.*number, interpreted.*number);
  };
  auto const at_most = [&](char const* what, Wide emulator::Counts::*number) {
    demand(emulated.*number >= interpreted.*number, what, emulated.*number, interpreted.*number);
  };
  equal("stores", &emulator::Counts::stores);
  equal("shared writes", &emulator::Counts::shared_writes);
  equal("prefetches", &emulator::Counts::prefetches);
  at_most("loads", &emulator::Counts::loads);
  at_most("shared reads", &emulator::Counts::shared_reads);
  if (leaves_out(spec)) return out.str();
  equal("load sectors", &emulator::Counts::load_sectors);
  equal("store sectors", &emulator::Counts::store_sectors);
  return out.str();
}

template <class T>
std::string difference_of(LoweredSweep const& sweep, std::uint64_t seed) {
  ir::Kernel const kernel =
      ir::sunk(trace::trace(sweep.lowered.spec, sizeof(T) == 4 ? ir::Type::f32 : ir::Type::f64));
  if (auto const faults = ir::faults(kernel); !faults.empty()) return "not valid: " + faults.front();
  if (trace::tiles(sweep.lowered.spec) != sweep.lowered.tiles) return "has another number of tiles";
  Arrays arrays = arrays_of<T>(sweep, seed), others = arrays;
  auto const launch = launch_of<T>(sweep, others);
  Index last = -1;
  for (Index tile : {Index(0), sweep.lowered.tiles / 2, sweep.lowered.tiles - 1}) {
    if (tile == last) continue;
    last = tile;
    auto const expected = emulated<T>(sweep, arrays, tile);
    try {
      auto const counts = interpreter::run(kernel, launch, {.only = tile});
      if (auto const text = different_counts(sweep.lowered.spec, expected, counts); !text.empty())
        return text;
    } catch (interpreter::Fault const& fault) {
      return fault.what();
    }
    if (!(arrays == others)) return "tile " + std::to_string(tile) + " gives other bits";
  }
  return "";
}

}  // namespace

LoweredSweep lowered_sweep(Program const& program, int s, Machine const& machine) {
  LoweredSweep sweep{program.problem, lower(program, s, machine),
                     program.problem.precision == Precision::f64};
  auto const bytes = [&](Buffer b) {
    if (b == Buffer::in) return skipper::in_bytes(program.problem);
    if (b == Buffer::out) return skipper::out_bytes(program.problem);
    return work_bytes(program);
  };
  Sweep const& own = program.sweeps[s];
  auto const whole = [&](Buffer b) {
    bool const is_users = b == Buffer::in || b == Buffer::out;
    return is_users && program.problem.placement == Placement::in_place
               ? std::max(skipper::in_bytes(program.problem), skipper::out_bytes(program.problem))
               : bytes(b);
  };
  auto const array = [&](Buffer b) {
    return b == Buffer::out && program.problem.placement == Placement::in_place ? Buffer::in : b;
  };
  sweep.in_place = array(own.from) == array(own.to);
  sweep.in_bytes = whole(own.from);
  sweep.out_bytes = whole(own.to);
  sweep.scale = program_scale(program);
  return sweep;
}

std::string difference(LoweredSweep const& sweep, std::uint64_t seed) {
  return sweep.is_double ? difference_of<double>(sweep, seed) : difference_of<float>(sweep, seed);
}

}  // namespace skipper::testing
