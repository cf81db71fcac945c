// Memory for arrays: aligned to 64 bytes, zeroed (so that every page is there before anything is timed), and filled
// with numbers that look random but are the same on every run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>

#include "noise.h"

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
  void poison() { std::memset(data_.get(), 0xff, bytes_); }  // not-a-number of every precision

  // Reals between -largest and largest, one after the other.
  void fill_random(Precision precision, std::uint64_t seed = 1, double largest = 1) {
    fill_with_noise(data(), bytes_, precision, seed, largest);
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t(64)); }
  };
  std::size_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

}  // namespace skipper::cli
