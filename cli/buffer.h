// Memory for arrays: aligned to 64 bytes, zeroed (so that every page is there before anything is timed), and filled
// with numbers that look random but are the same on every run.
#pragma once

#include <skipper/half.h>
#include <skipper/problem.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

namespace skipper::cli {

class Buffer {
 public:
  explicit Buffer(std::int64_t bytes)
      : bytes_(std::size_t(bytes)),
        data_(static_cast<std::byte*>(::operator new(bytes_ + 64, std::align_val_t(64)))) {
    zero();
  }
  void* data() { return data_.get(); }
  void const* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }
  void zero() { std::memset(data_.get(), 0, bytes_); }

  // Reals between -largest and largest, one after the other.
  void fill_random(Precision precision, std::uint64_t seed = 1, double largest = 1) {
    std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
    auto const next = [&] {  // splitmix64
      state += 0x9e3779b97f4a7c15u;
      std::uint64_t z = state;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      return largest * (double(std::int64_t(z ^ (z >> 31)) >> 11) * 0x1p-52);
    };
    if (precision == Precision::f16)
      for (std::size_t i = 0; i < bytes_ / 2; ++i) static_cast<Half*>(data())[i] = Half(float(next()));
    else if (precision == Precision::f32)
      for (std::size_t i = 0; i < bytes_ / 4; ++i) static_cast<float*>(data())[i] = float(next());
    else
      for (std::size_t i = 0; i < bytes_ / 8; ++i) static_cast<double*>(data())[i] = next();
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t(64)); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

}  // namespace skipper::cli
