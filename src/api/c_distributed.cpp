// The C interface to communicators and distributed plans.
#include "api/c_distributed.h"

#include <skipper/communicator_c.h>

#include <algorithm>
#include <chrono>

#include "api/c_problem.h"

struct skipper_distributed {
  skipper::DistributedPlan plan;
  int rank = 0;
  std::size_t ranks = 0;  // of this process, where it has all of them; else 0
};

namespace skipper::c {
namespace {

/// This rank's box, or those of all ranks, or none.
std::vector<Box> boxes_of(char const* argument, long long const* first, long long const* size,
                          std::size_t dimensions, std::size_t count) {
  if (!first && !size) return {};
  if (!first || !size)
    throw Error(argument, "has a first index or a size but not both; give both, or null pointers");
  std::vector<Box> boxes;
  for (std::size_t i = 0; i < count; ++i, first += dimensions, size += dimensions)
    boxes.push_back({{first, first + dimensions}, {size, size + dimensions}});
  return boxes;
}

struct ExchangePair {
  int value;
  ExchangeMethod method;
};
constexpr ExchangePair exchanges[] = {{SKIPPER_EXCHANGE_AUTOMATIC, ExchangeMethod::automatic},
                                      {SKIPPER_EXCHANGE_DIRECT, ExchangeMethod::direct},
                                      {SKIPPER_EXCHANGE_MESSAGES, ExchangeMethod::messages},
                                      {SKIPPER_EXCHANGE_FUSED, ExchangeMethod::fused},
                                      {SKIPPER_EXCHANGE_SWAP, ExchangeMethod::swap},
                                      {SKIPPER_EXCHANGE_STAGED, ExchangeMethod::staged},
                                      {SKIPPER_EXCHANGE_HOST, ExchangeMethod::host}};

AxisOrder order_of(char const* argument, int value) {
  if (value != SKIPPER_AXIS_ORDER_NATURAL && value != SKIPPER_AXIS_ORDER_PERMUTED)
    refuse(argument, value, "SKIPPER_AXIS_ORDER_NATURAL or SKIPPER_AXIS_ORDER_PERMUTED");
  return value == SKIPPER_AXIS_ORDER_PERMUTED ? AxisOrder::permuted : AxisOrder::natural;
}

}  // namespace

ExchangeMethod exchange_of(int value) {
  for (ExchangePair const& pair : exchanges)
    if (pair.value == value) return pair.method;
  refuse("exchange", value, "SKIPPER_EXCHANGE_AUTOMATIC or another of skipper_exchange");
}

int number_of(ExchangeMethod method) {
  for (ExchangePair const& pair : exchanges)
    if (pair.method == method) return pair.value;
  throw Error("exchange", "is none of those that C has");
}

std::vector<Device> devices_of(char const* const* names, int count, char const* argument) {
  if (count < 1)
    throw Error(argument, "is " + std::to_string(count) + " but must be at least 1, a device each");
  demanded(names, "devices");
  std::vector<Device> devices;
  for (int i = 0; i < count; ++i)
    devices.emplace_back(&demanded(names[i], ("devices[" + std::to_string(i) + "]").c_str()));
  return devices;
}

void demand_no_device(skipper_distributed_settings const* given) {
  if (given && given->device)
    throw Error("device", "is given beside devices, which name that of each rank; leave it a null pointer");
}

void demand_arrays(void const* arrays, int given, std::size_t ranks) {
  if (given < 0 || std::size_t(given) != ranks)
    throw Error("ranks", "is " + std::to_string(given) + " but there are " + std::to_string(ranks) +
                             "; give arrays for each");
  demanded(static_cast<char const*>(arrays), "arrays");
}

DistributedSettings settings_of(skipper_distributed_settings const* given, std::size_t dimensions,
                                std::size_t boxes) {
  DistributedSettings settings;
  if (!given) return settings;
  settings.in = boxes_of("in", given->in_first, given->in_size, dimensions, boxes);
  settings.out = boxes_of("out", given->out_first, given->out_size, dimensions, boxes);
  settings.any_output = truth_of("any_output", given->any_output);
  settings.in_order = order_of("in_order", given->in_order);
  settings.out_order = order_of("out_order", given->out_order);
  settings.exchange = exchange_of(given->exchange);
  settings.pieces = given->pieces;
  settings.cpu = settings_of(given->cpu);
  settings.gpu.streams = given->gpu.streams;
  if (given->device) settings.device = Device(given->device);
  if (given->links) settings.links = given->links;
  if (given->program) settings.program = given->program;
  return settings;
}

void hand_out(Box const& box, long long* first, long long* size) {
  demanded(first, "first");
  demanded(size, "size");
  std::copy(box.first.begin(), box.first.end(), first);
  std::copy(box.size.begin(), box.size.end(), size);
}

}  // namespace skipper::c

using namespace skipper::c;
using skipper::Error;

namespace {

template <class MakeProblem>
int created(skipper_distributed** plan, MakeProblem make_problem, skipper_communicator* communicator,
            skipper_distributed_settings const* settings) {
  return guarded([&] {
    if (plan) *plan = nullptr;
    together(communicator, [&](std::shared_ptr<skipper::Communicator> const& ranks) {
      demanded(plan, "plan");
      skipper::Problem const problem = make_problem();
      std::size_t const dimensions = problem.batch.size() + problem.axes.size();
      *plan = new skipper_distributed{
          skipper::DistributedPlan(problem, ranks, settings_of(settings, dimensions)), ranks->rank()};
    });
  });
}

}  // namespace

extern "C" {

skipper_distributed_settings skipper_distributed_settings_default(void) { return {}; }

int skipper_communicator_make(skipper_communicator** communicator,
                              void (*make)(void const* data, std::shared_ptr<skipper::Communicator>& made),
                              void const* data) {
  return guarded([&] {
    demanded(communicator, "communicator") = nullptr;
    std::shared_ptr<skipper::Communicator> made;
    make(data, made);
    *communicator = new skipper_communicator{std::move(made)};
  });
}

int skipper_communicators_create_threads(skipper_communicator** communicators, int ranks,
                                         long long milliseconds) {
  return guarded([&] {
    demanded(communicators, "communicators");
    if (milliseconds < 0)
      throw Error("milliseconds",
                  "is " + std::to_string(milliseconds) + " but must be at least 0, which is five minutes");
    if (ranks > 65536)
      throw Error("ranks", "is " + std::to_string(ranks) + " but must be 1 to 65536 threads");
    long long const longest = 24ll * 3600 * 1000 * 365;
    std::chrono::milliseconds const timeout =
        milliseconds == 0 ? std::chrono::minutes(5)
                          : std::chrono::milliseconds(std::min(milliseconds, longest));
    auto const made = skipper::thread_communicators(ranks, timeout);
    std::vector<std::unique_ptr<skipper_communicator>> handles;
    for (auto const& one : made)
      handles.push_back(std::make_unique<skipper_communicator>(skipper_communicator{one}));
    for (std::size_t r = 0; r < handles.size(); ++r) communicators[r] = handles[r].release();
  });
}

int skipper_communicator_rank(skipper_communicator const* communicator, int* rank, int* ranks) {
  return guarded([&] {
    skipper::Communicator const& c = *demanded(communicator, "communicator").communicator;
    demanded(rank, "rank") = c.rank();
    demanded(ranks, "ranks") = c.size();
  });
}

void skipper_communicator_destroy(skipper_communicator* communicator) { delete communicator; }

int skipper_distributed_create(skipper_distributed** plan, skipper_problem const* problem,
                               skipper_communicator* communicator,
                               skipper_distributed_settings const* settings) {
  return created(
      plan, [&] { return problem_without_strides(problem); }, communicator, settings);
}

int skipper_distributed_create_text(skipper_distributed** plan, char const* problem,
                                    skipper_communicator* communicator,
                                    skipper_distributed_settings const* settings) {
  auto const parsed = [&] { return skipper::parse_problem(&demanded(problem, "problem")); };
  return created(plan, parsed, communicator, settings);
}

int skipper_distributed_create_devices(skipper_distributed** plan, skipper_problem const* problem,
                                       char const* const* devices, int ranks,
                                       skipper_distributed_settings const* settings) {
  return guarded([&] {
    demanded(plan, "plan") = nullptr;
    skipper::Problem const made = problem_without_strides(problem);
    std::vector<skipper::Device> const all = devices_of(devices, ranks, "ranks");
    demand_no_device(settings);
    std::size_t const dimensions = made.batch.size() + made.axes.size();
    *plan = new skipper_distributed{
        skipper::DistributedPlan(made, all, settings_of(settings, dimensions, all.size())), 0, all.size()};
  });
}

void skipper_distributed_destroy(skipper_distributed* plan) { delete plan; }

int skipper_distributed_execute(skipper_distributed const* plan, void const* in, void* out) {
  return skipper_distributed_execute_on(plan, in, out, nullptr);
}

int skipper_distributed_execute_on(skipper_distributed const* plan, void const* in, void* out,
                                   skipper_execute_settings const* settings) {
  return guarded([&] { demanded(plan, "plan").plan.execute(in, out, settings_of(settings)); });
}

int skipper_distributed_workspace_bytes(skipper_distributed const* plan, long long* bytes) {
  return guarded([&] {
    skipper_distributed const& p = demanded(plan, "plan");
    demanded(bytes, "bytes") = p.plan.workspace_bytes(p.rank);
  });
}

int skipper_distributed_execute_timed(skipper_distributed const* plan, void const* in, void* out,
                                      skipper_execute_settings const* settings, skipper_stage_times* times,
                                      int room, int* stages) {
  return guarded([&] {
    skipper::DistributedPlan const& p = demanded(plan, "plan").plan;
    if (room > 0) demanded(times, "times");
    auto const found = p.execute_timed(in, out, settings_of(settings));
    for (std::size_t s = 0; s < found.size() && int(s) < room; ++s)
      times[s] = {found[s].transform_seconds, found[s].move_seconds, found[s].wait_seconds};
    if (stages) *stages = int(found.size());
  });
}

skipper_rank_arrays skipper_rank_arrays_default(void) { return {}; }

int skipper_distributed_execute_ranks(skipper_distributed const* plan, skipper_rank_arrays const* arrays,
                                      int ranks) {
  return guarded([&] {
    skipper_distributed const& p = demanded(plan, "plan");
    demand_arrays(arrays, ranks, p.ranks);
    std::vector<skipper::RankArrays> all;
    for (int r = 0; r < ranks; ++r)
      all.push_back({arrays[r].in, arrays[r].out, settings_of(&arrays[r].settings)});
    p.plan.execute(all);
  });
}

int skipper_distributed_rank_elements(skipper_distributed const* plan, int rank, long long* in,
                                      long long* out) {
  return guarded([&] {
    skipper::DistributedPlan const& p = demanded(plan, "plan").plan;
    demanded(in, "in") = p.in_elements(rank);
    demanded(out, "out") = p.out_elements(rank);
  });
}

int skipper_distributed_rank_workspace_bytes(skipper_distributed const* plan, int rank, long long* bytes) {
  return guarded([&] { demanded(bytes, "bytes") = demanded(plan, "plan").plan.workspace_bytes(rank); });
}

int skipper_distributed_dimensions(skipper_distributed const* plan, int* dimensions) {
  return guarded([&] {
    skipper::DistributedPlan const& p = demanded(plan, "plan").plan;
    demanded(dimensions, "dimensions") = int(std::max(p.in_box().size.size(), p.out_box().size.size()));
  });
}

int skipper_distributed_split(skipper_distributed const* plan, int* axis, long long* first,
                              long long* second) {
  return guarded([&] {
    auto const split = demanded(plan, "plan").plan.split();
    demanded(axis, "axis") = split ? int(split->axis) : -1;
    if (first) *first = split ? split->first : 1;
    if (second) *second = split ? split->second : 1;
  });
}

int skipper_distributed_in_index(skipper_distributed const* plan, int rank, long long element,
                                 long long* index) {
  return guarded([&] { demanded(index, "index") = demanded(plan, "plan").plan.in_index(rank, element); });
}

int skipper_distributed_out_index(skipper_distributed const* plan, int rank, long long element,
                                  long long* index) {
  return guarded([&] { demanded(index, "index") = demanded(plan, "plan").plan.out_index(rank, element); });
}

int skipper_distributed_in_box(skipper_distributed const* plan, int rank, long long* first, long long* size) {
  return guarded([&] { hand_out(demanded(plan, "plan").plan.in_box(rank), first, size); });
}

int skipper_distributed_out_box(skipper_distributed const* plan, int rank, long long* first,
                                long long* size) {
  return guarded([&] { hand_out(demanded(plan, "plan").plan.out_box(rank), first, size); });
}

int skipper_distributed_elements(skipper_distributed const* plan, long long* in, long long* out) {
  return guarded([&] {
    skipper::DistributedPlan const& p = demanded(plan, "plan").plan;
    demanded(in, "in") = p.in_elements();
    demanded(out, "out") = p.out_elements();
  });
}

int skipper_distributed_costs(skipper_distributed const* plan, int* exchanges, long long* sent_bytes,
                              long long* memory_bytes) {
  return guarded([&] { hand_out_costs(demanded(plan, "plan").plan, exchanges, sent_bytes, memory_bytes); });
}

int skipper_distributed_describe(skipper_distributed const* plan, char* text, long long size,
                                 long long* needed) {
  return guarded([&] { hand_out(demanded(plan, "plan").plan.describe(), text, size, needed); });
}

}  // extern "C"
