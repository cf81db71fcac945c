// See plain.h.
#include "gpu/plain.h"

#include <skipper/error.h>

#include <map>
#include <mutex>

#include "gpu/device.h"
#include "gpu/jit.h"
#include "gpu/kernels.h"

namespace skipper::gpu {

namespace {

/// The name that the kernel text has for it, as a C++ expression.
std::string name_in_text(trace::PlainKernel kernel, bool complex, bool wide) {
  static char const* const names[] = {"columns", "strided_columns", "divide",  "swap",
                                      "lower",   "largest",         "add_face"};
  std::string const type = wide ? "double" : "float";
  return std::string("skipper::kernel::") + names[std::size_t(kernel)] + "_kernel<" +
         (complex ? "skipper::kernel::Complex<" + type + ">" : type) + ">";
}

}  // namespace

PlainKernel::PlainKernel(trace::PlainKernel kernel, bool complex, bool wide, int device)
    : traced_(are_kernels_traced()) {
  static std::mutex mutex;
  static auto& shelf = *new std::map<std::string, Function>;
  std::string const name = name_in_text(kernel, complex, wide);
  Driver const& d = demand_driver();
  Context context = nullptr;
  unsigned long long id = 0;
  demand(d.current_context(&context), "reading the context");
  demand(d.context_id(context, &id), "reading the context's number");
  std::lock_guard const lock(mutex);
  Function& known =
      shelf[std::to_string(id) + " " + std::to_string(device) + (traced_ ? " traced " : " ") + name];
  if (!known) {
    std::string const& architecture = device_machine(device).architecture;
    Kernel const made = traced_ ? compiled(kernel, complex, wide, architecture) : compile(name, architecture);
    Module module = nullptr;
    demand(d.load_module(&module, made.cubin.data()), "loading a kernel");
    demand(d.find_function(&known, module, made.name.c_str()), "finding a kernel");
  }
  function_ = known;
}

void PlainKernel::launch(Index blocks, int threads, int shared, void** parameters, Stream stream) const {
  constexpr Index most = Index(1) << 30;
  if (blocks > most)
    throw Error("problem", "needs " + std::to_string(blocks) + " blocks but a grid has " +
                               std::to_string(most) + " at most; use a smaller one");
  demand(driver()->launch(function_, unsigned(blocks), 1, 1, unsigned(threads), 1, 1, unsigned(shared),
                          stream, parameters, nullptr),
         "launching a kernel");
}

Memory uploaded(std::vector<double> const& numbers) {
  std::size_t const bytes = numbers.size() * sizeof(double);
  Memory memory(bytes);
  Driver const& d = *driver();
  Stream made = nullptr;  // the default one may be under capture
  demand(d.create_stream(&made, non_blocking), "making a stream");
  std::unique_ptr<StreamTag, Status (*)(Stream)> const stream(made, d.destroy_stream);
  if (bytes) demand(d.to_device_async(memory.at(), numbers.data(), bytes, made), "uploading tables");
  demand(d.synchronise_stream(made), "uploading tables");
  return memory;
}

}  // namespace skipper::gpu
