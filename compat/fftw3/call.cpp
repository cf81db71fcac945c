// See call.h.
#include "call.h"

#include <algorithm>
#include <utility>

namespace skipper::fftw3 {
namespace {

/// The bytes that a side may touch. Unsigned arithmetic, which wraps where sizes make no sense.
struct Range {
  std::uintptr_t low = 0, end = 0;
};

Range range_of(Call const& call, bool out, Real const* first) {
  auto const address = reinterpret_cast<std::uintptr_t>(first);
  std::uintptr_t below = 0, above = 0;
  auto const add = [&](Index size, Index stride) {
    if (size < 2) return;
    auto const reach = static_cast<std::uintptr_t>(size - 1) *
                       static_cast<std::uintptr_t>(stride < 0 ? -stride : stride) * sizeof(Real);
    (stride < 0 ? below : above) += reach;
  };
  for (std::size_t i = 0; i < call.axes.size(); ++i) {
    Dim const& axis = call.axes[i];
    out ? add(stored_out(call, i), axis.out_stride) : add(stored_in(call, i), axis.in_stride);
  }
  for (Dim const& dim : call.batch) add(dim.size, out ? dim.out_stride : dim.in_stride);
  return {address - below, address + above + sizeof(Real)};
}

bool meet(Range const& a, Range const& b) { return a.low < b.end && b.low < a.end; }

Overlap overlap_of(Call const& call, Arrays const& arrays) {
  bool const same_real = arrays.in == arrays.out;
  bool const interleaved =
      (real_in(call.kind) || call.in_pair == 1) && (real_out(call.kind) || call.out_pair == 1);
  if (call.kind == Kind::c2c ? same_real && arrays.in_imag == arrays.out_imag : same_real && interleaved)
    return Overlap::same;
  for (Real const* in : {arrays.in, arrays.in_imag})
    for (Real const* out : {arrays.out, arrays.out_imag})
      if (in && out && meet(range_of(call, false, in), range_of(call, true, out))) return Overlap::partly;
  return Overlap::none;
}

/// Between places that need not be of one array.
Index apart(Real const* from, Real const* to) {
  return static_cast<Index>(reinterpret_cast<std::intptr_t>(to) - reinterpret_cast<std::intptr_t>(from)) /
         static_cast<Index>(sizeof(Real));
}

std::string word(Dim const& dim) {
  return " " + std::to_string(dim.size) + ":" + std::to_string(dim.in_stride) + ":" +
         std::to_string(dim.out_stride);
}

char const* const kind_names[real_kinds] = {"r2hc",    "hc2r",    "dht",     "redft00", "redft01", "redft10",
                                            "redft11", "rodft00", "rodft01", "rodft10", "rodft11"};

}  // namespace

Index stored_in(Call const& call, std::size_t axis) {
  Index const n = call.axes[axis].size;
  return call.kind == Kind::c2r && axis + 1 == call.axes.size() ? n / 2 + 1 : n;
}

Index stored_out(Call const& call, std::size_t axis) {
  Index const n = call.axes[axis].size;
  return call.kind == Kind::r2c && axis + 1 == call.axes.size() ? n / 2 + 1 : n;
}

void relate(Call& call, Arrays const& arrays) {
  call.in_pair = real_in(call.kind) ? 0 : apart(arrays.in, arrays.in_imag);
  call.out_pair = real_out(call.kind) ? 0 : apart(arrays.out, arrays.out_imag);
  call.overlap = overlap_of(call, arrays);
}

Call normalised(Call call) {
  std::vector<Dim> axes;
  std::vector<RealKind> kinds;
  bool const halved = call.kind == Kind::r2c || call.kind == Kind::c2r;
  for (std::size_t i = 0; i < call.axes.size(); ++i) {
    bool const last = i + 1 == call.axes.size();
    bool const identity = call.kind == Kind::r2r ? keeps_one_point(call.kinds[i]) : !(halved && last);
    if (call.axes[i].size == 1 && identity) continue;
    axes.push_back(call.axes[i].size == 1 ? Dim{1, 0, 0} : call.axes[i]);
    if (call.kind == Kind::r2r) kinds.push_back(call.kinds[i]);
  }
  if (axes.empty() && halved) axes.push_back({1, 0, 0});
  call.axes = std::move(axes);
  call.kinds = std::move(kinds);
  std::erase_if(call.batch, [](Dim const& dim) { return dim.size == 1; });
  return call;
}

bool is_empty(Call const& call) {
  return std::any_of(call.batch.begin(), call.batch.end(), [](Dim const& dim) { return dim.size == 0; });
}

std::string text(Call const& call) {
  std::string result(name(call.kind));
  if (call.kind == Kind::c2c) result += " " + std::string(name(call.direction));
  for (std::size_t i = 0; i < call.axes.size(); ++i) {
    result += word(call.axes[i]);
    if (call.kind == Kind::r2r) result += std::string(":") + kind_names[int(call.kinds[i])];
  }
  if (!call.batch.empty()) result += " batch";
  for (Dim const& dim : call.batch) result += word(dim);
  if (call.kind != Kind::r2r)
    result += " pairs " + std::to_string(call.in_pair) + ":" + std::to_string(call.out_pair);
  if (call.overlap == Overlap::same) result += " in-place";
  if (call.overlap == Overlap::partly) result += " overlapping";
  return result;
}

}  // namespace skipper::fftw3
