// See jit.h.
#include "gpu/jit.h"

#include <skipper/error.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "base/lazy.h"
#include "gpu/cache.h"
#include "gpu/compiler.h"
#include "gpu/driver.h"
#include "gpu/recorded.h"
#include "gpu/side_by_side.h"
#include "plan/spec_text.h"

namespace skipper::gpu {
namespace {

void demand_nvrtc(Nvrtc const&, Status status, char const* doing) {
  if (status != 0)
    throw Error("cuda", std::string("NVRTC cannot ") + doing + ": error " + std::to_string(status));
}

std::string log_of(Nvrtc const& n, NvrtcProgram* program) {
  std::size_t size = 0;
  if (n.log_size(program, &size) != 0 || size == 0) return "it gives no log";
  std::string log(size, '\0');
  n.log(program, log.data());
  return log;
}

/// As much of a log as a message has room for.
std::string shown(std::string const& log) { return log.substr(0, 2000); }

/// The largest N of "N bytes stack frame", or whatever `words` are, in all of the log of ptxas -v.
int largest_before(std::string const& log, std::string const& words) {
  int most = 0;
  for (std::size_t end = log.find(words); end != log.npos; end = log.find(words, end + 1)) {
    std::size_t start = end;
    while (start > 0 && std::isdigit(static_cast<unsigned char>(log[start - 1]))) --start;
    int bytes = 0;
    std::from_chars(log.data() + start, log.data() + end, bytes);
    most = std::max(most, bytes);
  }
  return most;
}

/// Where the compiler's messages point.
std::string at_fault(std::string const& log) {
  for (char const* end : {"callbacks.cuda_load", "callbacks.cuda_store"})
    if (log.find(end) != std::string::npos) return end;
  return "callbacks";
}

struct Compiled {
  Kernel kernel;
  std::string log;
};

/// Without a name expression the kernel has C's linkage, and `name`. What is printed says itself which sums are fused.
struct Source {
  std::string text, name;
  bool has_expression = true, has_functions = false;
};

Compiled compile_one(Nvrtc const& n, Source const& source, std::string const& architecture) {
  std::vector<char const*> names, texts;
  for (int i = 0; i < kernel_header_count; ++i) {
    names.push_back(kernel_headers[i].name);
    texts.push_back(kernel_headers[i].text);
  }
  NvrtcProgram* made = nullptr;
  demand_nvrtc(
      n, n.create(&made, source.text.c_str(), "sweep.cu", kernel_header_count, texts.data(), names.data()),
      "take a program");
  auto const destroy = [&n](NvrtcProgram* program) { n.destroy(&program); };
  std::unique_ptr<NvrtcProgram, decltype(destroy)> const program(made, destroy);
  std::string const target = "--gpu-architecture=" + architecture;
  char const* const options[] = {"-std=c++20", "-default-device", target.c_str(), "--ptxas-options=-v",
                                 source.has_expression ? "-fmad=true" : "-fmad=false"};
  if (source.has_expression)
    demand_nvrtc(n, n.add_name(program.get(), source.name.c_str()), "take the name of a kernel");
  bool const good = n.compile(program.get(), 5, options) == 0;
  std::string log = log_of(n, program.get());
  if (!good && source.has_functions)
    throw Error(at_fault(log),
                "does not compile with NVRTC " + nvrtc_version() + " for " + architecture +
                    "; it must define Value on_load(Value, long long, void*), or on_store: " + shown(log));
  if (!good)
    throw Error("cuda", "NVRTC " + nvrtc_version() + " cannot compile a kernel for " + architecture + ": " +
                            shown(log));
  char const* lowered = source.name.c_str();
  std::size_t size = 0;
  if (source.has_expression)
    demand_nvrtc(n, n.lowered_name(program.get(), source.name.c_str(), &lowered), "name a kernel");
  demand_nvrtc(n, n.cubin_size(program.get(), &size), "give a kernel");
  Compiled compiled{{std::string(size, '\0'), lowered}, std::move(log)};
  demand_nvrtc(n, n.cubin(program.get(), compiled.kernel.cubin.data()), "give a kernel");
  return compiled;
}

/// Bytes of a thread that are in local memory for want of registers. Arrays of a user's functions are there in any case, so
/// that their kernels are judged by what ptxas says it has spilled.
int spilled_bytes(kernel::SweepSpec const& spec, std::size_t i, Compiled const& made,
                  Residency const& residency) {
  if (has_user(spec)) return largest_before(made.log, " bytes spill stores");
  auto const said = residency.local_bytes ? residency.local_bytes(i, made.kernel) : std::nullopt;
  return said ? *said : largest_before(made.log, " bytes stack frame");
}

/// What stands for spilled_bytes() and its limit in the keys of kernels: residency was chosen by them.
std::string rule_text(kernel::SweepSpec const& spec, Residency const& residency) {
  return (has_user(spec) ? "at most spilled " : "at most in local memory ") +
         std::to_string(residency.harmless);
}

/// Residency is an estimate: where it leaves a thread too few registers, fewer blocks an SM are the better choice. A few
/// words in L1 are no reason to give up a block.
Kernel compile_unspilled(Nvrtc const& n, kernel::SweepSpec spec, kernel::SweepSpec const* fused_with,
                         std::size_t i, bool is_double, std::string const& architecture, UserText const& user,
                         Residency const& residency) {
  for (;; --spec.resident) {
    KernelText text = kernel_text({spec}, is_double, user);
    if (fused_with) {
      kernel::SweepSpec last = *fused_with;
      last.resident = spec.resident;
      text = fused_text(spec, last, is_double);
    }
    Compiled made = compile_one(n, {text.source, text.names[0], true, has_user(spec)}, architecture);
    if (spilled_bytes(spec, i, made, residency) <= residency.harmless || spec.resident <= 1)
      return std::move(made.kernel);
  }
}

std::string key_of(kernel::SweepSpec const& spec, bool is_double, std::string const& architecture,
                   std::string const& compiler, UserText const& user, Residency const& residency) {
  std::string const text = has_user(spec) ? "\nload " + user.load + "\nstore " + user.store : "";
  return "kernel " + kernel_name(spec, is_double) + "\n" + architecture + "\nnvrtc " + compiler + "\ntext " +
         kernel_text_hash() + "\nresidency " + rule_text(spec, residency) + text;
}

}  // namespace

std::optional<Kernel> fetch_kernel(std::string const& key) {
  auto const kept = fetch(key);
  if (!kept) return std::nullopt;
  std::string_view rest = *kept;
  auto name = unpack(rest), cubin = unpack(rest);
  if (!name || !cubin || name->empty() || !rest.empty()) return std::nullopt;
  return Kernel{std::move(*cubin), std::move(*name)};
}

void save_kernel(std::string const& key, Kernel const& kernel) {
  std::string contents;
  pack(contents, kernel.name);
  pack(contents, kernel.cubin);
  save(key, contents);
}

std::string const& kernel_text_hash() {
  static constinit Lazy<std::string> all;
  return all.get([] {
    std::uint64_t h = hash("");
    for (int i = 0; i < kernel_header_count; ++i) h = hash(kernel_headers[i].text, h);
    return hex(h);
  });
}

Kernel compile(std::string const& name, std::string const& architecture) {
  std::string const key = "kernel " + name + "\n" + architecture + "\nnvrtc " + compiler_version() +
                          "\ntext " + kernel_text_hash();
  if (auto kept = fetch_kernel(key)) return *kept;
  Kernel const made =
      compile_one(demand_nvrtc(), {"#include \"kernel/plain_entry.h\"\n", name}, architecture).kernel;
  save_kernel(key, made);
  return made;
}

CompiledSource compile_source(std::string const& source, std::string const& name,
                              std::string const& architecture) {
  Compiled made = compile_one(demand_nvrtc(), {source, name, false, true}, architecture);
  return {std::move(made.kernel), largest_before(made.log, " bytes spill stores")};
}

std::vector<Kernel> compile(std::vector<kernel::SweepSpec> const& specs, bool is_double,
                            std::string const& architecture, UserText const& user,
                            Residency const& residency) {
  std::vector<Kernel> kernels(specs.size());
  std::vector<std::string> keys;
  std::vector<std::size_t> missing;
  std::string const compiler = compiler_version();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    keys.push_back(key_of(specs[i], is_double, architecture, compiler, user, residency));
    if (is_fused_last(specs[i])) continue;
    if (is_fused_first(specs[i])) keys[i] += "\nfused " + text(specs[i + 1]);
    if (auto kept = fetch_kernel(keys[i]))
      kernels[i] = std::move(*kept);
    else
      missing.push_back(i);
  }
  if (missing.empty()) return kernels;
  Nvrtc const& n = demand_nvrtc();
  side_by_side(missing.size(), [&](std::size_t m) {  // each takes a core for half a second or more
    std::size_t const i = missing[m];
    kernels[i] = compile_unspilled(n, specs[i], is_fused_first(specs[i]) ? &specs[i + 1] : nullptr, i,
                                   is_double, architecture, user, residency);
    save_kernel(keys[i], kernels[i]);
  });
  return kernels;
}

}  // namespace skipper::gpu
