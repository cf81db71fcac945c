// See levels.h.
#include "gpu/levels.h"

#include <algorithm>

#include "kernel/levels.h"

namespace skipper::gpu {
namespace {

constexpr Index max_blocks = 1024;

Index blocks_of(Index count) { return (count + kernel::level_threads - 1) / kernel::level_threads; }

}  // namespace

Levels::Levels(bool wide, int device)
    : wide_(wide),
      lower_(trace::PlainKernel::lower, false, wide, device),
      largest_(trace::PlainKernel::largest, false, wide, device) {}

void Levels::lower(DevicePointer to, DevicePointer from, Index count, bool to_first, Stream stream) const {
  auto const go = [&]<class T>(T) {
    T const* const given = reinterpret_cast<T const*>(from);
    kernel::LowerArgs<T> const args{reinterpret_cast<T*>(to), given, to_first ? given : nullptr, count};
    lower_.launch(blocks_of(count), kernel::level_threads, args, stream);
  };
  wide_ ? go(double()) : go(float());
}

void Levels::lower(DevicePointer data, Index count, double level, Stream stream) const {
  auto const go = [&]<class T>(T) {
    T* const all = reinterpret_cast<T*>(data);
    kernel::LowerArgs<T> const args{all, all, nullptr, count, T(level)};
    lower_.launch(blocks_of(count), kernel::level_threads, args, stream);
  };
  wide_ ? go(double()) : go(float());
}

template <class T>
double Levels::largest_of(DevicePointer data, Index count, Pool const& pool, Stream stream) const {
  Index const blocks = std::min(max_blocks, blocks_of(count)), threads = blocks * kernel::level_threads;
  std::vector<T> all(static_cast<std::size_t>(threads));
  Borrowed borrowed(pool, stream);
  DevicePointer const found = borrowed.take(all.size() * sizeof(T), "the largest numbers");
  kernel::LargestArgs<T> const args{reinterpret_cast<T*>(found), reinterpret_cast<T const*>(data), count,
                                    threads};
  largest_.launch(blocks, kernel::level_threads, args, stream);
  demand(driver()->to_host_async(all.data(), found, all.size() * sizeof(T), stream),
         "copying the largest numbers to the host");
  demand(driver()->synchronise_stream(stream), "waiting for the largest numbers");
  return double(*std::max_element(all.begin(), all.end()));
}

double Levels::largest(DevicePointer data, Index count, Pool const& pool, Stream stream) const {
  return wide_ ? largest_of<double>(data, count, pool, stream) : largest_of<float>(data, count, pool, stream);
}

}  // namespace skipper::gpu
