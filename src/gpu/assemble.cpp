// See assemble.h.
#include "gpu/assemble.h"

#include <skipper/error.h>

#include <memory>
#include <stdexcept>

#include "gpu/driver.h"
#include "ir/ptx.h"

namespace skipper::gpu {
namespace {

constexpr int ptx_input = 1;                       // of CUjitInputType
constexpr int error_log = 5, error_log_bytes = 6;  // of CUjit_option
constexpr std::size_t log_size = 4096;

void demand_link(Status status, std::string const& log, std::string const& architecture) {
  if (status == 0) return;
  char const* words = nullptr;
  driver()->error_text(status, &words);
  throw Error("cuda", "the driver, of CUDA " + driver_version() + ", cannot compile a kernel for " +
                          architecture + ": " + (words ? words : "unknown error") + " (" +
                          std::to_string(status) + ") " + log.c_str());
}

std::string ptx_of(ir::Kernel const& kernel, std::string const& architecture) try {
  return ir::ptx(kernel, {std::stoi(architecture.substr(3))});
} catch (std::invalid_argument const& e) {
  throw Error("device", "has no kernels: " + std::string(e.what()) + "; use a newer GPU or the cpu");
}

}  // namespace

std::string assembled(ir::Kernel const& kernel, std::string const& architecture) {
  Driver const& d = demand_driver();
  std::string const ptx = ptx_of(kernel, architecture);
  if (d.interpret) d.interpret(ptx.c_str(), kernel);
  std::string log(log_size, '\0');
  int options[] = {error_log, error_log_bytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
  Link made = nullptr;
  demand_link(d.create_link(2, options, values, &made), log, architecture);
  std::unique_ptr<LinkTag, Status (*)(Link)> const link(made, d.destroy_link);
  demand_link(d.add_to_link(made, ptx_input, const_cast<char*>(ptx.c_str()), ptx.size() + 1,
                            kernel.name.c_str(), 0, nullptr, nullptr),
              log, architecture);
  void* cubin = nullptr;
  std::size_t size = 0;
  demand_link(d.complete_link(made, &cubin, &size), log, architecture);
  return {static_cast<char const*>(cubin), size};
}

}  // namespace skipper::gpu
