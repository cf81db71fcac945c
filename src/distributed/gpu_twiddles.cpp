// See gpu_twiddles.h.
#include "distributed/gpu_twiddles.h"

#include <algorithm>
#include <bit>

#include "base/roots.h"

namespace skipper::distributed {
namespace {

template <class T>
Owned uploaded(std::shared_ptr<Gpu> const& gpu, std::vector<T> const& values) {
  Index const bytes = Index(values.size() * sizeof(T));
  Owned memory(gpu, bytes);
  gpu->upload(memory.memory(), values.data(), bytes);
  return memory;
}

template <class T>
Owned table(std::shared_ptr<Gpu> const& gpu, Index n, Index count, Index step, bool inverse) {
  std::vector<std::complex<T>> values = roots<T>(n, count, step);
  if (inverse)
    for (std::complex<T>& w : values) w = std::conj(w);
  return uploaded(gpu, values);
}

/// The index along a dimension of an array, from the place of an element.
std::string index_text(Array const& array, std::size_t dimension) {
  return "place / " + std::to_string(array.strides[dimension]) + "ll % " +
         std::to_string(array.box.size[dimension]) + "ll";
}

}  // namespace

bool loads_twiddles(Program const& program, std::size_t stage) {
  if (!program.split) return false;
  auto const& axes = program.stages[stage].axes;
  return std::find(axes.begin(), axes.end(), program.split->digits.axis + 1) != axes.end();
}

GpuTwiddles::GpuTwiddles(Program const& program, std::shared_ptr<Gpu> gpu)
    : first_(program.problem.batch.size() + program.split->digits.axis), gpu_(std::move(gpu)) {
  Index const n = program.split->digits.first * program.split->digits.second;
  bits_ = std::bit_width(std::uint64_t(n)) / 2;
  Index const small = Index(1) << bits_, large = (n + small - 1) / small;
  bool const wide = program.problem.precision == Precision::f64,
             inverse = program.problem.direction == Direction::inverse;
  auto const make = [&](Index count, Index step) {
    return wide ? table<double>(gpu_, n, count, step, inverse) : table<float>(gpu_, n, count, step, inverse);
  };
  low_ = make(small, 1);
  high_ = make(large, small);
  table_bytes_ = (small + large) * (wide ? 16 : 8);
}

/// Transforms that store to peers are called with a table of their base addresses, so what is needed here stands before that.
std::string GpuTwiddles::text(Array const& array) const {
  return "struct Start {\n  long long first, second;\n  Value const *low, *high;\n};\n"
         "Value product(Value a, Value b) {\n"
         "  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};\n}\n"
         "Value on_load(Value x, long long place, void* data) {\n"
         "  Start const start = static_cast<Start const*>(data)[-1];\n"
         "  long long const power = (" +
         index_text(array, first_) + " + start.first) * (" + index_text(array, first_ + 1) +
         " + start.second);\n  return product(x, product(start.low[power & " +
         std::to_string((Index(1) << bits_) - 1) + "ll], start.high[power >> " + std::to_string(bits_) +
         "]));\n}\n";
}

std::array<unsigned long long, 4> GpuTwiddles::words_before_bases(Box const& part) const {
  auto const address = [](Owned const& table) {
    return static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(table.memory()));
  };
  return {static_cast<unsigned long long>(part.first[first_]),
          static_cast<unsigned long long>(part.first[first_ + 1]), address(low_), address(high_)};
}

GpuLoad GpuTwiddles::load(Array const& array, Box const& part) {
  auto const words = words_before_bases(part);
  // A word more, so that what is behind them is memory too.
  std::vector<unsigned long long> start(words.begin(), words.end());
  start.push_back(0);
  starts_.push_back(uploaded(gpu_, start));
  return {text(array), static_cast<unsigned long long*>(starts_.back().memory()) + words.size()};
}

Index GpuTwiddles::memory_bytes() const { return table_bytes_ + Index(starts_.size()) * 40; }

}  // namespace skipper::distributed
