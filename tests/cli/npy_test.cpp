// .npy files: round trips in every type and order, what NumPy writes, and headers that lie.
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include "npy.h"
#include "support/quick.h"

namespace skipper::cli {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::temp_directory_path() / ("skipper-npy-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string file(std::string const& name) const { return (path / name).string(); }
  std::size_t entries() const {
    return std::size_t(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

void spill(std::string const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A file as NumPy lays it out.
std::string npy(std::string const& dictionary, std::string const& data, int version = 1) {
  std::string const text = dictionary + "\n";
  std::string out = "\x93NUMPY";
  out += {char(version), '\0', char(text.size() & 255), char(text.size() >> 8)};
  if (version > 1) out += {'\0', '\0'};
  return out + text + data;
}

std::string dictionary(std::string const& descr, std::string const& shape,
                       std::string const& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

// What reading such a file complains about; empty where it does not.
std::string complaint(std::string const& bytes) {
  Folder const folder;
  spill(folder.file("x.npy"), bytes);
  try {
    read_npy(folder.file("x.npy"));
    return "";
  } catch (FileError const& e) {
    EXPECT_NE(std::string(e.what()).find("x.npy: "), std::string::npos) << e.what();
    return e.what();
  }
}

TEST(Npy, RoundTrips) {
  Folder const folder;
  for (bool const is_complex : {true, false})
    for (Precision const precision : {Precision::f32, Precision::f64, Precision::bf16})
      for (bool const fortran : {false, true})
        for (std::vector<std::int64_t> const& shape :
             {std::vector<std::int64_t>{}, {5}, {3, 4}, {2, 1, 3}, {0, 7}}) {
          if (is_complex && is_16_bit(precision)) continue;
          NpyArray array{{is_complex, precision}, fortran, shape, {}};
          std::size_t count = 1;
          for (std::int64_t const n : shape) count *= std::size_t(n);
          for (std::size_t i = 0; i < count * element_bytes(array.type); ++i)
            array.data.push_back(std::byte(i * 37));
          write_npy(folder.file("a.npy"), array);
          NpyArray const back = read_npy(folder.file("a.npy"));
          EXPECT_EQ(back.type, array.type);
          EXPECT_EQ(back.shape, array.shape);
          EXPECT_EQ(back.fortran_order, fortran);
          EXPECT_EQ(back.data, array.data);
        }
  EXPECT_EQ(folder.entries(), 1u) << "no temporary file is left";
}

TEST(Npy, WritesWhatNumPyWrites) {
  Folder const folder;
  write_npy(folder.file("a.npy"), {{true, Precision::f32}, false, {2}, std::vector<std::byte>(16)});
  std::ifstream in(folder.file("a.npy"), std::ios::binary);
  std::string const bytes{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(bytes.substr(10, 58), "{'descr': '<c8', 'fortran_order': False, 'shape': (2,), } ");
  EXPECT_EQ((bytes.size() - 16) % 64, 0u) << "data are aligned";
}

/// NumPy has no bfloat16; ml_dtypes saves it as <V2, and what NumPy loads as such it saves as |V2.
TEST(Npy, TakesRawElementsOfTwoBytesForBFloat16) {
  Folder const folder;
  for (std::string const descr : {"<V2", "|V2", ">V2"}) {
    spill(folder.file("v.npy"), npy(dictionary(descr, "(1,)"), descr == ">V2" ? "\xc0\x49" : "\x49\xc0", 1));
    NpyArray array = read_npy(folder.file("v.npy"));
    EXPECT_EQ(name(array.type), "bfloat16");
    convert(array, {false, Precision::f32});
    float read = 0;
    ASSERT_EQ(array.data.size(), 4u);
    std::memcpy(&read, array.data.data(), 4);
    EXPECT_EQ(read, -3.140625f) << descr;
  }
  NpyArray const array{{false, Precision::bf16}, false, {2}, std::vector<std::byte>(4)};
  EXPECT_NE(npy_header_text(array).find("'descr': '<V2'"), std::string::npos);
}

TEST(Npy, ReadsAllVersionsAndByteOrders) {
  Folder const folder;
  float const value = 1.5f;
  std::string little(4, '\0'), big;
  std::memcpy(little.data(), &value, 4);
  big.assign(little.rbegin(), little.rend());
  for (int const version : {1, 2, 3})
    for (bool const swapped : {false, true}) {
      spill(folder.file("v.npy"),
            npy(dictionary(swapped ? ">f4" : "<f4", "(1,)"), swapped ? big : little, version));
      NpyArray const array = read_npy(folder.file("v.npy"));
      float read = 0;
      ASSERT_EQ(array.data.size(), 4u);
      std::memcpy(&read, array.data.data(), 4);
      EXPECT_EQ(read, value) << version << swapped;
    }
}

// Each value as the bytes of an integer type, in either byte order, comes back as the double that NumPy makes of it.
template <class T>
void expect_widened(std::string const& letter, std::vector<T> const& values) {
  Folder const folder;
  for (bool const swapped : {false, true}) {
    std::string bytes;
    for (T const value : values) {
      std::string one(sizeof(T), '\0');
      std::memcpy(one.data(), &value, sizeof(T));
      if (swapped) std::reverse(one.begin(), one.end());
      bytes += one;
    }
    std::string const descr = (swapped ? ">" : "<") + letter + std::to_string(sizeof(T));
    spill(folder.file("i.npy"), npy(dictionary(descr, "(" + std::to_string(values.size()) + ",)"), bytes));
    NpyArray const array = read_npy(folder.file("i.npy"));
    EXPECT_EQ(name(array.type), "float64") << descr;
    ASSERT_EQ(array.data.size(), 8 * values.size()) << descr;
    for (std::size_t i = 0; i < values.size(); ++i) {
      double read = 0;
      std::memcpy(&read, array.data.data() + 8 * i, 8);
      EXPECT_EQ(read, double(values[i])) << descr;
    }
  }
}

template <class T>
std::vector<T> extremes() {
  return {0, 1, T(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T(77)};
}

TEST(Npy, IntegersBecomeDoubles) {
  expect_widened("i", extremes<std::int8_t>());
  expect_widened("i", extremes<std::int16_t>());
  expect_widened("i", extremes<std::int32_t>());
  expect_widened("i", extremes<std::int64_t>());
  expect_widened("u", extremes<std::uint8_t>());
  expect_widened("u", extremes<std::uint16_t>());
  expect_widened("u", extremes<std::uint32_t>());
  expect_widened("u", extremes<std::uint64_t>());
  expect_widened("b", std::vector<std::uint8_t>{0, 1});
  EXPECT_EQ(complaint(npy(dictionary("|b1", "(2,)"), std::string("\0\1", 2))), "");
  EXPECT_EQ(complaint(npy(dictionary("|u1", "(2,)"), std::string("\0\1", 2))), "");
}

TEST(Npy, LyingHeadersGetAClearError) {
  std::string const eight(8, '\0');
  EXPECT_EQ(complaint(npy(dictionary("<f4", "(2,)"), eight)), "");
  EXPECT_NE(complaint(npy(dictionary("<f4", "(3,)"), eight)).find("truncated"), std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<f4", "(1,)"), eight)).find("too long"), std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<f4", "(4611686018427387904, 16)"), eight)).find("truncated"),
            std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<f4", "(9223372036854775807,)"), eight)).find("truncated"),
            std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<f4", "(99999999999999999999,)"), eight)).find("shape"),
            std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<f4", "(-2,)"), eight)).find("shape"), std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<i3", "(1,)"), eight)).find("'<i3'"), std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<b8", "(1,)"), eight)).find("'<b8'"), std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("|i8", "(1,)"), eight)).find("'|i8'"), std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<i8", "(2,)"), eight)).find("truncated"), std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("|O", "(1,)"), eight)).find("astype"), std::string::npos);
  EXPECT_NE(complaint(npy(dictionary("<f4", "(2,)", "Maybe"), eight)).find("fortran_order"),
            std::string::npos);
  EXPECT_NE(complaint(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", eight))
                .find("records"),
            std::string::npos);
  EXPECT_NE(complaint(npy("{'descr': '<f4', 'shape': (2,)}", eight)).find("lacks"), std::string::npos);
  EXPECT_NE(complaint(npy("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", eight))
                .find("twice"),
            std::string::npos);
  EXPECT_NE(complaint(npy("__import__('os')", eight)), "");
  EXPECT_NE(complaint(npy(dictionary("<f4", "(2,)"), eight, 4)).find("version 4"), std::string::npos);
  EXPECT_NE(complaint("").find("not a .npy file"), std::string::npos);
  EXPECT_NE(complaint("\x93NUMPY").find("truncated"), std::string::npos);
  EXPECT_NE(complaint(std::string("\x93NUMPY\x02\x00\xff\xff\xff\x7f{}", 14)).find("claims"),
            std::string::npos);
  EXPECT_NE(complaint(std::string("\x93NUMPY\x01\x00\xff\xff{}", 12)).find("truncated"), std::string::npos);
}

TEST(Npy, MutatedFilesNeverCrash) {
  std::string const good = npy(dictionary("<c8", "(2, 3)"), std::string(48, 'x'));
  std::mt19937 random(3);
  int const rounds = testing::quick() ? 5000 : 20000;
  constexpr std::string_view likely = "{}()[]',: 0123456789<>=|cfTrueFalse\n\x93";
  for (int i = 0; i < rounds; ++i) {
    std::string bytes = good;
    for (unsigned edits = 1 + random() % 5; edits > 0; --edits) {
      std::size_t const at = random() % bytes.size();
      switch (random() % 4) {
        case 0:
          bytes[at] = char(random());
          break;
        case 1:
          bytes[at] = likely[random() % likely.size()];
          break;
        case 2:
          bytes.erase(at, 1 + random() % 3);
          break;
        default:
          bytes.insert(at, 1, likely[random() % likely.size()]);
      }
      if (bytes.empty()) bytes = "x";
    }
    if (random() % 5 == 0) bytes.resize(random() % bytes.size());
    try {
      NpyHeader const header = parse_npy_header(bytes, bytes.size());
      std::int64_t count = std::int64_t(header.element_bytes);
      for (std::int64_t const n : header.shape) count *= n;
      EXPECT_EQ(std::uint64_t(count) + header.data_at, bytes.size());
    } catch (FileError const&) {
    }
  }
}

TEST(Npy, WhatCannotBeWrittenLeavesNothing) {
  Folder const folder;
  fs::create_directories(folder.file("taken.npy"));
  NpyArray const array{{true, Precision::f32}, false, {1}, std::vector<std::byte>(8)};
  EXPECT_THROW(write_npy(folder.file("taken.npy"), array), FileError);
  EXPECT_THROW(write_npy(folder.file("nowhere/a.npy"), array), FileError);
  EXPECT_EQ(folder.entries(), 1u);
  EXPECT_THROW(read_npy(folder.file("missing.npy")), FileError);
  EXPECT_THROW(read_npy(folder.path.string()), FileError);
}

}  // namespace
}  // namespace skipper::cli
