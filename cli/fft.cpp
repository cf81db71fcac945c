// `skipper fft in.npy out.npy`: transforms an array in a file, as numpy.fft's fftn, ifftn, rfftn and irfftn do, and
// scipy.fft's dctn, idctn, dstn and idstn.
#include <skipper/plan.h>
#include <skipper/stream.h>

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "command.h"
#include "fft_ranks.h"
#include "format.h"
#include "input_file.h"
#include "mapped.h"
#include "npy.h"
#include "output_file.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

void demand_elements(std::string const& path, std::vector<std::int64_t> const& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    throw FileError(path + ": it has no elements, so there is nothing to transform");
}

// The header of a mapped file, whose data are used as they lie there.
NpyHeader mapped_header(MappedFile const& file, std::string const& path) {
  try {
    NpyHeader const header =
        parse_npy_header({reinterpret_cast<char const*>(file.data()),
                          std::min<std::uint64_t>(file.bytes(), longest_npy_header + 12)},
                         file.bytes());
    auto const place = reinterpret_cast<std::uintptr_t>(file.data() + header.data_at);
    if (header.swapped || place % scalar_bytes(header.type.precision) != 0)
      throw FileError(
          "it has another byte order or odd places; --memory-limit takes files as NumPy saves them here");
    return header;
  } catch (FileError const& e) {
    throw FileError(path + ": " + e.what());
  }
}

// The file that the output is mapped in: its own, or for a pipe or device one that is copied there at the end.
class MappedOutput {
 public:
  MappedOutput(OutputFile& out, std::uint64_t bytes)
      : out_(out),
        spool_(out.is_replaced() ? Descriptor() : nameless_file(spool_folder(), out.name())),
        memory_(out.is_replaced() ? out.file() : spool_.number(), out.name(), bytes) {}

  MappedFile const& memory() const { return memory_; }
  void finish() {
    if (out_.is_replaced())
      memory_.flush();
    else
      out_.write({reinterpret_cast<char const*>(memory_.data()), memory_.bytes()});
    out_.finish();
  }

 private:
  OutputFile& out_;
  Descriptor spool_;
  MappedFile memory_;
};

// float16 and bfloat16 have no complex type: numbers are pairs along a last axis of 2. Of an array, or of its header.
template <class Array>
void join_pairs(Array& array) {
  if (array.shape.empty() || array.shape.back() != 2 || array.type.complex || array.fortran_order)
    refuse("--pairs wants a real array in C order whose last axis, of 2, holds real and imaginary parts");
  array.shape.pop_back();
  array.type.complex = true;
}

// From mapped file to mapped file, with buffers within the limit.
int run_mapped(FftOptions const& o, OutputFile& to) {
  InputFile const from(o.in);
  MappedFile const in(from);
  NpyHeader header = mapped_header(in, from.name());
  demand_elements(from.name(), header.shape);
  if (o.pairs) join_pairs(header);
  FftWork const work = fft_work(o.work, header.type, header.fortran_order, header.shape);
  if (header.type != work.in || header.number != NpyNumber::floating)
    refuse(formatted(
        "with --memory-limit nothing is converted, and the input is {} where {} is wanted; see --real, "
        "--pairs and --precision, or convert the file",
        header.number == NpyNumber::floating ? name(header.type) : "of integers", name(work.in)));
  PlanSettings const plan_settings = plan_settings_from(o.device);
  StreamSettings settings;
  settings.device = plan_settings.device;
  settings.cpu = plan_settings.cpu;
  settings.memory_limit = *o.memory_limit;
  std::string const beginning = npy_header_text(output_of(work, header.fortran_order));
  Descriptor middle_file;
  std::optional<MappedOutput> out;
  std::optional<MappedFile> middle;
  std::optional<Progress> progress;
  settings.progress = [&](StreamProgress const& p) {
    if (!progress) progress.emplace(std::size_t(p.slices));
    progress->step("slices of " + from.name());
    in.forget_pages();
    out->memory().forget_pages();
    if (middle) middle->forget_pages();
    return true;
  };
  StreamPlan const plan(work.problem, settings);
  out.emplace(to, beginning.size() + std::uint64_t(out_bytes(work.problem)));
  if (plan.workspace_bytes() > 0) {
    middle_file = nameless_file(to.work_folder(), to.name());
    middle.emplace(middle_file.number(), to.name(), std::uint64_t(plan.workspace_bytes()));
  }
  std::byte* const data = out->memory().data();
  std::memcpy(data, beginning.data(), beginning.size());
  plan.execute(in.data() + header.data_at, data + beginning.size(),
               {.workspace = middle ? middle->data() : nullptr});
  progress.reset();
  out->finish();
  return done;
}

// Zeros may follow the input to any length.
void demand_memory(Problem const& problem) {
  double const there = double(::sysconf(_SC_PHYS_PAGES)) * double(::sysconf(_SC_PAGESIZE));
  double const needed = double(in_bytes(problem)) + double(out_bytes(problem));
  if (needed > there)
    refuse(formatted("input and output take {} and this machine has {}; see --memory-limit",
                     bytes_text(needed), bytes_text(there)));
}

int run(FftOptions const& o) {
  if (Ranks const ranks = ranks_from(o.ranks); ranks.launch != Ranks::Launch::alone)
    return fft_on_ranks(o, ranks);
  PlanSettings const settings = plan_settings_from(o.device);
  OutputFile out(o.out);
  demand_no_terminal(out);
  if (o.memory_limit) return run_mapped(o, out);
  NpyArray array = read_npy(o.in);
  demand_elements(o.in, array.shape);
  if (o.pairs) join_pairs(array);
  FftWork const work = fft_work(o.work, array.type, array.fortran_order, array.shape);
  demand_memory(work.problem);
  Plan const plan(work.problem, settings);
  convert(array, work.in);
  NpyArray result = output_of(work, array.fortran_order);
  result.data.resize(std::size_t(out_bytes(work.problem)));
  plan.execute(array.data.data(), result.data.data());
  write_npy(out, result);
  return done;
}

}  // namespace

Command fft_command(CLI::App& program) {
  auto const o = std::make_shared<FftOptions>();
  CLI::App& c =
      add_command(program, "fft", "transforms the array of a .npy file into another one",
                  "Arrays are complex64, complex128, float16, float32 or float64, or bfloat16 as ml_dtypes "
                  "saves it (V2);\n"
                  "integers and bool become float64. Without "
                  "--real, real input becomes complex; with it\n"
                  "the last Fourier axis is stored as n/2+1 complex numbers.\n"
                  "- is standard input or output. A file appears whole or not at all. Under "
                  "mpirun, or with --ranks, each rank\n"
                  "maps its part of the input and writes its part of the output.");
  o->command = &c;
  add_operand(c, "in.npy", o->in, "the array to transform");
  add_operand(c, "out.npy", o->out, "where the result goes");
  fft_work_options(c, o->work);
  add_flag(c, "--pairs", o->pairs, "the last axis of the input, of 2, holds real and imaginary parts");
  add_bytes(c, "--memory-limit", o->memory_limit,
            "map the files and use buffers of at most 4G, 512M, 2GB, ... (default: all in memory)");
  device_options(c, o->device);
  rank_options(c, o->ranks);
  exclude(c, {"--device", "--devices"});
  return {&c, [o] { return run(*o); }};
}

}  // namespace skipper::cli
