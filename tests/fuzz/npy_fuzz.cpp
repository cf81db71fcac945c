// Fuzz target: .npy files: header and whole file. The file lies in memory (memfd_create) and is read by its path, as any.
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/fuzz.h"
#include "npy.h"

namespace skipper::fuzz {

int const inputs = 400000;

namespace {

using namespace cli;

std::string file_of(std::string const& dictionary, std::size_t data, char version = 1) {
  std::string header = dictionary;
  header.append(63 - (header.size() + (version == 1 ? 10 : 12)) % 64, ' ');
  header += '\n';
  std::string result =
      std::string("\x93NUMPY") + version + '\0' + char(header.size() & 255) + char(header.size() >> 8);
  if (version > 1) result += std::string(2, '\0');
  result += header;
  for (std::size_t i = 0; i < data; ++i) result += char(i * 7);
  return result;
}

/// False where the file is refused with a message; nothing else may happen.
template <class Work>
bool reads(Work const& work) {
  try {
    work();
    return true;
  } catch (FileError const& e) {
    demand(*e.what() != '\0', "a file is refused without a word");
    for (char const* c = e.what(); *c; ++c)
      demand(static_cast<unsigned char>(*c) >= ' ', std::string("a control character in: ") + e.what());
    return false;
  } catch (std::exception const& e) {
    fail(std::string("another exception than FileError: ") + e.what());
  }
}

/// A file with these bytes, by its path.
class InMemory {
 public:
  explicit InMemory(std::string_view bytes) : handle_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    demand(handle_ >= 0 && ::write(handle_, bytes.data(), bytes.size()) == ssize_t(bytes.size()),
           "no file in memory");
    ::lseek(handle_, 0, SEEK_SET);
  }
  ~InMemory() { ::close(handle_); }
  InMemory(InMemory const&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(handle_); }

 private:
  int handle_;
};

void look_at(NpyArray const& array, std::string_view input) {
  std::size_t elements = 1;
  for (std::int64_t const size : array.shape) elements *= std::size_t(size);
  demand(array.data.size() == elements * element_bytes(array.type), "holds other bytes than its shape has");
  demand(array.data.size() <= 8 * input.size(), "holds more than the file");  // bytes may become float64
  std::string const again = npy_header_text(array);
  NpyHeader const header = parse_npy_header(again, again.size() + array.data.size());
  demand(header.type == array.type && header.shape == array.shape &&
             header.fortran_order == array.fortran_order && header.data_at == again.size(),
         "its header reads back as another one");
}

}  // namespace

std::vector<std::string> seeds() {
  return {file_of("{'descr': '<c8', 'fortran_order': False, 'shape': (2, 4), }", 64),
          file_of("{'descr': '>c16', 'fortran_order': True, 'shape': (3, 2), }", 96, 2),
          file_of("{'descr': '<f2', 'fortran_order': False, 'shape': (5,), }", 10, 3),
          file_of("{'descr': '=f4', 'fortran_order': False, 'shape': (), }", 4),
          file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 7), }", 0),
          file_of("{\"shape\": (2L, 3L), \"descr\": \"<f8\", \"fortran_order\": False}", 48)};
}

bool takes(std::string_view input) {
  NpyHeader header;
  bool const good = reads([&] { header = parse_npy_header(input, input.size()); });
  if (good) demand(header.data_at <= input.size(), "its data begins after its end");
  // Most files that are refused are refused for their header; a few are read all the same.
  if (!good && input.size() % 8 != 0) return false;
  InMemory const file(input);
  bool const read = reads([&] {
    NpyArray array = read_npy(file.path());
    look_at(array, input);
    convert(array, {true, Precision::f64});
    look_at(array, std::string(1 << 20, ' '));
  });
  demand(read == good, "the header alone is judged otherwise than the file");
  return read;
}

}  // namespace skipper::fuzz
