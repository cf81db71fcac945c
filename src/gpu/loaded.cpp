// See loaded.h.
#include "gpu/loaded.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <list>
#include <mutex>
#include <optional>
#include <utility>

#include "base/device_alignment.h"
#include "gpu/jit.h"
#include "gpu/fused_passes.h"
#include "gpu/kernels.h"
#include "kernel/sweep.h"
#include "plan/lower/occupancy.h"
#include "plan/tile.h"

namespace skipper::gpu {

LoadedL2Blocks l2_blocks_from(Program const& program, int s) {
  Sweep const& sweep = program.sweeps[s];
  if (!sweep.l2_block || first_of_l2_block(program, s) < s) return {};
  int const sweeps = sweeps_of_l2_block(program, s);
  auto const l2_block = l2_block_of(program, s, sweep.l2_block, nullptr, sweeps);
  if (!l2_block) return {};
  Index const run = std::min(sweep.l2_block / l2_block->unit, l2_block->along.size);
  Index const around = l2_block->all() / l2_block->along.size;
  Index const streams = std::min<Index>(sweep.streams, around * ((l2_block->along.size + run - 1) / run));
  return {*l2_block, run, device_aligned(std::size_t(sweep.l2_block)), int(streams), sweeps};
}

namespace {

/// Tables of all sweeps in one piece of memory, on a stream of their own: the default one may be under capture.
void upload_tables(LoadedProgram& loaded, std::vector<PreparedSweep> const& sweeps) {
  std::size_t total = 0;
  for (PreparedSweep const& s : sweeps)
    for (std::string const& t : s.tables) total += device_aligned(t.size());
  loaded.tables = std::make_unique<Memory>(total);
  if (!total) return;
  Driver const& d = *driver();
  Stream made = nullptr;
  demand(d.create_stream(&made, non_blocking), "making a stream");
  std::unique_ptr<StreamTag, Status (*)(Stream)> const stream(made, d.destroy_stream);
  DevicePointer to = loaded.tables->at();
  for (std::size_t i = 0; i < sweeps.size(); ++i)
    for (std::string const& t : sweeps[i].tables) {
      loaded.sweeps[i].tables.push_back(t.empty() ? 0 : to);  // else the last one would be past the end
      if (!t.empty()) demand(d.to_device_async(to, t.data(), t.size(), made), "uploading tables");
      to += device_aligned(t.size());
    }
  demand(d.synchronise_stream(made), "uploading tables");
}

/// How much of an SM's on-chip memory is shared memory, in percent of the most that can be; CUDA rounds it up to a size
/// that the device has. Where a spec limits the blocks an SM, it is no more than these need, and the rest is L1.
int shared_percent(kernel::SweepSpec const& spec, std::size_t shared_bytes, Machine const& machine) {
  if (spec.max_resident == 0 || machine.shared_sm == 0) return -1;  // as CUDA thinks best
  return int(100 * shared_size(spec.max_resident, Index(shared_bytes), machine) / machine.shared_sm);
}

/// Sets the scheduling policy of the kernel. Returns how many clusters the device then holds at once; nothing where the
/// driver does not say.
std::optional<int> held_clusters(LoadedSweep const& sweep, ClusterPolicy policy) {
  Driver const& d = *driver();
  LaunchConfig const config{unsigned(sweep.cluster_ranks), 1, 1, sweep.threads, 1, 1, sweep.shared_bytes};
  int held = 0;
  d.set_function_fact(sweep.kernel.function, int(FunctionFact::cluster_policy),
                      int(policy));  // older drivers have one
  if (d.active_clusters(&held, sweep.kernel.function, &config) != 0) return std::nullopt;
  return held;
}

/// Whether the device holds a cluster of this kernel. Facts of the device say only that there are clusters: how large
/// one may be depends on what its blocks need on chip. Also chooses the policy: blocks of a cluster may share an SM
/// where at least a 21st more clusters are held so. With fewer it loses (docs/decisions/0034).
/// Fitted: bench/results/h200-choices.md.
bool holds_cluster(LoadedSweep const& sweep) {
  if (sweep.cluster_ranks > 8 &&
      driver()->set_function_fact(sweep.kernel.function, int(FunctionFact::non_portable_cluster), 1) != 0)
    return false;
  auto const balanced = held_clusters(sweep, ClusterPolicy::balanced);
  auto const usual = held_clusters(sweep, ClusterPolicy::usual);
  if (usual && balanced && 21 * *balanced >= 22 * *usual) held_clusters(sweep, ClusterPolicy::balanced);
  return !usual || *usual > 0 || (balanced && *balanced > 0);  // no answer is no reason
}

void unload(LoadedKernel& kernel) {
  if (kernel.module) driver()->unload_module(kernel.module);
  kernel = {};
}

/// Also asks how much of a thread is in local memory.
LoadedKernel load_kernel(Kernel const& kernel) {
  Driver const& d = *driver();
  LoadedKernel loaded;
  Status const status = d.load_module(&loaded.module, kernel.cubin.data());
  if (status == invalid_image || status == no_binary)
    throw Error("device", "the driver, of CUDA " + driver_version() + ", does not take what NVRTC " +
                              nvrtc_version() +
                              " compiles; update the driver, or name an NVRTC of its version in "
                              "SKIPPER_NVRTC");
  demand(status, "loading a kernel");
  demand(d.find_function(&loaded.function, loaded.module, kernel.name.c_str()), "finding a kernel");
  int bytes = 0;
  if (d.function_fact(&bytes, int(FunctionFact::local_bytes), loaded.function) == 0)
    loaded.local_bytes = bytes;
  return loaded;
}

/// The kernels of all sweeps, each loaded once: a kernel is compiled for fewer blocks an SM where the driver says that too much
/// of a thread is in local memory, so the last one that was compiled is loaded by then, and only those from the cache are not.
void load_kernels(LoadedProgram& loaded, Prepared const& prepared, Stopwatch& watch) {
  Residency residency{prepared.harmless_spill, {}};
  residency.local_bytes = [&](std::size_t i, Kernel const& kernel) {
    Unwatched const unwatched;  // it may be another thread
    Current const current(loaded.context);
    unload(loaded.sweeps[i].kernel);
    loaded.sweeps[i].kernel = load_kernel(kernel);
    return loaded.sweeps[i].kernel.local_bytes;
  };
  std::string const& architecture = device_machine(loaded.device).architecture;
  bool const traced = are_kernels_traced();
  std::vector<SweepKernels> kernels;
  if (traced) {
    kernels = compiled(prepared, architecture, loaded.context, residency);
  } else {
    std::vector<kernel::SweepSpec> specs;
    for (PreparedSweep const& s : prepared.sweeps) specs.push_back(s.spec);
    for (Kernel& kernel : compile(specs, loaded.program.problem.precision == Precision::f64, architecture,
                                  prepared.user, residency))
      kernels.push_back({std::move(kernel), {}});
  }
  watch.lap("kernels");
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    LoadedSweep& sweep = loaded.sweeps[i];
    sweep.traced = traced;
    if (!sweep.kernel.module && !kernels[i].kernel.cubin.empty())
      sweep.kernel = load_kernel(kernels[i].kernel);
    if (!kernels[i].deferred.cubin.empty()) sweep.deferred = load_kernel(kernels[i].deferred);
  }
}

void set_up_kernel(LoadedKernel const& kernel, LoadedSweep const& sweep, kernel::SweepSpec const& spec,
                   int device) {
  Driver const& d = *driver();
  demand(
      d.set_function_fact(kernel.function, int(FunctionFact::dynamic_shared_bytes), int(sweep.shared_bytes)),
      "setting shared memory");
  demand(d.set_function_fact(kernel.function, int(FunctionFact::shared_percent),
                             shared_percent(spec, sweep.shared_bytes, device_machine(device))),
         "dividing the memory on chip");
}

/// Whether dependent launches can be captured into a graph too, which came with CUDA 12.3. In a plain launch the
/// kernel's wait returns at once.
bool launches_dependent() {
  int version = 0;
  return driver()->driver_version(&version) == 0 && version >= 12030;
}

struct Grid {
  unsigned x = 1, y = 1;
};

/// Blocks beyond the largest first dimension of a grid go on in the second; in the kernel's count the first dimension
/// is the fastest. A cluster lies within the first.
Grid grid_of(Index tiles, int ranks) {
  constexpr Index max_x = std::numeric_limits<int>::max(), max_y = 65535;
  Index rows = 1;
  while (rows <= max_y && (tiles / rows * ranks > max_x || tiles % rows != 0)) ++rows;
  if (rows > max_y)
    throw Error("problem", "needs a grid of " + std::to_string(tiles) +
                               " tiles, which no two factors within CUDA's limits make; use a smaller batch");
  return {unsigned(tiles / rows * ranks), unsigned(rows)};
}

std::shared_ptr<LoadedProgram const> load(Prepared const& prepared, int device, Context context,
                                          Stopwatch& watch) {
  auto result = std::make_shared<LoadedProgram>();
  Program const& program = result->program = prepared.program;
  result->inverse = prepared.inverse;
  result->data = prepared.data;
  result->inputs = prepared.sides ? prepared.sides->there : program.problem;
  result->outputs = prepared.sides ? prepared.sides->back : program.problem;
  result->scale = program_scale(result->inverse ? *result->inverse : program);
  result->device = device;
  result->context = context;
  result->work_bytes = device_aligned(std::size_t(work_bytes(program)));
  if (divides(program.factors)) result->constant_mode_bytes = device_alignment;
  result->sweeps.resize(prepared.sweeps.size());
  load_kernels(*result, prepared, watch);
  int streams = 1;
  for (std::size_t i = 0; i < prepared.sweeps.size(); ++i) {
    kernel::SweepSpec const& spec = prepared.sweeps[i].spec;
    LoadedSweep& sweep = result->sweeps[i];
    sweep.threads = unsigned(spec.threads);
    sweep.shared_bytes = unsigned(spec.shared * element_bytes(program.problem));
    auto const [own_program, s] = own_sweep(prepared, i);
    Program const& own = *own_program;
    sweep.from = own.sweeps[s].from;
    sweep.to = own.sweeps[s].to;
    Tile const tile = tile_of(own, s);
    bool const wide_in = tile.read_narrow && in_full(spec, kernel::MapName::pre),
               wide_out = tile.write_narrow && in_full(spec, kernel::MapName::post);
    for (auto const& [b, bytes] : {std::pair(sweep.from, tile.read_bytes * (wide_in ? 2 : 1)),
                                   {sweep.to, tile.write_bytes * (wide_out ? 2 : 1)}}) {
      result->works = std::max(result->works, b == Buffer::work ? 1 : b == Buffer::work2 ? 2 : 0);
      if (b == Buffer::in) result->in_alignment = std::max(result->in_alignment, bytes);
      if (b == Buffer::out) result->out_alignment = std::max(result->out_alignment, bytes);
    }
    sweep.tiles = prepared.sweeps[i].tiles;
    sweep.cluster_ranks = spec.cluster_ranks;
    sweep.dependent = spec.flow.dependent && launches_dependent();
    grid_of(sweep.tiles, sweep.cluster_ranks);  // or the plan is refused
    LoadedL2Blocks& c = result->l2_blocks.emplace_back(l2_blocks_from(own, s));
    c.fused = c.run && spec.flow.fused;
    Index const items = c.fused ? sweep.tiles + prepared.sweeps[i + 1].tiles : 0;
    if (c.fused) {  // numbers of items are 32 bits wide
      if (items > std::numeric_limits<int>::max())
        throw Error("problem", "has more tiles than one kernel can count; use a smaller batch");
      grid_of(items, 1);
    }
    if (c.fused)  // at least a word, in which the second launch tells its threads of their item
      sweep.shared_bytes = unsigned(std::max<Index>(
          std::max(spec.shared, prepared.sweeps[i + 1].spec.shared) * element_bytes(program.problem),
          sizeof(unsigned)));
    if (sweep.kernel.module) set_up_kernel(sweep.kernel, sweep, spec, device);
    if (sweep.deferred.module) set_up_kernel(sweep.deferred, sweep, spec, device);
    if (sweep.cluster_ranks > 1 && !holds_cluster(sweep)) throw ClusterTooLarge(sweep.cluster_ranks, device);
    result->l2_buffer_bytes =
        std::max(result->l2_buffer_bytes,
                 c.l2_buffer * std::size_t(c.streams) + (c.fused ? counter_bytes(c.streams, items) : 0));
    streams = std::max(streams, c.fused ? 1 : c.streams);
  }
  result->stream_pool = std::make_unique<StreamPool>(streams - 1);
  watch.lap("load");
  upload_tables(*result, prepared.sweeps);
  watch.lap("upload");
  return result;
}

/// What was loaded most recently, by name. It is never destroyed, so nothing calls a driver that has shut down.
class Shelf {
 public:
  std::shared_ptr<LoadedProgram const> find(std::string const& name) {
    std::lock_guard const lock(mutex_);
    auto const entry =
        std::find_if(entries_.begin(), entries_.end(), [&](Entry const& e) { return e.name == name; });
    if (entry == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, entry);
    return entry->program;
  }
  void put(std::string const& name, std::shared_ptr<LoadedProgram const> program) {
    Entries dropped;  // ends after the lock: that waits for the device
    std::lock_guard const lock(mutex_);
    entries_.push_front({name, std::move(program)});
    if (entries_.size() > most) dropped.splice(dropped.begin(), entries_, std::prev(entries_.end()));
  }

 private:
  static constexpr std::size_t most = 64;
  struct Entry {
    std::string name;
    std::shared_ptr<LoadedProgram const> program;
  };
  using Entries = std::list<Entry>;
  std::mutex mutex_;
  Entries entries_;
};

/// The arguments of a kernel, in words of 64 bits: two sweeps have at most all of them. A kernel that is traced takes each by itself,
/// one that NVRTC has compiled takes the words as kernel::Args or kernel::FusedArgs.
class Arguments {
 public:
  Arguments(bool traced, bool is_double) : traced_(traced), is_double_(is_double) {}
  Arguments(Arguments const&) = delete;
  Arguments& operator=(Arguments const&) = delete;

  void add(LoadedSweep const& sweep, DevicePointer in, DevicePointer out, double scale, void* data,
           DevicePointer constant_mode) {
    auto const table = [&](std::size_t t) { return t < sweep.tables.size() ? sweep.tables[t] : 0; };
    float const narrow = float(scale);
    DevicePointer scale_bits = 0;
    std::memcpy(&scale_bits, is_double_ ? static_cast<void const*>(&scale) : &narrow, is_double_ ? 8 : 4);
    for (DevicePointer const word : {in, out, table(0), scale_bits, table(1), address(data), constant_mode})
      add(word);
  }
  void add(DevicePointer word) {
    words_[count_] = word;
    parameters_[count_] = &words_[count_];
    ++count_;
  }
  /// What stands behind the arguments of two sweeps.
  void set(kernel::FusedPasses const& passes) {
    count_ = 14;
    if (!traced_) return void(std::memcpy(&words_[count_], &passes, sizeof passes));
    add(address(passes.counters));
    add(address(passes.deferred));
  }
  void** parameters() { return parameters_.data(); }

 private:
  static constexpr std::size_t most = 14 + std::max<std::size_t>(2, (sizeof(kernel::FusedPasses) + 7) / 8);
  static_assert(sizeof(kernel::Args<float>) == 7 * 8 && sizeof(kernel::Args<double>) == 7 * 8 &&
                offsetof(kernel::Args<float>, scale) == 3 * 8 &&
                offsetof(kernel::FusedArgs<float>, fused_passes) == 14 * 8);
  bool traced_, is_double_;
  std::size_t count_ = 0;
  std::array<DevicePointer, most> words_{};
  std::array<void*, most> parameters_{};
};

}  // namespace

ClusterTooLarge::ClusterTooLarge(int ranks, int device)
    : Error("program", "has clusters of " + std::to_string(ranks) +
                           " blocks, of which cuda:" + std::to_string(device) +
                           " cannot hold one; hand in a program with smaller clusters, or none"),
      blocks(ranks) {}

LoadedProgram::~LoadedProgram() {
  try {
    Unwatched const unwatched;
    Current const current(context);
    driver()->synchronise();  // what was launched may still run
    for (LoadedSweep& s : sweeps) unload(s.kernel), unload(s.deferred);
    stream_pool.reset();
    tables.reset();
  } catch (Error const&) {  // the context is gone, and with it all that was in it
  }
}

DevicePointer LoadedProgram::buffer(Buffer b, DevicePointer in, DevicePointer out, DevicePointer work) const {
  switch (b) {
    case Buffer::in:
      return in;
    case Buffer::out:
      return out;
    case Buffer::work:
      return work;
    case Buffer::work2:
      return work + work_bytes;
    case Buffer::l2_buffer:
      return work + work_bytes * std::size_t(works);
  }
  return 0;
}

void LoadedProgram::launch(LoadedSweep const& sweep, Index tiles, DevicePointer from, DevicePointer to,
                           DevicePointer constant_mode, Stream stream, bool behind, void* given) const {
  Arguments arguments(sweep.traced, program.problem.precision == Precision::f64);
  arguments.add(sweep, from, to, scale, given, constant_mode);
  Grid const grid = grid_of(tiles, sweep.cluster_ranks);
  LaunchAttribute dependent;
  LaunchConfig const config{grid.x, grid.y,     1, sweep.threads, 1, 1, sweep.shared_bytes,
                            stream, &dependent, 1};
  Status const status =
      behind && sweep.dependent
          ? driver()->launch_as(&config, sweep.kernel.function, arguments.parameters(), nullptr)
          : driver()->launch(sweep.kernel.function, grid.x, grid.y, 1, sweep.threads, 1, 1,
                             sweep.shared_bytes, stream, arguments.parameters(), nullptr);
  if (status == invalid_handle)
    throw Error("stream", "is not a stream of the plan's context on cuda:" + std::to_string(device) +
                              "; give one that was made on that device");
  demand(status, "launching a sweep");
}

void LoadedProgram::launch(LoadedSweep const& sweep, DevicePointer in, DevicePointer out, DevicePointer work,
                           Stream stream, bool behind) const {
  launch(sweep, sweep.tiles, buffer(sweep.from, in, out, work), buffer(sweep.to, in, out, work),
         constant_mode(work), stream, behind, data);
}

/// One launch for all L2 blocks, and a second one, of one block an SM, for the items that the first has left. The
/// second is a dependent launch where the driver takes one. The counters lie in the call's own workspace and are
/// cleared in the same stream before the kernel, so neither another call nor a failed launch can spoil them.
void LoadedProgram::launch_fused(std::size_t s, DevicePointer in, DevicePointer out, DevicePointer work,
                                 Stream stream, void* given) const {
  LoadedL2Blocks const& c = l2_blocks[s];
  LoadedSweep const &first = sweeps[s], &last = sweeps[s + 1];
  DevicePointer const l2_buffer = buffer(Buffer::l2_buffer, in, out, work),
                      counters = l2_buffer + c.l2_buffer * std::size_t(c.streams);
  demand(driver()->fill_async(counters, 0, counter_bytes(c.streams, first.tiles + last.tiles), stream),
         "clearing counters");
  kernel::FusedPasses fused_passes =
      fused_passes_of(c, first.tiles, last.tiles, element_bytes(program.problem));
  fused_passes.counters = reinterpret_cast<unsigned*>(counters);
  fused_passes.deferred = fused_passes.counters + kernel::counters_of(fused_passes.slots);
  Arguments arguments(first.traced, program.problem.precision == Precision::f64);
  arguments.add(first, buffer(first.from, in, out, work), l2_buffer, scale, given, 0);
  arguments.add(last, l2_buffer, buffer(last.to, in, out, work), scale, given, 0);
  arguments.set(fused_passes);
  Grid const grid = grid_of(first.tiles + last.tiles, 1);
  demand(driver()->launch(first.kernel.function, grid.x, grid.y, 1, first.threads, 1, 1, first.shared_bytes,
                          stream, arguments.parameters(), nullptr),
         "launching two sweeps");
  fused_passes.second_launch = true;
  arguments.set(fused_passes);
  Function const deferred = first.deferred.function ? first.deferred.function : first.kernel.function;
  Machine const& machine = device_machine(device);
  unsigned const blocks = unsigned(std::clamp<Index>(machine.sms, 1, first.tiles + last.tiles));
  LaunchAttribute dependent;
  LaunchConfig const config{blocks, 1, 1, first.threads, 1, 1, first.shared_bytes, stream, &dependent, 1};
  demand(has_clusters(machine) && launches_dependent()
             ? driver()->launch_as(&config, deferred, arguments.parameters(), nullptr)
             : driver()->launch(deferred, blocks, 1, 1, first.threads, 1, 1, first.shared_bytes, stream,
                                arguments.parameters(), nullptr),
         "launching what two sweeps have left");
}

/// L2 blocks alternate between the streams. Within a stream each waits for the one before, whose buffer it reuses.
void LoadedProgram::launch_l2_blocks(std::size_t s, DevicePointer in, DevicePointer out, DevicePointer work,
                                     Stream stream, void* given) const {
  LoadedL2Blocks const& c = l2_blocks[s];
  std::size_t const end = s + std::size_t(c.sweeps) - 1;
  LoadedSweep const &first = sweeps[s], &last = sweeps[end];
  L2BlockDigit const& along = c.l2_block.along;
  Index const all = c.l2_block.all();
  Fork fork(*stream_pool, c.streams, stream);
  std::size_t number = 0;
  for (Index at = 0; at < all; ++number) {
    Index rest = at / along.size, index = at % along.size;
    DevicePointer from = buffer(first.from, in, out, work) + DevicePointer(index * along.read);
    DevicePointer to = buffer(last.to, in, out, work) + DevicePointer(index * along.write);
    for (std::size_t d = c.l2_block.around.size(); d-- > 0; rest /= c.l2_block.around[d].size) {
      from += DevicePointer(rest % c.l2_block.around[d].size * c.l2_block.around[d].read);
      to += DevicePointer(rest % c.l2_block.around[d].size * c.l2_block.around[d].write);
    }
    Index const run = std::min(c.run, along.size - index);
    std::size_t const slot = number % std::size_t(c.streams);
    DevicePointer const l2_buffer = buffer(Buffer::l2_buffer, in, out, work) + slot * c.l2_buffer;
    bool const behind = number >= std::size_t(c.streams);
    launch(first, first.tiles / all * run, from, l2_buffer, 0, fork[slot], behind, given);
    Index const held = c.l2_block.together, groups = (all + held - 1) / held;
    for (std::size_t i = s + 1; i < end; ++i)
      launch(sweeps[i], sweeps[i].tiles / groups * ((run + held - 1) / held), l2_buffer, l2_buffer, 0,
             fork[slot], true, given);
    launch(last, last.tiles / all * run, l2_buffer, to, 0, fork[slot], true, given);
    at += run;
  }
  fork.join();
}

void LoadedProgram::launch(DevicePointer in, DevicePointer out, DevicePointer work, Stream stream,
                           void* given) const {
  bool behind = true;  // whether a sweep directly follows work in this stream, whatever that is
  for (std::size_t s = 0; s < sweeps.size(); ++s) {
    if (l2_blocks[s].run) {
      if (l2_blocks[s].fused)
        launch_fused(s, in, out, work, stream, given);
      else
        launch_l2_blocks(s, in, out, work, stream, given);
      s += std::size_t(l2_blocks[s].sweeps) - 1;
    } else {
      LoadedSweep const& sweep = sweeps[s];
      launch(sweep, sweep.tiles, buffer(sweep.from, in, out, work), buffer(sweep.to, in, out, work),
             constant_mode(work), stream, behind, given);
    }
    behind = sweeps[s].from != Buffer::l2_buffer;  // streams are joined by events
  }
}

std::shared_ptr<LoadedProgram const> loaded(std::string const& name, int device, Stopwatch& watch,
                                            Prepared (*make)(void const*), void const* argument) {
  static auto& shelf = *new Shelf;
  demand_driver();
  watch.lap("driver");
  Context const context = context_for(device);
  watch.lap("context");
  Unwatched const unwatched;
  Current const current(context);
  unsigned long long id = 0;
  demand(driver()->context_id(context, &id), "reading the context's number");
  std::string const full = std::to_string(id) + " " + std::to_string(device) + " " + name;
  if (auto known = name.empty() ? nullptr : shelf.find(full)) return known;
  auto made = load(make(argument), device, context, watch);
  if (!name.empty()) shelf.put(full, made);
  return made;
}

}  // namespace skipper::gpu
