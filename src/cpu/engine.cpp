// See engine.h: checks the problem, makes the schedule, and runs it on the pool.
#include "cpu/engine.h"

#include <skipper/error.h>

#include <algorithm>
#include <variant>

#include "base/spare_memory.h"
#include "cpu/convolution.h"
#include "cpu/callbacks.h"
#include "cpu/narrow_columns.h"
#include "cpu/host.h"
#include "cpu/huge_pages.h"
#include "cpu/needs.h"
#include "cpu/plan_cache.h"
#include "cpu/pool.h"
#include "cpu/schedule.h"

namespace skipper::cpu {
namespace {

constexpr std::size_t alignment = 64;

/// The arrays of a call.
template <class T>
struct Arrays {
  T* at[5];  // by Array, then the buffer; the input is never written
};

template <class T>
void run_step(ScheduledStep<T> const& scheduled, Arrays<T> const& arrays, Index const (&offset)[4], T* buffer,
              Index begin, Index end) {
  T const* const from = arrays.at[int(scheduled.from)] + offset[int(scheduled.from)] + scheduled.from_at;
  T* const to = arrays.at[int(scheduled.to)] + offset[int(scheduled.to)] + scheduled.to_at;
  for (Index tile = begin; tile < end; ++tile)
    scheduled.step->run(tile, from, to, arrays.at[int(Array::line)] + scheduled.line_at, buffer);
}

template <class T>
void run_calls(std::vector<PassCall> const& calls, T* const (&at)[5]) {
  for (PassCall const& c : calls) c.pass(c.args, at[c.from] + c.from_at, at[c.to] + c.to_at);
}

void offsets_of(std::vector<ArrayDim> const& outer, Index index, Index (&offset)[4]) {
  for (Index& o : offset) o = 0;
  for (ArrayDim const& dim : outer) {
    Index const i = index % dim.size;
    index /= dim.size;
    for (int array = 0; array < 4; ++array) offset[array] += i * dim.stride[array];
  }
}

/// The memory of one thread, in scalars: its buffer, and Array::line where each thread has one.
struct Slots {
  Index buffer = 0, line = 0;
  bool has_lines = false;  // each long line is done by one thread
};

template <class T>
Arrays<T> of_slot(Arrays<T> arrays, Slots const& slots, int slot) {
  arrays.at[int(Array::line)] += slot * slots.line;
  arrays.at[buffer_array] += slot * slots.buffer;
  return arrays;
}

template <class T>
void run_group(Group<T> const& group, Arrays<T> const& arrays, Slots const& slots, Team const& team) {
  int const threads = team.threads;
  Index times = 1;
  for (ArrayDim const& dim : group.outer) times *= dim.size;
  bool const serial =
      group.one_at_a_time ? slots.has_lines : times >= threads;  // an outer index is done by one thread
  auto body = [&](Arrays<T> const& mine, Index begin, Index end) {
    Index offset[4];
    for (Index i = begin; i < end; ++i) {
      offsets_of(group.outer, i, offset);
      if (!group.calls.empty() && (serial || threads == 1)) {
        T* at[5] = {nullptr, nullptr, nullptr, nullptr, mine.at[buffer_array]};
        for (int a = 0; a < 4; ++a) at[a] = mine.at[a] + offset[a];
        run_calls(group.calls, at);
        continue;
      }
      for (auto const& scheduled : group.steps) {
        Index const tiles = scheduled.step->tiles();
        if (serial || threads == 1)
          run_step(scheduled, mine, offset, mine.at[buffer_array], 0, tiles);
        else
          parallel_for(tiles, team, [&](int slot, Index first, Index last) {
            run_step(scheduled, mine, offset, of_slot(mine, slots, slot).at[buffer_array], first, last);
          });
      }
    }
  };
  if (threads == 1 || !serial) return body(arrays, 0, times);
  parallel_for(times, team,
               [&](int slot, Index begin, Index end) { body(of_slot(arrays, slots, slot), begin, end); });
}

}  // namespace

/// What equal transforms do not share: workspaces that are not in use, and the executor.
struct Transform::Store {
  SpareMemory memory;
  Executor executor;  // empty: the pool
};

struct Transform::Body {
  Problem problem;
  int threads = 1, lines = 1;  // at work, and how many long lines at once
  Variant const* set = nullptr;
  std::variant<Schedule<float>, Schedule<double>> schedule;
  std::size_t bytes = 0;
  std::size_t table_bytes = 0;
  bool in_place = false;
  bool simple = false;  // one group, of prepared passes only
  PassCall only_call;   // where one pass does everything: it reads all it needs before it writes
  std::unique_ptr<BufferedTransform const> buffered;  // does everything, where loads and stores are not plain

  Body(Problem const& given, Machine const& machine, Options const& options) : problem(given) {
    in_place = problem.placement == Placement::in_place;
    threads = options.threads;
    set = &variant(options.instruction_set);
    if (has_callbacks(problem, options)) {
      buffered = has_narrow_columns(problem, machine, options)
                     ? make_narrow_columns(problem, machine, options)
                     : make_buffered(problem, machine, options);
      bytes = buffered->workspace_bytes();
    } else if (problem.precision == Precision::f32) {
      prepare<float>(machine, options.executor);
    } else {
      prepare<double>(machine, options.executor);
    }
  }

  /// Takes the body of an equal plan from the cache, or makes one.
  static std::shared_ptr<Body const> of(Problem const& problem, Machine const& machine,
                                        Options const& options) {
    if (has_callbacks(problem, options)) {
      refuse_what_cannot_fit(problem, machine, options);
      return std::make_shared<Body const>(problem, machine, options);
    }
    PlanKey key{problem, machine, options.threads, &variant(options.instruction_set)};
    PlanCache& cache = PlanCache::instance();
    if (auto known = cache.find(key)) return std::static_pointer_cast<Body const>(known);
    refuse_what_cannot_fit(problem, machine, options);
    auto made = std::make_shared<Body const>(problem, machine, options);
    std::size_t const table_bytes = made->table_bytes;
    return std::static_pointer_cast<Body const>(cache.keep(std::move(key), std::move(made), table_bytes));
  }

  template <class T>
  void prepare(Machine const& machine, Executor const& executor) {
    TableMaker tables(kernels<T>(*set), Team(threads, &executor), TableMaker::Mode::make);
    Schedule<T> made = make_schedule<T>(problem, machine, tables);
    table_bytes = static_cast<std::size_t>(tables.bytes());
    threads = threads_at_work(made, machine, threads);
    made.buffer = cache_aligned<T>(made.buffer);
    made.work = cache_aligned<T>(made.work);
    made.line = cache_aligned<T>(made.line);
    lines = lines_at_once(made, machine, threads);
    bytes = sizeof(T) * static_cast<std::size_t>(made.work + lines * made.line + threads * made.buffer);
    if (bytes > 0) bytes += alignment;
    auto const& first = made.groups[0];
    simple = made.groups.size() == 1 && made.repeat.empty() && first.outer.empty() && !first.calls.empty() &&
             threads == 1;
    if (simple && first.calls.size() == 1 && first.calls[0].from_at == 0 && first.calls[0].to_at == 0)
      only_call = first.calls[0];
    schedule = std::move(made);
  }

  /// Executes with a workspace of the transform's own where none is given. Not inlined, so that a single short pass pays for no frame.
  [[gnu::noinline]] void run_somewhere(void const* in, void* out, void* workspace, Store& store) const {
    constexpr std::size_t on_stack = 16 * 1024;
    if (workspace || bytes == 0) return run(in, out, workspace, store);
    if (bytes <= on_stack) {
      alignas(alignment) char memory[on_stack];
      return run(in, out, memory, store);
    }
    AlignedMemory memory = store.memory.take(bytes, prefer_huge_pages);
    run(in, out, memory.get(), store);
    store.memory.give(std::move(memory));
  }

  void run(void const* in, void* out, void* workspace, Store const& store) const {
    if (buffered) return buffered->execute(in, out, workspace);
    auto const address = reinterpret_cast<std::uintptr_t>(workspace);
    auto* const memory = reinterpret_cast<char*>((address + alignment - 1) / alignment * alignment);
    if (auto const* narrow = std::get_if<Schedule<float>>(&schedule))
      run(*narrow, in, out, reinterpret_cast<float*>(memory), store);
    else
      run(std::get<Schedule<double>>(schedule), in, out, reinterpret_cast<double*>(memory), store);
  }

  template <class T>
  void run(Schedule<T> const& made, void const* in, void* out, T* memory, Store const& store) const {
    Arrays<T> arrays;
    arrays.at[int(Array::out)] = static_cast<T*>(out);
    arrays.at[int(Array::in)] = in_place ? static_cast<T*>(out) : const_cast<T*>(static_cast<T const*>(in));
    arrays.at[int(Array::work)] = in_place ? static_cast<T*>(out) : memory;
    arrays.at[int(Array::line)] = memory + made.work;
    arrays.at[buffer_array] = memory + made.work + lines * made.line;
    if (simple && (in_place || in != out)) return run_calls(made.groups[0].calls, arrays.at);
    Slots const slots{made.buffer, lines > 1 ? made.line : 0, lines > 1};
    Index times = 1, offset[4];
    for (ArrayDim const& dim : made.repeat) times *= dim.size;
    for (Index i = 0; i < times; ++i) {
      offsets_of(made.repeat, i, offset);
      Arrays<T> part = arrays;
      for (int a = 0; a < 4; ++a) part.at[a] += offset[a];
      for (auto const& group : made.groups) run_group(group, part, slots, Team(threads, &store.executor));
    }
  }
};

Transform::Transform(Problem const& problem, Machine const& machine, Options options) : store_(new Store) {
  auto const [threads, executor] = resolved(options.threads, options.executor);
  options.threads = threads;
  options.executor = store_->executor = executor;
  check(problem);
  body_ = Body::of(problem, machine, options);
}
Transform::~Transform() = default;
Transform::Transform(Transform&&) noexcept = default;
Transform& Transform::operator=(Transform&&) noexcept = default;

std::size_t Transform::workspace_bytes() const { return body_->bytes; }

void Transform::execute(void const* in, void* out, void* workspace) const {
  Body const& body = *body_;
  if (body.only_call.pass) return body.only_call.pass(body.only_call.args, body.in_place ? out : in, out);
  body.run_somewhere(in, out, workspace, *store_);
}

std::string Transform::describe() const {
  if (body_->buffered) return body_->buffered->describe();
  return text(body_->problem) + "\n" + body_->set->name + ", " + std::to_string(body_->threads) +
         " threads, " + std::to_string(body_->bytes) + " bytes of workspace\n" +
         std::visit([](auto const& schedule) { return cpu::text(schedule); }, body_->schedule);
}

void clear_plan_cache() { PlanCache::instance().clear(); }

}  // namespace skipper::cpu
