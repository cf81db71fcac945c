// See copy.h. Rows along the last merged dimension are copied whole where both sides are contiguous.
#include "stream/copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace skipper::stream {
namespace {

constexpr std::size_t line_bytes = 64;

/// A line to where one begins.
void stream_line(std::byte* to, std::byte const* from) {
#if defined(__x86_64__)
  for (std::size_t i = 0; i < line_bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<__m128i const*>(from + i)));
#elif defined(__aarch64__)
  for (std::size_t i = 0; i < line_bytes; i += 32) {
    uint8x16_t const low = vld1q_u8(reinterpret_cast<std::uint8_t const*>(from + i)),
                     high = vld1q_u8(reinterpret_cast<std::uint8_t const*>(from + i + 16));
    asm volatile("stnp %q1, %q2, [%0]" ::"r"(to + i), "w"(low), "w"(high) : "memory");
  }
#else
  std::memcpy(to, from, line_bytes);
#endif
}

/// Whoever is told by a lock that the data are there sees them.
void after_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

void copy_streaming(std::byte* to, std::byte const* from, std::size_t bytes) {
  std::size_t const begin = (line_bytes - reinterpret_cast<std::uintptr_t>(to) % line_bytes) % line_bytes;
  if (bytes < begin + line_bytes) return void(std::memcpy(to, from, bytes));
  std::memcpy(to, from, begin);
  std::size_t at = begin;
  for (; at + line_bytes <= bytes; at += line_bytes) stream_line(to + at, from + at);
  std::memcpy(to + at, from + at, bytes - at);
}

void copy_row(BoxDim const& row, Index bytes, std::byte const* from, std::byte* to, Stores stores) {
  if (row.from == 1 && row.to == 1) {
    auto const all = static_cast<std::size_t>(row.size * bytes);
    stores == Stores::plain ? void(std::memcpy(to, from, all)) : copy_streaming(to, from, all);
    return;
  }
  auto const elements = [&]<class E>(E) {
    for (Index i = 0; i < row.size; ++i)
      std::memcpy(to + i * row.to * bytes, from + i * row.from * bytes, sizeof(E));
  };
  struct Pair {
    double re, im;
  };
  if (bytes == 2) return elements(std::uint16_t{});
  if (bytes == 4) return elements(std::uint32_t{});
  if (bytes == 8) return elements(std::uint64_t{});
  elements(Pair{});
}

}  // namespace

std::vector<BoxDim> merged(std::vector<BoxDim> dims) {
  std::erase_if(dims, [](BoxDim const& d) { return d.size == 1; });
  std::stable_sort(dims.begin(), dims.end(), [](BoxDim const& a, BoxDim const& b) { return a.to > b.to; });
  std::vector<BoxDim> result;
  for (BoxDim const& d : dims) {
    if (!result.empty() && result.back().from == d.from * d.size && result.back().to == d.to * d.size)
      result.back() = {result.back().size * d.size, d.from, d.to};
    else
      result.push_back(d);
  }
  return result;
}

std::vector<RowsOfBox> rows_of(std::vector<BoxDim> const& dims) {
  std::vector<BoxDim> outer = merged(dims);
  RowsOfBox one{0, 0, 1, 1, 1, 1};
  if (!outer.empty()) {
    if (outer.back().from != 1 || outer.back().to != 1) return {};
    one.size = one.from_pitch = one.to_pitch = outer.back().size;
    outer.pop_back();
  }
  if (!outer.empty()) {
    one.rows = outer.back().size;
    one.from_pitch = outer.back().from;
    one.to_pitch = outer.back().to;
    outer.pop_back();
  }
  std::vector<RowsOfBox> all{one};
  for (BoxDim const& d : outer) {
    std::vector<RowsOfBox> const before = std::move(all);
    all.clear();
    for (Index i = 0; i < d.size; ++i)
      for (RowsOfBox r : before) {
        r.from += i * d.from;
        r.to += i * d.to;
        all.push_back(r);
      }
  }
  return all;
}

void copy_box(std::vector<BoxDim> const& dims, Index element_bytes, std::byte const* from, std::byte* to,
              Loop const& loop, Stores stores) {
  std::vector<BoxDim> outer = merged(dims);
  BoxDim row{1, 1, 1};
  if (!outer.empty()) {
    row = outer.back();
    outer.pop_back();
  }
  // One long row is still work for several threads.
  Index constexpr piece = 1 << 16;
  if (row.size >= 2 * piece) {
    outer.push_back({row.size / piece, row.from * piece, row.to * piece});
    BoxDim rest = row;
    rest.size = row.size % piece;
    if (rest.size > 0) {
      std::vector<BoxDim> tail(outer.begin(), outer.end() - 1);
      tail.push_back(rest);
      Index const done = row.size - rest.size;
      copy_box(tail, element_bytes, from + done * row.from * element_bytes,
               to + done * row.to * element_bytes, loop, stores);
    }
    row.size = piece;
  }
  Index count = 1;
  for (BoxDim const& d : outer) count *= d.size;
  loop(count, [&](Index begin, Index end) {
    for (Index at = begin; at < end; ++at) {
      Index from_at = 0, to_at = 0, rest = at;
      for (std::size_t d = outer.size(); d-- > 0;) {
        from_at += rest % outer[d].size * outer[d].from;
        to_at += rest % outer[d].size * outer[d].to;
        rest /= outer[d].size;
      }
      copy_row(row, element_bytes, from + from_at * element_bytes, to + to_at * element_bytes, stores);
    }
    if (stores == Stores::streaming) after_streaming();
  });
}

}  // namespace skipper::stream
