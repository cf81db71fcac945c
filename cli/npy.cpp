// Reads and writes .npy files; npy_header.cpp understands the header.
#include "npy.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "format.h"
#include "input_file.h"
#include "output_file.h"

namespace skipper::cli {
namespace {

void swap_bytes(std::vector<std::byte>& data, std::size_t size) {
  for (std::size_t i = 0; i + size <= data.size(); i += size)
    std::reverse(data.begin() + std::ptrdiff_t(i), data.begin() + std::ptrdiff_t(i + size));
}

// The twelve first bytes tell how long the header is; a too long one is refused before it is read.
std::string read_beginning(InputFile const& file) {
  std::string beginning(12, '\0');
  beginning.resize(file.read(beginning.data(), 12));
  std::size_t claimed = 0;
  for (std::size_t i = 8; i < beginning.size() && i < (beginning[6] > 1 ? 12u : 10u); ++i)
    claimed |= std::size_t(static_cast<unsigned char>(beginning[i])) << 8 * (i - 8);
  bool const whole = beginning.size() == 12 && beginning.starts_with("\x93NUMPY");
  if (!whole) return beginning;
  std::size_t const begin = beginning[6] > 1 ? 12 : 10, end = begin + std::min(claimed, longest_npy_header);
  if (end <= 12) return beginning;
  beginning.resize(end);
  beginning.resize(12 + file.read(beginning.data() + 12, end - 12));
  return beginning;
}

// The data take room as they come, unless the length of the file has vouched for them.
void read_data(InputFile const& file, std::string_view first, std::uint64_t bytes,
               std::vector<std::byte>& data) {
  constexpr std::uint64_t piece = 1 << 20;
  if (file.length()) data.reserve(bytes);
  data.resize(std::min<std::uint64_t>(first.size(), bytes));
  if (!data.empty()) std::memcpy(data.data(), first.data(), data.size());
  while (data.size() < bytes) {
    std::size_t const have = data.size();
    std::size_t const next =
        file.length() ? bytes : std::min(bytes, have + std::max<std::uint64_t>(have, piece));
    data.resize(next);
    std::size_t const got = file.read(reinterpret_cast<char*>(data.data()) + have, next - have);
    if (got == next - have) continue;
    throw FileError(file.length() ? "it became shorter while it was read"
                                  : formatted("it is truncated, or its header is wrong: the shape needs {} "
                                              "bytes of data, and there came {}",
                                              bytes, have + got));
  }
  char more = 0;
  if (first.size() > bytes || file.read(&more, 1) != 0)
    throw FileError(
        formatted("it is too long, or its header is wrong: more than {} bytes of data came", bytes));
}

}  // namespace

std::string npy_header_text(NpyArray const& array) {
  bool const big = std::endian::native == std::endian::big;
  std::string text = "{'descr': '";
  text += big ? '>' : '<';
  text += array.type.complex ? 'c' : array.type.precision == Precision::bf16 ? 'V' : 'f';
  text += std::to_string(element_bytes(array.type));
  text += std::string("', 'fortran_order': ") + (array.fortran_order ? "True" : "False") + ", 'shape': (";
  for (std::int64_t const size : array.shape) text += std::to_string(size) + ", ";
  if (array.shape.size() > 1) text.resize(text.size() - 2);
  if (array.shape.size() == 1) text.resize(text.size() - 1);
  text += "), }";
  bool const is_long = text.size() + 64 > 65535;
  std::size_t const begin = is_long ? 12 : 10;
  text.append(63 - (begin + text.size()) % 64, ' ');  // data begin at a multiple of 64
  text += '\n';
  std::string out = "\x93NUMPY";
  out += {is_long ? '\2' : '\1', '\0', char(text.size() & 255), char(text.size() >> 8 & 255)};
  if (is_long) out += {char(text.size() >> 16 & 255), char(text.size() >> 24 & 255)};
  return out + text;
}

void make_native(NpyArray& array, NpyHeader const& header) {
  bool const floating = header.number == NpyNumber::floating;
  if (header.swapped)
    swap_bytes(array.data, floating ? scalar_bytes(header.type.precision) : header.element_bytes);
  if (!floating) widen_integers(array, header.number, header.element_bytes);
}

NpyArray read_npy(std::string const& path) {
  InputFile const file(path);
  std::string const beginning = read_beginning(file);
  try {
    NpyHeader const header = parse_npy_header(beginning, file.length());
    NpyArray array{header.type, header.fortran_order, header.shape, {}};
    read_data(file, std::string_view(beginning).substr(header.data_at), header.data_bytes, array.data);
    make_native(array, header);
    return array;
  } catch (FileError const& e) {
    throw FileError(file.name() + ": " + e.what());
  }
}

void write_npy(OutputFile& out, NpyArray const& array) {
  out.write(npy_header_text(array));
  out.write({reinterpret_cast<char const*>(array.data.data()), array.data.size()});
  out.finish();
}

void write_npy(std::string const& path, NpyArray const& array) {
  OutputFile out(path);
  write_npy(out, array);
}

}  // namespace skipper::cli
