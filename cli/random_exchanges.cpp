// Transforms over ranks: threads on a CPU, one GPU as several. What the ranks hold is gathered, and judged as one array.
#include <skipper/distributed.h>

#include <algorithm>
#include <cstring>

#include "coverage/exchanges.h"
#include "on_threads.h"
#include "random_sorts.h"
#include "verdict.h"

namespace skipper::cli {
namespace {

using coverage::ExchangeProblem;

constexpr char const* split_axis = "exchange: split axis";
constexpr char const* free_links = "links free ranks_per_node 64 node 0 1e18 network 0 1e18";

std::string word_for(ExchangeMethod method) { return std::string("exchange: ") + name(method); }

DistributedSettings settings_of(ExchangeProblem const& e) {
  DistributedSettings s;
  if (!e.in.empty()) s.in = bricks(in_sizes(e.problem), e.in, e.ranks);
  if (!e.out.empty()) s.out = bricks(out_sizes(e.problem), e.out, e.ranks);
  s.any_output = e.any_output;
  s.in_order = e.in_order;
  s.out_order = e.out_order;
  s.exchange = e.method;
  s.pieces = e.pieces;
  if (e.free_links) s.links = free_links;
  return s;
}

std::int64_t elements_in(Box const& box) {
  std::int64_t all = 1;
  for (std::int64_t const n : box.size) all *= n;
  return all;
}

// The arrays of a rank, in host memory; in place both are one.
class RankBox {
 public:
  RankBox(DistributedPlan const& plan, int rank)
      : plan_(plan),
        rank_(rank),
        in_(plan.in_elements(rank) * in_element_bytes(plan.problem())),
        out_(std::max(plan.out_elements(rank) * out_element_bytes(plan.problem()),
                      in_place() ? std::int64_t(in_.bytes()) : 0)) {
    out_.poison();
  }
  void scatter(InAndOut const& whole) {
    Buffer& to = in_place() ? out_ : in_;
    each(true, in_element_bytes(plan_.problem()),
         [&](std::size_t here, std::size_t there, std::size_t bytes) {
           std::memcpy(at(to.data(), here), at(whole.in, there), bytes);
         });
  }
  // The input as well, where it should be as it was.
  void gather(InAndOut const& whole) {
    each(false, out_element_bytes(plan_.problem()),
         [&](std::size_t here, std::size_t there, std::size_t bytes) {
           std::memcpy(at(whole.out, there), at(out_.data(), here), bytes);
         });
    if (in_place()) return;
    each(true, in_element_bytes(plan_.problem()),
         [&](std::size_t here, std::size_t there, std::size_t bytes) {
           std::memcpy(at(whole.in, there), at(in_.data(), here), bytes);
         });
  }
  InAndOut arrays() {
    return {in_place() ? out_.data() : in_.data(), in_.bytes(), out_.data(), out_.bytes()};
  }

 private:
  bool in_place() const { return plan_.problem().placement == Placement::in_place; }
  static std::byte* at(void* array, std::size_t byte) { return static_cast<std::byte*>(array) + byte; }
  template <class Move>
  void each(bool input, std::int64_t element, Move const& move) const {
    std::int64_t const count = elements_in(input ? plan_.in_box(rank_) : plan_.out_box(rank_));
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t const there = input ? plan_.in_index(rank_, i) : plan_.out_index(rank_, i);
      move(std::size_t(i * element), std::size_t(there * element), std::size_t(element));
    }
  }

  DistributedPlan const& plan_;
  int rank_;
  Buffer in_, out_;
};

std::vector<std::string> covered_by(DistributedPlan const& plan) {
  std::vector<std::string> words;
  if (plan.exchanges() > 0) words.push_back(word_for(plan.exchange()));
  if (plan.split()) words.push_back(split_axis);
  return words;
}

// Those of GPUs stand for the two that CPUs have.
ExchangeMethod on_cpu(ExchangeMethod method) {
  switch (method) {
    case ExchangeMethod::messages:
    case ExchangeMethod::staged:
    case ExchangeMethod::host:
      return ExchangeMethod::messages;
    case ExchangeMethod::automatic:
      return ExchangeMethod::automatic;
    default:
      return ExchangeMethod::direct;
  }
}

// Boxes of different ranks share no element, so they are moved at the same time.
std::vector<std::string> by_threads(ExchangeProblem const& e, InAndOut const& whole) {
  DistributedSettings settings = settings_of(e);
  settings.exchange = on_cpu(e.method);
  settings.cpu.threads = 1;
  std::vector<std::string> words;
  on_threads(e.ranks, [&](std::shared_ptr<Communicator> const& communicator) {
    DistributedPlan const plan(e.problem, communicator, settings);
    RankBox box(plan, communicator->rank());
    box.scatter(whole);
    plan.execute(box.arrays().in, box.arrays().out);
    communicator->barrier();  // nobody reads the whole any more
    box.gather(whole);
    if (communicator->rank() == 0) words = covered_by(plan);
  });
  return words;
}

// With the method that was drawn, or automatically where these parts do not go that way.
DistributedPlan plan_on(std::vector<Device> const& devices, ExchangeProblem const& e) {
  DistributedSettings settings = settings_of(e);
  if (e.method == ExchangeMethod::messages) settings.exchange = ExchangeMethod::automatic;
  try {
    return DistributedPlan(e.problem, devices, settings);
  } catch (Error const& error) {
    if (error.argument() != "exchange") throw;
    settings.exchange = ExchangeMethod::automatic;
    return DistributedPlan(e.problem, devices, settings);
  }
}

std::vector<std::string> on_gpu(ExchangeProblem const& e, Device const& device, InAndOut const& whole) {
  DistributedPlan const plan = plan_on(std::vector<Device>(std::size_t(e.ranks), device), e);
  std::vector<RankBox> boxes;
  std::vector<std::unique_ptr<Cuda>> ranks;
  std::vector<RankArrays> arrays;
  for (int r = 0; r < e.ranks; ++r) {
    InAndOut const host = boxes.emplace_back(plan, r).arrays();
    boxes.back().scatter(whole);
    Cuda& cuda = *ranks.emplace_back(std::make_unique<Cuda>(cuda_device(device.name())));
    auto const memory = [&](char const* name, std::size_t bytes) {
      void* const data = cuda.device_memory(name, std::max<std::size_t>(bytes, 256)).data;
      cuda.poison(data, bytes);
      return data;
    };
    void* const out = memory("out", host.out_bytes);
    void* const in = host.in == host.out ? out : memory("in", host.in_bytes);
    auto const workspace = std::size_t(plan.workspace_bytes(r));
    void* const work = memory("work", workspace);
    cuda.upload(in, host.in, host.in_bytes);
    arrays.push_back({in, out, {.workspace_bytes = workspace, .workspace = work, .stream = cuda.stream()}});
  }
  plan.execute(arrays);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    InAndOut const host = boxes[r].arrays();
    ranks[r]->wait();
    ranks[r]->download(host.out, arrays[r].out, host.out_bytes);
    if (host.in != host.out) ranks[r]->download(host.in, arrays[r].in, host.in_bytes);
    boxes[r].gather(whole);
  }
  return covered_by(plan);
}

Outcome verify_exchange(ExchangeProblem const& e, RandomRun& run) {
  Problem one = e.problem;
  one.placement = Placement::out_of_place;
  JudgedArrays judged(dense_layout(one));
  bool const gpu = cuda_device(run.device.name()) >= 0;
  std::vector<std::string> const words =
      gpu ? on_gpu(e, run.device, judged.arrays()) : by_threads(e, judged.arrays());
  return {complaint(judged.verdict(run.threads)), words};
}

Drawn draw_exchange(std::uint64_t seed, std::uint64_t number, coverage::Sizes const& sizes) {
  ExchangeProblem const e = coverage::drawn_exchange(seed, number, sizes);
  return {coverage::text(e), coverage::uses_of(e, coverage::exchange_properties()),
          [e](RandomRun& run) { return verify_exchange(e, run); }};
}

}  // namespace

RandomSort random_exchanges() {
  std::vector<std::string> words = coverage::names_of(coverage::exchange_properties());
  words.push_back(split_axis);
  for (ExchangeMethod const method : {ExchangeMethod::direct, ExchangeMethod::messages, ExchangeMethod::fused,
                                      ExchangeMethod::swap, ExchangeMethod::staged, ExchangeMethod::host})
    words.push_back(word_for(method));
  return {"exchanges", words, draw_exchange};
}

}  // namespace skipper::cli
