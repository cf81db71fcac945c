// Every rank has a stream on its device; the host's part of the work is done for all ranks at the same time.
#include "exchange_bench.h"

#include <algorithm>
#include <future>

#include "format.h"
#include "linear_check.h"
#include "measure.h"
#include "noise.h"
#include "terminal.h"

namespace skipper::cli {
namespace {

std::size_t in_bytes_of(DistributedPlan const& plan, Problem const& problem, int rank) {
  return std::size_t(plan.in_elements(rank) * in_element_bytes(problem));
}
std::size_t out_bytes_of(DistributedPlan const& plan, Problem const& problem, int rank) {
  return std::size_t(plan.out_elements(rank) * out_element_bytes(problem));
}

/// What work(rank) gives for each rank, on as many threads.
template <class Work>
std::vector<std::invoke_result_t<Work, int>> on_all_ranks(std::size_t ranks, Work const& work) {
  std::vector<std::future<std::invoke_result_t<Work, int>>> begun;
  for (std::size_t r = 0; r < ranks; ++r) begun.push_back(std::async(std::launch::async, work, int(r)));
  std::vector<std::invoke_result_t<Work, int>> results;
  for (auto& each : begun) results.push_back(each.get());
  return results;
}

}  // namespace

struct ExchangeBench::Input {
  std::vector<std::byte> data;
  WeightedSum sum;
};

ExchangeBench::ExchangeBench(Problem const& problem, std::vector<Device> const& devices) : problem_(problem) {
  for (Device const& d : devices) ranks_.push_back(std::make_unique<Cuda>(cuda_device(d.name())));
}

double ExchangeBench::seconds(DistributedPlan const& plan, int repeats) {
  std::vector<Input> const in = inputs(plan);
  std::vector<RankArrays> const arrays = arrays_of(plan, in);
  plan.execute(arrays);
  demand_right(plan, in, arrays);
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(sample(plan, arrays));
  return summary(samples).seconds;
}

std::vector<ExchangeBench::Input> ExchangeBench::inputs(DistributedPlan const& plan) const {
  LinearCheck const check(problem_);
  std::vector<Input> all(ranks_.size());
  for (std::size_t r = 0; r < all.size(); ++r) {
    all[r].data.resize(in_bytes_of(plan, problem_, int(r)));
    fill_with_noise(all[r].data.data(), all[r].data.size(), problem_.precision, r + 1);
  }
  on_all_ranks(all.size(), [&](int r) {
    Input& mine = all[std::size_t(r)];
    check.make_sound(plan.in_box(r), mine.data.data());
    mine.sum = check.of_input(plan.in_box(r), mine.data.data());
    return true;
  });
  return all;
}

std::vector<RankArrays> ExchangeBench::arrays_of(DistributedPlan const& plan,
                                                 std::vector<Input> const& inputs) {
  std::vector<RankArrays> arrays;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    Cuda& cuda = *ranks_[r];
    auto const memory = [&cuda](char const* name, std::size_t size) {
      return cuda.device_memory(name, std::max<std::size_t>(size, 256)).data;
    };
    std::size_t const out_bytes = out_bytes_of(plan, problem_, int(r));
    void* const in = memory("in", inputs[r].data.size());
    void* const out = memory("out", out_bytes);
    void* const work = memory("work", std::size_t(plan.workspace_bytes(int(r))));
    cuda.upload(in, inputs[r].data.data(), inputs[r].data.size());
    cuda.poison(out, out_bytes);
    cuda.wait();
    arrays.push_back({in, out, {.workspace = work, .stream = cuda.stream()}});
  }
  return arrays;
}

void ExchangeBench::demand_right(DistributedPlan const& plan, std::vector<Input> const& inputs,
                                 std::vector<RankArrays> const& arrays) {
  std::vector<std::vector<std::byte>> results;
  for (std::size_t r = 0; r < ranks_.size(); ++r) {
    auto& host = results.emplace_back(out_bytes_of(plan, problem_, int(r)));
    ranks_[r]->wait();
    ranks_[r]->download(host.data(), arrays[r].out, host.size());
  }
  LinearCheck const check(problem_);
  WeightedSum ins, outs;
  for (Input const& in : inputs) ins += in.sum;
  for (WeightedSum const& sum : on_all_ranks(ranks_.size(), [&](int r) {
         return check.of_output(plan.out_box(r), results[std::size_t(r)].data());
       }))
    outs += sum;
  double const defect = check.defect(ins, outs);
  if (!(defect <= 1))
    throw Error("result",
                formatted("is wrong: a sum over the outputs is off by {} times what rounding may do",
                          number_text(defect)));
}

/// Several executions behind each other, so that the host's part is hidden as it is in a program.
double ExchangeBench::sample(DistributedPlan const& plan, std::vector<RankArrays> const& arrays) {
  constexpr int times = 4;
  for (auto& cuda : ranks_) cuda->wait();
  double const begin = now();
  for (int i = 0; i < times; ++i) plan.execute(arrays);
  for (auto& cuda : ranks_) cuda->wait();
  return (now() - begin) / times;
}

}  // namespace skipper::cli
