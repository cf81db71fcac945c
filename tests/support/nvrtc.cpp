// NVRTC through dlopen. Registers and local memory are read from the cubin itself, an ELF file whose section .nv.info
// lists attributes of each kernel; spilled bytes, which it does not hold, from what ptxas says.
#include "support/nvrtc.h"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "support/source_dir.h"

namespace skipper::testing {

namespace fs = std::filesystem;

/// The part of NVRTC's interface that is used here; 0 is success.
struct Nvrtc::Functions {
  using Program = void*;
  int (*version)(int* major, int* minor);
  int (*architecture_count)(int*);
  int (*architectures)(int*);
  int (*create)(Program*, char const* source, char const* name, int headers, char const* const* texts,
                char const* const* names);
  int (*destroy)(Program*);
  int (*add_name)(Program, char const* expression);
  int (*compile)(Program, int count, char const* const* options);
  int (*lowered_name)(Program, char const* expression, char const** lowered);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  int (*ptx_size)(Program, std::size_t*);
  int (*ptx)(Program, char*);
  int (*cubin_size)(Program, std::size_t*);
  int (*cubin)(Program, char*);
};

namespace {

void* open_library() {
  std::vector<std::string> folders = {""};  // first as the loader finds it
  for (char const* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (char const* home = std::getenv(variable)) folders.push_back(std::string(home) + "/lib64/");
  folders.push_back("/usr/local/cuda/lib64/");
  for (std::string const& folder : folders)
    for (char const* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"})
      if (void* library = dlopen((folder + name).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  return nullptr;
}

template <class Function>
void find(void* library, char const* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library, name));
  if (!function) throw std::runtime_error(std::string("NVRTC has no ") + name);
}

void check(int error, char const* what) {
  if (error) throw std::runtime_error(std::string("NVRTC: ") + what + " gave error " + std::to_string(error));
}

std::vector<char const*> pointers(std::vector<std::string> const& strings) {
  std::vector<char const*> result;
  for (std::string const& s : strings) result.push_back(s.c_str());
  return result;
}

// ---- The cubin.

/// A 64-bit ELF file, little endian, as far as a cubin needs it.
class Cubin {
 public:
  explicit Cubin(std::string_view bytes) : bytes_(bytes) {
    if (!bytes.starts_with("\177ELF\2\1")) throw std::runtime_error("the cubin is no 64-bit ELF file");
    auto const table = at<std::uint64_t>(0x28);
    auto const size = at<std::uint16_t>(0x3a), count = at<std::uint16_t>(0x3c),
               names = at<std::uint16_t>(0x3e);
    for (unsigned i = 0; i < count; ++i) {
      std::size_t const header = table + i * size;
      sections_.push_back(
          {at<std::uint32_t>(header), at<std::uint64_t>(header + 0x18), at<std::uint64_t>(header + 0x20)});
    }
    names_ = sections_.at(names).offset;
  }

  /// Registers, local memory and instructions of the kernels with the given names.
  void measure(std::vector<KernelUse>& kernels) const {
    constexpr int frame_size = 0x11, least_stack = 0x12, register_count = 0x2f;  // attributes
    constexpr int sized = 4;  // format of an attribute followed by as many bytes as its 16-bit value says
    Section const info = section(".nv.info");
    for (std::size_t p = info.offset, end = p + info.size; p < end;) {
      auto const format = at<std::uint8_t>(p), attribute = at<std::uint8_t>(p + 1);
      auto const value = at<std::uint16_t>(p + 2);
      p += 4;
      if (format != sized) continue;
      if (attribute == frame_size || attribute == least_stack || attribute == register_count) {
        std::string_view const name = symbol(at<std::uint32_t>(p));
        int const number = at<std::int32_t>(p + 4);
        for (KernelUse& kernel : kernels) {
          if (kernel.lowered != name) continue;
          int& target = attribute == register_count ? kernel.registers : kernel.local_bytes;
          target = std::max(target, number);
        }
      }
      p += value;
    }
    constexpr int instruction_bytes = 16;  // sm_70 and newer
    for (KernelUse& kernel : kernels)
      kernel.instructions = int(section(".text." + kernel.lowered).size) / instruction_bytes;
  }

 private:
  struct Section {
    std::size_t name, offset, size;
  };

  template <class Number>
  Number at(std::size_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Number))
      throw std::runtime_error("the cubin ends too early");
    Number number;
    std::memcpy(&number, bytes_.data() + offset, sizeof number);
    return number;
  }
  std::string_view string(std::size_t offset) const {
    auto const rest = bytes_.substr(std::min(offset, bytes_.size()));
    return rest.substr(0, rest.find('\0'));
  }
  Section section(std::string_view name) const {
    for (Section const& s : sections_)
      if (string(names_ + s.name) == name) return s;
    throw std::runtime_error("the cubin has no section " + std::string(name));
  }
  std::string_view symbol(std::uint32_t index) const {
    return string(section(".strtab").offset + at<std::uint32_t>(section(".symtab").offset + 24 * index));
  }

  std::string_view bytes_;
  std::vector<Section> sections_;
  std::size_t names_ = 0;
};

// ---- What ptxas -v says: "Function properties for NAME" and, a line further,
// "N bytes stack frame, N bytes spill stores, N bytes spill loads".

int number_before(std::string_view line, std::string_view words) {
  std::size_t const end = line.find(words);
  std::size_t const start = end == line.npos ? line.npos : line.find_last_not_of("0123456789", end - 1);
  int number = -1;
  if (start != line.npos) std::from_chars(line.data() + start + 1, line.data() + end, number);
  if (number < 0)
    throw std::runtime_error("ptxas no longer says '" + std::string(words) + "': " + std::string(line));
  return number;
}

void read_spills(std::string_view log, KernelUse& kernel) {
  std::size_t const found = log.find("Function properties for " + kernel.lowered + "\n");
  if (found == log.npos) throw std::runtime_error("ptxas says nothing of " + kernel.lowered);
  std::string_view line = log.substr(log.find('\n', found) + 1);
  line = line.substr(0, line.find('\n'));
  kernel.spill_stores = number_before(line, " bytes spill stores");
  kernel.spill_loads = number_before(line, " bytes spill loads");
}

}  // namespace

std::optional<Nvrtc> Nvrtc::open() {
  static Functions const* const functions = []() -> Functions const* {
    void* const library = open_library();
    if (!library) return nullptr;
    static Functions f;
    find(library, "nvrtcVersion", f.version);
    find(library, "nvrtcGetNumSupportedArchs", f.architecture_count);
    find(library, "nvrtcGetSupportedArchs", f.architectures);
    find(library, "nvrtcCreateProgram", f.create);
    find(library, "nvrtcDestroyProgram", f.destroy);
    find(library, "nvrtcAddNameExpression", f.add_name);
    find(library, "nvrtcCompileProgram", f.compile);
    find(library, "nvrtcGetLoweredName", f.lowered_name);
    find(library, "nvrtcGetProgramLogSize", f.log_size);
    find(library, "nvrtcGetProgramLog", f.log);
    find(library, "nvrtcGetPTXSize", f.ptx_size);
    find(library, "nvrtcGetPTX", f.ptx);
    find(library, "nvrtcGetCUBINSize", f.cubin_size);
    find(library, "nvrtcGetCUBIN", f.cubin);
    return &f;
  }();
  if (!functions) return {};

  Nvrtc result;
  result.nvrtc_ = functions;
  int major = 0, minor = 0;
  check(functions->version(&major, &minor), "nvrtcVersion");
  result.version_ = 1000 * major + 10 * minor;
  fs::path const source = source_dir() / "src";
  for (auto const& entry : fs::recursive_directory_iterator(source / "kernel")) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream in(entry.path(), std::ios::binary);
    result.headers_.push_back(
        {fs::relative(entry.path(), source).generic_string(), {std::istreambuf_iterator<char>(in), {}}});
  }
  return result;
}

bool Nvrtc::supports(int architecture) const {
  int count = 0;
  check(nvrtc_->architecture_count(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> known(count);
  check(nvrtc_->architectures(known.data()), "nvrtcGetSupportedArchs");
  return std::find(known.begin(), known.end(), architecture) != known.end();
}

Compiled Nvrtc::compile(std::string const& source, std::vector<std::string> const& name_expressions,
                        std::string const& architecture, std::vector<std::string> options) const {
  std::vector<char const*> names, texts;
  for (Header const& header : headers_)
    names.push_back(header.name.c_str()), texts.push_back(header.text.c_str());
  Functions::Program program = nullptr;
  check(nvrtc_->create(&program, source.c_str(), "skipper.cu", int(headers_.size()), texts.data(),
                       names.data()),
        "nvrtcCreateProgram");
  struct Destroy {
    Functions const* nvrtc;
    Functions::Program program;
    ~Destroy() { nvrtc->destroy(&program); }
  } const destroy{nvrtc_, program};
  for (std::string const& name : name_expressions)
    check(nvrtc_->add_name(program, name.c_str()), "nvrtcAddNameExpression");

  options.insert(options.begin(), {"-std=c++20", "-default-device", "--gpu-architecture=" + architecture,
                                   "--ptxas-options=-v"});
  auto const start = std::chrono::steady_clock::now();
  int const error = nvrtc_->compile(program, int(options.size()), pointers(options).data());
  Compiled result;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::size_t size = 0;
  check(nvrtc_->log_size(program, &size), "nvrtcGetProgramLogSize");
  result.log.resize(size);
  check(nvrtc_->log(program, result.log.data()), "nvrtcGetProgramLog");
  result.log.resize(std::strlen(result.log.c_str()));  // the size counts a final zero
  if (error) return result;

  check(nvrtc_->ptx_size(program, &size), "nvrtcGetPTXSize");
  result.ptx.resize(size);
  check(nvrtc_->ptx(program, result.ptx.data()), "nvrtcGetPTX");
  result.ptx.resize(std::strlen(result.ptx.c_str()));
  result.ok = true;
  if (architecture.starts_with("compute_")) return result;

  check(nvrtc_->cubin_size(program, &size), "nvrtcGetCUBINSize");
  result.cubin.resize(size);
  check(nvrtc_->cubin(program, result.cubin.data()), "nvrtcGetCUBIN");
  for (std::string const& name : name_expressions) {
    char const* lowered = nullptr;
    check(nvrtc_->lowered_name(program, name.c_str(), &lowered), "nvrtcGetLoweredName");
    result.kernels.push_back({.lowered = lowered});
    read_spills(result.log, result.kernels.back());
  }
  Cubin(result.cubin).measure(result.kernels);
  for (KernelUse const& kernel : result.kernels)
    if (kernel.registers == 0)
      throw std::runtime_error("the cubin does not tell the registers of " + kernel.lowered);
  return result;
}

}  // namespace skipper::testing
