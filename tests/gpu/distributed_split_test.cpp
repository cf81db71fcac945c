// One long axis over the fake driver's devices: every exchange and every order gives what one CPU gives.
#include <skipper/distributed.h>
#include <skipper/plan.h>

#include <thread>

#include "gpu/fake_driver/fixture.h"
#include "support/untyped.h"

namespace skipper::testing {
namespace {

constexpr AxisOrder natural = AxisOrder::natural, permuted = AxisOrder::permuted;

std::int64_t volume(Box const& box) {
  std::int64_t all = 1;
  for (std::int64_t const n : box.size) all *= n;
  return all;
}

template <class T>
std::vector<std::complex<T>> on_cpu(Problem problem, std::vector<std::complex<T>> const& whole) {
  problem.placement = Placement::out_of_place;
  PlanSettings cpu;
  cpu.device = Device("cpu");
  std::vector<std::complex<T>> result(whole.size());
  Plan(dense_layout(problem), cpu).execute(untyped(whole.data()), untyped(result.data()));
  return result;
}

/// Both ends of a rank on its device, filled and read by the indices that the plan tells.
template <class T>
struct RankData {
  RankData(DistributedPlan const& plan, int rank, std::vector<std::complex<T>> const& whole)
      : plan_(plan), rank_(rank), in_(gathered(whole)), out_(std::size_t(plan.out_elements(rank)) + 1) {}

  void put(std::vector<std::complex<T>>& result) const {
    bool const in_place = plan_.problem().placement == Placement::in_place;
    std::vector<std::complex<T>> const part = in_place ? in_.values() : out_.values();
    for (std::int64_t i = 0, n = volume(plan_.out_box(rank_)); i < n; ++i)
      result[std::size_t(plan_.out_index(rank_, i))] = part[std::size_t(i)];
  }
  void* in() { return in_.data(); }
  void* out() { return plan_.problem().placement == Placement::in_place ? in() : out_.data(); }

 private:
  std::vector<std::complex<T>> gathered(std::vector<std::complex<T>> const& whole) const {
    std::vector<std::complex<T>> part(
        std::size_t(std::max(plan_.in_elements(rank_), plan_.out_elements(rank_))) + 1);
    for (std::int64_t i = 0, n = volume(plan_.in_box(rank_)); i < n; ++i)
      part[std::size_t(i)] = whole[std::size_t(plan_.in_index(rank_, i))];
    return part;
  }

  DistributedPlan const& plan_;
  int rank_;
  DeviceArray<std::complex<T>> in_, out_;
};

class DistributedSplit : public FakeDriver {
 protected:
  template <class T>
  void check(Problem const& problem, int ranks, DistributedSettings const& settings) {
    DistributedPlan const plan(problem, std::vector<Device>(std::size_t(ranks), Device("cuda:0")), settings);
    SCOPED_TRACE(plan.describe() + " by " + name(plan.exchange()));
    EXPECT_TRUE(plan.split());
    std::int64_t points = 1;
    for (std::int64_t const n : in_sizes(problem)) points *= n;
    auto const whole = noise<T>(std::size_t(points));
    std::vector<std::unique_ptr<RankData<T>>> data;
    std::vector<RankArrays> arrays;
    for (int r = 0; r < ranks; ++r) {
      data.push_back(std::make_unique<RankData<T>>(plan, r, whole));
      arrays.push_back({data.back()->in(), data.back()->out(), {}});
    }
    plan.execute(arrays);
    if (problem.placement == Placement::out_of_place) plan.execute(arrays);
    std::vector<std::complex<T>> result(whole.size());
    for (auto const& mine : data) mine->put(result);
    EXPECT_LT(distance(on_cpu<T>(problem, whole), result), sizeof(T) == 4 ? 1e-6 : 1e-14);
  }
};

/// Links that take no time, so that sharing the work always pays.
char const* const free_links = "links free ranks_per_node 64 node 0 1e18 network 0 1e18";

TEST_F(DistributedSplit, EveryExchangeInEveryOrder) {
  for (ExchangeMethod const method : {ExchangeMethod::fused, ExchangeMethod::swap, ExchangeMethod::direct,
                                      ExchangeMethod::staged, ExchangeMethod::host})
    for (auto const& [in, out] : {std::pair{natural, natural}, {natural, permuted}, {permuted, natural}}) {
      DistributedSettings settings;
      settings.exchange = method;
      settings.in_order = in;
      settings.out_order = out;
      settings.links = free_links;
      check<float>(c2c({4096}), 4, settings);
    }
}

TEST_F(DistributedSplit, UnevenPartsPiecesBatchesAndBothPrecisions) {
  for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::direct}) {
    DistributedSettings settings;
    settings.exchange = method;
    settings.pieces = 3;
    settings.out_order = permuted;
    check<double>(c2c({210}, 1, Precision::f64, Direction::inverse), 4, settings);
    check<float>(in_place(c2c({1000})), 3, settings);
    settings.in_order = permuted;
    settings.out_order = natural;
    check<float>(c2c({600}, 2), 5, settings);
  }
}

TEST_F(DistributedSplit, NaturalOrderOfABatchAndOfALongAxisBesideAShortOne) {
  DistributedSettings settings;
  settings.links = free_links;
  check<float>(c2c({7200, 2}, 1, Precision::f32, Direction::inverse), 6, settings);
  settings.in = bricks({2, 4096}, {1, 8}, 8);
  check<float>(c2c({4096}, 2), 8, settings);
}

TEST_F(DistributedSplit, BoxesOfAnyLength) {
  for (ExchangeMethod const method :
       {ExchangeMethod::automatic, ExchangeMethod::fused, ExchangeMethod::direct, ExchangeMethod::host}) {
    DistributedSettings settings;
    settings.exchange = method;
    settings.links = free_links;
    settings.in = slabs({1000}, 7);
    std::swap(settings.in[2], settings.in[5]);
    check<float>(c2c({1000}), 7, settings);
    check<float>(in_place(c2c({1000}, 1, Precision::f32, Direction::inverse)), 7, settings);
    settings.out_order = permuted;
    check<float>(c2c({1000}), 7, settings);
  }
}

/// Reals there and back, with a spectrum that stays permuted along the axis that is not halved.
TEST_F(DistributedSplit, RealsBesideTheSplitAxis) {
  std::vector<Device> const devices(5, Device("cuda:0"));
  DistributedSettings out, in;
  out.out_order = in.in_order = permuted;
  Problem inverse = c2r({120, 4});
  inverse.scale = 1.0 / 480;
  DistributedPlan const there(r2c({120, 4}), devices, out), back(inverse, devices, in);
  EXPECT_TRUE(there.split() && back.split());
  std::vector<std::unique_ptr<DeviceArray<float>>> ins, outs;
  std::vector<std::unique_ptr<DeviceArray<std::complex<float>>>> spectra;
  std::vector<RankArrays> first, second;
  for (int r = 0; r < 5; ++r) {
    std::vector<float> x(std::size_t(there.in_elements(r)) + 1);
    for (std::int64_t i = 0; i < there.in_elements(r); ++i)
      x[std::size_t(i)] = std::sin(float(there.in_index(r, i)));
    ins.push_back(std::make_unique<DeviceArray<float>>(x));
    outs.push_back(std::make_unique<DeviceArray<float>>(std::size_t(back.out_elements(r)) + 1));
    spectra.push_back(
        std::make_unique<DeviceArray<std::complex<float>>>(std::size_t(there.out_elements(r)) + 1));
    first.push_back({ins.back()->data(), spectra.back()->data(), {}});
    second.push_back({spectra.back()->data(), outs.back()->data(), {}});
  }
  there.execute(first);
  back.execute(second);
  for (int r = 0; r < 5; ++r) {
    auto const y = outs[std::size_t(r)]->values();
    for (std::int64_t i = 0; i < back.out_elements(r); ++i)
      EXPECT_NEAR(y[std::size_t(i)], std::sin(float(back.out_index(r, i))), 1e-5);
  }
}

TEST_F(DistributedSplit, RanksWithCommunicatorsThereAndBack) {
  for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::messages}) {
    auto const whole = noise<double>(1024);
    std::vector<std::complex<double>> result(whole.size());
    auto const communicators = thread_communicators(2, std::chrono::seconds(60));
    std::vector<std::thread> threads;
    for (int r : {0, 1})
      threads.emplace_back([&, r] {
        void* context = nullptr;
        cuDevicePrimaryCtxRetain(&context, 0);
        cuCtxPushCurrent_v2(context);
        {
          DistributedSettings out, in;
          out.device = in.device = Device("cuda:0");
          out.exchange = in.exchange = method;
          out.out_order = in.in_order = permuted;
          Problem inverse = c2c({1024}, 1, Precision::f64, Direction::inverse);
          inverse.scale = 1.0 / 1024;
          DistributedPlan const there(c2c({1024}, 1, Precision::f64), communicators[std::size_t(r)], out);
          DistributedPlan const back(inverse, communicators[std::size_t(r)], in);
          EXPECT_EQ(there.out_box(), back.in_box());
          RankData<double> data(there, r, whole), ends(back, r, whole);
          there.execute(untyped(data.in()), untyped(data.out()));
          back.execute(untyped(data.out()), untyped(ends.out()));
          ends.put(result);
        }
        cuCtxPopCurrent_v2(&context);
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_LT(distance(whole, result), 1e-14);
  }
}

}  // namespace
}  // namespace skipper::testing
