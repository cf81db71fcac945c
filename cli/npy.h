// NumPy's .npy files: a header (a Python dictionary as text) and the bytes of one array. Reads versions 1 to 3, C and
// Fortran order, either byte order, of complex64, complex128, float16, float32 and float64, and integers of all widths and
// bool, which become float64 as in numpy.fft. NumPy itself has no bfloat16: arrays of ml_dtypes.bfloat16 are saved as raw
// elements of two bytes, V2, and V2 is read and written as bfloat16 here. No header can make the reader allocate more than
// the file holds: that of a file must agree with its length, and what comes by a pipe takes room as it comes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "file_error.h"
#include "scalars.h"

namespace skipper::cli {

struct NpyType {
  bool complex = true;
  Precision precision = Precision::f32;  // there is no complex array of f16 or bf16
  bool operator==(NpyType const&) const = default;
};

struct NpyArray {
  NpyType type;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> data;  // in this machine's byte order
};

std::size_t element_bytes(NpyType type);
std::string name(NpyType type);  // "complex64"

// What the numbers in a file are.
enum class NpyNumber { boolean, signed_integer, unsigned_integer, floating };

// What a header says, and how many bytes it takes.
struct NpyHeader {
  NpyType type;  // that the array is read as: float64 for integers
  NpyNumber number = NpyNumber::floating;
  std::size_t element_bytes = 0;  // in the file
  bool swapped = false;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  std::size_t data_at = 0;
  std::uint64_t data_bytes = 0;
};
// `file_bytes` is the length of the whole file, where it is known.
NpyHeader parse_npy_header(std::string_view beginning, std::optional<std::uint64_t> file_bytes);

// The longest header that is read.
inline constexpr std::size_t longest_npy_header = 1 << 20;

NpyArray read_npy(std::string const& path);

// What stands before the data of an array of this type, order and shape.
std::string npy_header_text(NpyArray const& array);

// Writes version 1 (2 where the header is long), as OutputFile does.
class OutputFile;
void write_npy(OutputFile& out, NpyArray const& array);
void write_npy(std::string const& path, NpyArray const& array);

// The same values as another type; imaginary parts are added where needed, never dropped.
void convert(NpyArray& array, NpyType type);

// What is in `data` are elements as the header says; they become those of `type` in this machine's byte order.
void make_native(NpyArray& array, NpyHeader const& header);

// What is in `data` are integers of so many bytes; they become the float64 that `type` says.
void widen_integers(NpyArray& array, NpyNumber number, std::size_t bytes);

}  // namespace skipper::cli
