// NVRTC's entry points: "compiling" finds the spec in the source and wraps its text up as the machine code.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "gpu/fake_driver/kernels.h"
#include "gpu/fake_driver/world.h"
#include "ir/cuda.h"

using namespace skipper::fake_driver;

#define FAKE_DRIVER extern "C" __attribute__((visibility("default")))
#define ENTER                                                      \
  std::lock_guard<std::recursive_mutex> const lock(world().mutex); \
  if (int const planned = called(__func__)) return planned

namespace {

struct Program {
  std::string source, name, lowered, cubin, log;
};

Program& as_program(void* handle) { return *static_cast<Program*>(handle); }

/// Between two marks, or nothing.
std::string between(std::string const& text, std::string const& open, std::string const& close) {
  std::size_t const begin = text.find(open);
  if (begin == text.npos) return "";
  std::size_t const end = text.find(close, begin + open.size());
  return text.substr(begin + open.size(), end - begin - open.size());
}

std::string contents(std::string const& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the front end has to say of a text that is right: thousands of characters, before anything of ptxas.
std::string warnings() {
  std::string all;
  for (int line = 1; line <= 100; ++line)
    all += "kernel/sweep.h(" + std::to_string(line) +
           "): warning #549-D: variable is used before its value is set\n";
  return all;
}

/// Compiles what a user wrote by the host's compiler; the library, or nothing, and then what the compiler says.
std::string user_library(std::string const& part, std::string& log) {
  if (part.find("namespace skipper::user_") == part.npos) return "";
  static std::mutex mutex;
  static std::map<std::string, std::string> known;  // libraries of what was compiled before
  static int number = 0;
  std::lock_guard const lock(mutex);
  char const* const folder = std::getenv("SKIPPER_CACHE");
  std::string const stem = std::string(folder ? folder : "/tmp") + "/user-" + std::to_string(::getpid()) +
                           "-" + std::to_string(number++);
  std::string text = "#include <math.h>\n#include \"kernel/complex.h\"\n" + part;
  for (std::string const end : {"load", "store"})
    if (part.find("namespace skipper::user_" + end + " ") != part.npos)
      text += "extern \"C\" void user_" + end +
              "(void* at, long long place, void* data) {\n  auto& x = *static_cast<skipper::user_" + end +
              "::Value*>(at);\n  x = skipper::user_" + end + "::on_" + end + "(x, place, data);\n}\n";
  if (auto const same = known.find(text); same != known.end() && std::filesystem::exists(same->second))
    return same->second;
  std::filesystem::create_directories(std::filesystem::path(stem).parent_path());
  std::ofstream(stem + ".cpp") << text;
  // C's <math.h> alone, and no libraries: those of the program that opens it are there.
  std::string const command = SKIPPER_HOST_CXX
                              " -std=c++20 -O1 -shared -fPIC -nostdinc++ -nostdlib -I" SKIPPER_SOURCE_DIR
                              "/src -o " +
                              stem + ".so " + stem + ".cpp 2>" + stem + ".log";
  bool const good = std::system(command.c_str()) == 0;
  if (!good) log = contents(stem + ".log");
  if (good) known[text] = stem + ".so";
  return good ? stem + ".so" : "";
}

/// The warnings, and behind them what ptxas says of a kernel; one that is alone on an SM spills nothing.
std::string spill_log(bool is_alone) {
  std::string const spilled = is_alone ? "0" : std::to_string(world().spilled);
  return warnings() + "ptxas info : " + spilled + " bytes stack frame, " + spilled + " bytes spill stores, " +
         spilled + " bytes spill loads\n";
}

std::optional<skipper::ir::Kernel> known_kernel(std::string const& text) {
  std::lock_guard<std::recursive_mutex> const lock(world().mutex);
  return take_kernel(text);
}

}  // namespace

FAKE_DRIVER int nvrtcVersion(int* major, int* minor) {
  *major = 13, *minor = 0;
  return success;
}
FAKE_DRIVER int nvrtcCreateProgram(void** program, char const* source, char const*, int headers,
                                   char const* const* texts, char const* const* names) {
  ENTER;
  bool entry = false;
  for (int i = 0; i < headers; ++i) entry = entry || (!std::strcmp(names[i], "kernel/entry.h") && *texts[i]);
  if (!entry) return 2;
  *program = new Program{source, "", "", "", ""};
  return success;
}
FAKE_DRIVER int nvrtcDestroyProgram(void** program) {
  ENTER;
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return success;
}
FAKE_DRIVER int nvrtcAddNameExpression(void* program, char const* name) {
  ENTER;
  as_program(program).name = name;
  return success;
}
FAKE_DRIVER int nvrtcCompileProgram(void* handle, int count, char const* const* options) {
  Program& program = as_program(handle);
  {
    std::lock_guard<std::recursive_mutex> const lock(world().mutex);
    if (int const status = called(__func__)) {
      program.log = "error: a planned failure";
      return status;
    }
  }
  std::string architecture;
  for (int i = 0; i < count; ++i)
    if (std::string const option = options[i]; option.starts_with("--gpu-architecture="))
      architecture = option.substr(19);
  if (auto const kernel = known_kernel(program.source)) {
    std::string const printed = skipper::ir::cuda(*kernel, " ");
    std::string const users = program.source.substr(0, program.source.size() - printed.size() + 1),
                      library = user_library(users, program.log);
    if (!program.log.empty()) return 6;
    program.cubin = image_of(*kernel, architecture, library);
    program.log = spill_log(kernel->resident == 1);
    return success;
  }
  std::string const type = between(program.name, "_kernel<", ","), after = between(program.name, ", ", ">"),
                    variable = after.substr(0, after.find(',')),
                    spec = between(program.source, "inline constexpr auto " + variable + " = ", ";\n");
  if (program.source.find("kernel/plain_entry.h") != std::string::npos && !architecture.empty()) {
    program.cubin = plain_cubin(program.name, architecture);
    program.lowered = "own";
    return plain_bytes(program.name) ? success : 6;
  }
  if (spec.empty() || architecture.empty()) return 6;
  bool const fused = program.source.find("kernel/fused_entry.h") != std::string::npos;
  std::string const user =
      fused ? "fused " + between(program.source, "inline constexpr auto spec1 = ", ";\n")
            : user_library(between(program.source, "#include \"kernel/entry.h\"\n", "inline constexpr auto"),
                           program.log);
  if (!program.log.empty()) return 6;
  program.cubin = cubin(spec, type == "double", architecture, user);
  program.lowered = type == "double" ? "sweep_f64" : "sweep_f32";
  program.log = spill_log(between(spec, ".resident=", ",") == "1");
  return success;
}
FAKE_DRIVER int nvrtcGetLoweredName(void* program, char const* name, char const** lowered) {
  ENTER;
  if (as_program(program).name != name) return 10;
  *lowered = as_program(program).lowered.c_str();
  return success;
}
FAKE_DRIVER int nvrtcGetCUBINSize(void* program, std::size_t* size) {
  ENTER;
  *size = as_program(program).cubin.size();
  return success;
}
FAKE_DRIVER int nvrtcGetCUBIN(void* program, char* cubin) {
  ENTER;
  std::memcpy(cubin, as_program(program).cubin.data(), as_program(program).cubin.size());
  return success;
}
FAKE_DRIVER int nvrtcGetProgramLogSize(void* program, std::size_t* size) {
  ENTER;
  *size = as_program(program).log.size() + 1;
  return success;
}
FAKE_DRIVER int nvrtcGetProgramLog(void* program, char* log) {
  ENTER;
  std::strcpy(log, as_program(program).log.c_str());
  return success;
}
