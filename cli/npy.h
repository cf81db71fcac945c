// NumPy's .npy files: a header (a Python dictionary as text) and the bytes of one array. Reads versions 1 to 3, C and
// Fortran order, either byte order, of complex64, complex128, float16, float32 and float64. Nothing in a header is believed
// before the length of the file agrees with it, so no header can make the reader allocate more than the file holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace skipper::cli {

struct NpyType {
  bool complex = true;
  int bits = 32;  // of a real number: 16, 32 or 64; there is no complex array of 16
  bool operator==(NpyType const&) const = default;
};

struct NpyArray {
  NpyType type;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // in this machine's byte order
};

// The message says which file and what is wrong with it.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

std::size_t element_bytes(NpyType type);
std::string name(NpyType type);  // "complex64"

// What a header says, and how many bytes it takes; `file_bytes` is the length of the whole file.
struct NpyHeader {
  NpyType type;
  bool swapped = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_at = 0;
};
NpyHeader parse_npy_header(std::string_view beginning, std::uint64_t file_bytes);

// The longest header that is read.
inline constexpr std::size_t longest_npy_header = 1 << 20;

NpyArray read_npy(std::string const& path);

// What stands before the data of an array of this type, order and shape.
std::string npy_header_text(NpyArray const& array);

// Writes version 1 (2 where the header is long). The file appears whole or not at all.
void write_npy(std::string const& path, NpyArray const& array);

// The same values as another type; imaginary parts are added where needed, never dropped.
void convert(NpyArray& array, NpyType type);

// Replaces the file by this text or these bytes, by way of a temporary file beside it that is renamed.
void write_file(std::string const& path, std::string_view header, std::string_view bytes);

std::string read_file(std::string const& path);

}  // namespace skipper::cli
