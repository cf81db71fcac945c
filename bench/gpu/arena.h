// Arrays full of noise on a GPU, and the time of what is done to them: for the measurements beside this file.
#pragma once

#include <skipper/problem.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "cli/gpu.h"
#include "gpu/driver.h"

namespace skipper::bench {

class Arena {
 public:
  struct Arrays {
    gpu::DevicePointer in = 0, out = 0, work = 0;
  };

  Arrays arrays(Problem const& problem, std::size_t work) {
    std::size_t const bytes = std::size_t(std::max(in_bytes(problem), out_bytes(problem)));
    return {noisy("in", bytes), noisy("out", bytes), noisy("work", std::max<std::size_t>(work, 256))};
  }

  gpu::Stream stream() const { return static_cast<gpu::Stream>(cuda_.stream()); }

  double copy_seconds(Problem const& problem) {
    Arrays const a = arrays(problem, 0);
    std::size_t const bytes = std::size_t(in_bytes(problem));
    return seconds([&] { cuda_.copy(reinterpret_cast<void*>(a.out), reinterpret_cast<void*>(a.in), bytes); });
  }

  /// The least of a few, each long enough to be told; short work is replayed from a graph.
  template <class F>
  double seconds(F const& work) {
    work();
    cuda_.wait();
    double const once = std::max(1e-7, cuda_.seconds([&] { work(); }));
    int const times = int(std::clamp(2e-3 / once, 1.0, 100.0));
    auto const call = once < 1e-4 ? cuda_.replayed(work, times) : [&] {
      for (int i = 0; i < times; ++i) work();
    };
    double best = 1e9;
    for (int i = 0; i < 4; ++i) best = std::min(best, cuda_.seconds(call) / times);
    return best;
  }

  /// A few bytes of each of 16 places of an array.
  std::vector<char> sample(gpu::DevicePointer from, std::size_t bytes) {
    std::size_t const places = 16, piece = std::min<std::size_t>(bytes / places, 1 << 18);
    std::vector<char> all(places * piece);
    for (std::size_t i = 0; i < places; ++i)
      cuda_.download(all.data() + i * piece,
                     reinterpret_cast<void*>(from + (bytes - piece) / (places - 1) * i / 16 * 16), piece);
    return all;
  }

  void poison(gpu::DevicePointer array, std::size_t bytes) {
    cuda_.poison(reinterpret_cast<void*>(array), bytes);
  }

 private:
  /// Memory full of noise when it is new: zeros may let the device run faster than anybody's data.
  gpu::DevicePointer noisy(std::string const& name, std::size_t bytes) {
    void* const data = cuda_.device_memory(name, bytes).data;
    if (noise_.empty()) {
      std::mt19937_64 random(7);
      for (int i = 0; i < 1 << 20; ++i)
        noise_.push_back(std::uniform_real_distribution<float>(-1, 1)(random));
    }
    std::size_t const piece = noise_.size() * sizeof(float);
    for (std::size_t& at = filled_[data]; at < bytes; at += piece)
      cuda_.upload(static_cast<char*>(data) + at, noise_.data(), std::min(piece, bytes - at));
    return gpu::DevicePointer(data);
  }

  cli::Cuda cuda_{0};
  std::vector<float> noise_;
  std::map<void*, std::size_t> filled_;  // bytes of each array that hold noise
};

}  // namespace skipper::bench
