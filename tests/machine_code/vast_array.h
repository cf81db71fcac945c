#pragma once
// Arrays as large as problems are that fill a GPU, of which a test touches little: pages that nobody touches take no memory.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace skipper::testing {

enum class Number { f32, f64, f16, bf16 };

class VastArray {
 public:
  /// Begins as zeros.
  explicit VastArray(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
    data_ =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data_ == MAP_FAILED) throw std::runtime_error("no address space for " + std::to_string(bytes));
  }
  /// Random numbers, which repeat after a prime number of pages; read only.
  static VastArray of_random(std::size_t bytes, Number number) {
    VastArray array(bytes);
    int const file = random_file(number);
    for (std::size_t at = 0; at < array.bytes_; at += period)
      if (::mmap(static_cast<std::byte*>(array.data_) + at, std::min(period, array.bytes_ - at), PROT_READ,
                 MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
        throw std::runtime_error("random numbers cannot be mapped");
    return array;
  }
  static VastArray copy_of(std::string const& bytes) {
    VastArray array(bytes.size());
    std::memcpy(array.data_, bytes.data(), bytes.size());
    return array;
  }
  VastArray(VastArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  VastArray& operator=(VastArray&&) = delete;
  ~VastArray() {
    if (data_) ::munmap(data_, bytes_);
  }

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t period = 2039 * 4096;

  /// Numbers of size 1/2 to 1, of either sign: bits of a hash under the exponent.
  static std::vector<std::uint64_t> random_words(Number number) {
    constexpr std::uint64_t sign = std::uint64_t(1) << 63;
    std::uint64_t kept = sign | 0xfffffffffffff, set = std::uint64_t(0x3fe) << 52;
    if (number == Number::f32) kept = 0x807fffff807fffff, set = 0x3f0000003f000000;
    if (number == Number::f16) kept = 0x83ff83ff83ff83ff, set = 0x3800380038003800;
    if (number == Number::bf16) kept = 0x807f807f807f807f, set = 0x3f003f003f003f00;
    std::vector<std::uint64_t> words(period / 8);
    std::uint64_t state = 0;
    for (std::uint64_t& word : words) {
      state += 0x9e3779b97f4a7c15;
      std::uint64_t z = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      word = ((z ^ z >> 31) & kept) | set;
    }
    return words;
  }
  static int random_file(Number number) {
    static std::map<Number, int> files;  // open as long as the program runs
    if (auto const found = files.find(number); found != files.end()) return found->second;
    int const file = ::memfd_create("random numbers", 0);
    auto const words = random_words(number);
    if (file < 0 || ::write(file, words.data(), period) != ssize_t(period))
      throw std::runtime_error("no memory for random numbers");
    return files[number] = file;
  }

  void* data_;
  std::size_t bytes_;
};

}  // namespace skipper::testing
