#include "gpu/jit.h"

#include <skipper/error.h>

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "gpu/cache.h"
#include "gpu/driver.h"
#include "plan/spec_text.h"

namespace skipper::gpu {
namespace {

Nvrtc const& demand_nvrtc() {
  std::string reason;
  Nvrtc const* const n = nvrtc(&reason);
  if (!n) throw Error("cuda", "kernels cannot be compiled: " + reason + "; install NVRTC of CUDA 12 or 13");
  return *n;
}

Kernel compile_one(Nvrtc const& n, KernelText const& text, std::string const& architecture) {
  std::vector<char const*> names, texts;
  for (int i = 0; i < kernel_header_count; ++i) {
    names.push_back(kernel_headers[i].name);
    texts.push_back(kernel_headers[i].text);
  }
  NvrtcProgram* program = nullptr;
  if (n.create(&program, text.source.c_str(), "sweep.cu", kernel_header_count, texts.data(), names.data()) !=
      0)
    throw Error("cuda", "NVRTC refuses a program");
  std::string const target = "--gpu-architecture=" + architecture;
  char const* const options[] = {"-std=c++20", "-default-device", target.c_str()};
  n.add_name(program, text.names[0].c_str());
  Status const status = n.compile(program, 3, options);
  Kernel kernel;
  std::string log;
  if (status != 0) {
    std::size_t size = 0;
    n.log_size(program, &size);
    log.resize(size);
    n.log(program, log.data());
  } else {
    char const* lowered = nullptr;
    std::size_t size = 0;
    n.lowered_name(program, text.names[0].c_str(), &lowered);
    n.cubin_size(program, &size);
    kernel.name = lowered ? lowered : "";
    kernel.cubin.resize(size);
    n.cubin(program, kernel.cubin.data());
  }
  n.destroy(&program);
  if (status != 0)
    throw Error("cuda", "NVRTC cannot compile a kernel for " + architecture + ": " + log.substr(0, 2000));
  return kernel;
}

std::string key_of(kernel::SweepSpec const& spec, bool is_double, std::string const& architecture,
                   Nvrtc const& n) {
  int major = 0, minor = 0;
  n.version(&major, &minor);
  std::string key = kernel_name(spec, is_double) + "\n" + architecture + "\n" + std::to_string(major) + "." +
                    std::to_string(minor) + "\n";
  for (int i = 0; i < kernel_header_count; ++i) key += kernel_headers[i].text;
  return key;
}

}  // namespace

std::vector<Kernel> compile(std::vector<kernel::SweepSpec> const& specs, bool is_double,
                            std::string const& architecture) {
  Nvrtc const& n = demand_nvrtc();
  std::vector<Kernel> kernels(specs.size());
  std::exception_ptr trouble;
  std::mutex mutex;
  std::atomic<std::size_t> next = 0;
  auto const work = [&] {
    for (std::size_t i; (i = next++) < specs.size();) try {
        std::string const key = key_of(specs[i], is_double, architecture, n);
        if (auto kept = fetch(key)) {
          kernels[i] = *kept;
          continue;
        }
        kernels[i] = compile_one(n, kernel_text({specs[i]}, is_double), architecture);
        keep(key, kernels[i]);
      } catch (...) {
        std::lock_guard const lock(mutex);
        trouble = std::current_exception();
      }
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t < specs.size(); ++t) threads.emplace_back(work);
  work();
  for (auto& t : threads) t.join();
  if (trouble) std::rethrow_exception(trouble);
  return kernels;
}

}  // namespace skipper::gpu
