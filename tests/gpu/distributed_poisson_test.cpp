// Poisson problems over ranks on the fake driver's devices: every exchange gives what one rank on the CPU gives.
#include <skipper/distributed_poisson.h>

#include <atomic>
#include <thread>

#include "gpu/fake_driver/fixture.h"
#include "support/poisson_problems.h"
#include "support/quick.h"

namespace skipper::testing {
namespace {

std::vector<ExchangeMethod> const methods = {ExchangeMethod::fused, ExchangeMethod::swap,
                                             ExchangeMethod::direct, ExchangeMethod::staged,
                                             ExchangeMethod::host};

std::vector<Device> devices_of(int ranks) {
  return std::vector<Device>(std::size_t(ranks), Device("cuda:0"));
}

template <class T>
std::vector<T> part_of(std::vector<T> const& whole, Box const& box, std::vector<Index> const& sizes) {
  std::vector<T> part(std::size_t(distributed::volume(box)) + 1);  // an array of nothing cannot be allocated
  each_element(box, sizes, [&](std::size_t here, std::size_t there) { part[here] = whole[there]; });
  return part;
}

template <class T>
std::vector<Faces<T>> faces_beside(std::vector<Faces<T>> faces, std::vector<Index> const& sizes,
                                   Box const& box) {
  for (std::size_t a = 0; a < faces.size(); ++a) {
    faces[a].low = beside(faces[a].low, sizes, box, a);
    faces[a].high = beside(faces[a].high, sizes, box, a);
  }
  return faces;
}

/// A solution of the CPU on one rank, to hold others to.
template <class T>
struct Expected {
  std::vector<T> phi;
  double defect = 0;

  Expected(PoissonProblem const& p, Input<T> const& input) : phi(input.f.size()) {
    defect = Poisson(p).solve(input.f.data(), phi.data(), {.faces = input.faces}).defect;
  }
  void expect(std::vector<T> const& result, double found) const {
    EXPECT_NEAR(found, defect, (sizeof(T) == 8 ? 1e-13 : 1e-5) * (1 + std::fabs(defect)));
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
      difference += std::pow(double(result[i]) - double(phi[i]), 2);
      size += std::pow(double(phi[i]), 2);
    }
    EXPECT_LT(std::sqrt(difference / std::max(size, 1e-300)), sizeof(T) == 8 ? 1e-12 : 2e-5);
  }
};

struct Given {
  bool workspace = false, streams = false, one_array = false;
};

class PoissonOverGpus : public FakeDriver {
 protected:
  template <class T>
  void check(PoissonProblem const& p, int ranks, DistributedSettings const& settings, std::mt19937& random,
             Given given = {}) {
    Input<T> const input = random_input<T>(p, random, p.symbols == Symbols::second_order);
    Expected<T> const expected(p, input);
    std::vector<Index> const sizes = sizes_of(p);
    DistributedPoisson const poisson(p, devices_of(ranks), settings);
    SCOPED_TRACE(poisson.describe());
    std::vector<std::unique_ptr<DeviceArray<T>>> fs, phis, works;
    std::vector<PoissonArrays<T>> arrays;
    for (int r = 0; r < ranks; ++r) {
      auto& f =
          *fs.emplace_back(std::make_unique<DeviceArray<T>>(part_of(input.f, poisson.in_box(r), sizes)));
      auto& phi =
          *phis.emplace_back(std::make_unique<DeviceArray<T>>(std::size_t(poisson.out_elements(r)) + 1));
      PoissonArrays<T> mine{f.data(), phi.data(), faces_beside(input.faces, sizes, poisson.in_box(r)), {}};
      if (given.one_array) mine.phi = f.data();
      if (given.workspace && poisson.workspace_bytes(r) > 0)
        mine.settings.workspace = works
                                      .emplace_back(std::make_unique<DeviceArray<T>>(
                                          std::size_t(poisson.workspace_bytes(r)) / sizeof(T)))
                                      ->data();
      if (given.streams) cuStreamCreate(&mine.settings.stream, 1);
      arrays.push_back(mine);
    }
    for (int repeat = 0; repeat < (given.one_array ? 1 : 2); ++repeat) {
      std::vector<T> result(input.f.size());
      double const defect = poisson.solve(arrays).defect;
      for (int r = 0; r < ranks; ++r) {
        std::vector<T> const part = (given.one_array ? fs : phis)[std::size_t(r)]->values();
        each_element(poisson.out_box(r), sizes,
                     [&](std::size_t here, std::size_t there) { result[there] = part[here]; });
      }
      expected.expect(result, defect);
    }
    for (PoissonArrays<T> const& mine : arrays)
      if (mine.settings.stream) cuStreamDestroy_v2(mine.settings.stream);
  }

  void check(PoissonProblem const& p, int ranks, DistributedSettings const& settings, std::mt19937& random,
             Given given = {}) {
    SCOPED_TRACE(text_of(p) + " over " + std::to_string(ranks) + " by " + name(settings.exchange));
    if (p.precision == Precision::f64)
      check<double>(p, ranks, settings, random, given);
    else
      check<float>(p, ranks, settings, random, given);
  }
};

/// Uneven slabs of any axis, each axis swept by turns.
TEST_F(PoissonOverGpus, EveryMixOfBoundaries) {
  std::mt19937 random(3);
  ExchangeMethod const taken[] = {ExchangeMethod::automatic, ExchangeMethod::direct, ExchangeMethod::host,
                                  ExchangeMethod::staged};
  for (int mix = 0; mix < 27; ++mix)
    for (int swept = -1; swept < 3; ++swept) {
      std::size_t const number = std::size_t(mix) * 4 + std::size_t(swept + 1);
      if (!takes(number, 11)) continue;
      PoissonProblem p = mixed({7, 6, 9}, mix, swept);
      p.precision = number % 2 ? Precision::f64 : Precision::f32;
      p.zero_mode = number % 3 ? ZeroMode::zero_mean : ZeroMode::pin;
      int const ranks = 1 + int(random() % 4);
      DistributedSettings settings;
      settings.exchange = taken[random() % 4];
      settings.in = slabs(sizes_of(p), ranks, random() % 3);
      check(p, ranks, settings, random);
    }
}

TEST_F(PoissonOverGpus, EveryExchange) {
  std::mt19937 random(5);
  for (ExchangeMethod const method : methods) {
    DistributedSettings settings;
    settings.exchange = method;
    PoissonProblem p;
    p.axes = {{8}, {8}, axis(8, Boundary::neumann, Boundary::neumann)};
    check(p, 4, settings, random);
    p.axes[0] = axis(8, Boundary::neumann, Boundary::dirichlet, Centring::cell, true);
    check(p, 2, settings, random);
    p.precision = Precision::f64;
    p.axes[1] = axis(8, Boundary::dirichlet, Boundary::dirichlet, Centring::node);
    check(p, 2, settings, random);
  }
}

/// Nodes and cells, stretched grids, shifts, spectral symbols, boxes of any sort, one to three axes.
TEST_F(PoissonOverGpus, RandomProblemsAndBoxes) {
  std::mt19937 random(7);
  for (int i = 0, all = quick() ? 8 : 60; i < all; ++i) {
    PoissonProblem const p = random_problem(random);
    int const ranks = 1 + int(random() % 4);
    DistributedSettings settings;
    settings.exchange = random() % 2 ? ExchangeMethod::direct : ExchangeMethod::automatic;
    settings.pieces = int(random() % 4);
    settings.any_output = random() % 4 == 0;
    if (random() % 2) settings.in = random_bricks(sizes_of(p), ranks, random);
    if (random() % 3 == 0) settings.out = random_bricks(sizes_of(p), ranks, random);
    check(p, ranks, settings, random);
  }
}

TEST_F(PoissonOverGpus, PiecesStreamsWorkspaceAndOneArray) {
  std::mt19937 random(11);
  std::size_t number = 0;
  for (ExchangeMethod const method :
       {ExchangeMethod::automatic, ExchangeMethod::direct, ExchangeMethod::host})
    for (int const pieces : {1, 3}) {
      ++number;  // with SKIPPER_QUICK=1 in one array, then in two
      for (bool const one_array : {false, true}) {
        if (!takes(number++, 2)) continue;
        DistributedSettings settings;
        settings.exchange = method;
        settings.pieces = pieces;
        settings.gpu.streams = 1 + pieces % 2;
        PoissonProblem p;
        p.axes = {{9}, {8}, axis(6, Boundary::dirichlet, Boundary::neumann)};
        check(p, 3, settings, random, {true, true, one_array});
        p.axes[0] = axis(9, Boundary::neumann, Boundary::neumann, Centring::node, true);
        check(p, 3, settings, random, {true, true, one_array});
        // Pieces of one plane of reals, every other one at an odd place.
        for (int const mix : {13, 26, 16}) {
          if (quick() && mix != 26) continue;
          check(mixed({9, 7, 5}, mix, -1), 3, settings, random);
          check(mixed({9, 5, 7}, mix, 1), 3, settings, random);
        }
      }
    }
}

TEST_F(PoissonOverGpus, DevicesThatDoNotReachEachOtherGoByTheHost) {
  std::mt19937 random(19);
  for (bool const apart : {false, true}) {
    if (apart) fake_driver::part_devices();
    PoissonProblem p;
    p.axes = {{8}, axis(6, Boundary::neumann, Boundary::neumann), {10}};
    Input<float> const input = random_input<float>(p, random, true);
    Expected<float> const expected(p, input);
    std::vector<Index> const sizes = sizes_of(p);
    DistributedPoisson const poisson(p, {Device("cuda:0"), Device("cuda:1")});
    EXPECT_EQ(poisson.exchange(), apart ? ExchangeMethod::host : ExchangeMethod::fused);
    std::vector<std::unique_ptr<DeviceArray<float>>> held;
    std::vector<PoissonArrays<float>> arrays;
    auto const on_device = [](int device, auto&& body) {
      void* context = nullptr;
      cuDevicePrimaryCtxRetain(&context, device);
      cuCtxPushCurrent_v2(context);
      body();
      cuCtxPopCurrent_v2(&context);
    };
    for (int r : {0, 1})
      on_device(r, [&] {
        auto& f = *held.emplace_back(
            std::make_unique<DeviceArray<float>>(part_of(input.f, poisson.in_box(r), sizes)));
        arrays.push_back({f.data(), f.data(), faces_beside(input.faces, sizes, poisson.in_box(r)), {}});
      });
    double const defect = poisson.solve(arrays).defect;
    std::vector<float> result(input.f.size());
    for (int r : {0, 1})
      on_device(r, [&] {
        std::vector<float> const part = held[std::size_t(r)]->values();
        each_element(poisson.out_box(r), sizes,
                     [&](std::size_t here, std::size_t there) { result[there] = part[here]; });
        held[std::size_t(r)].reset();
      });
    expected.expect(result, defect);
  }
}

/// Columns along the middle axis that a block holds, and longer ones.
TEST_F(PoissonOverGpus, LongMiddleAxes) {
  std::mt19937 random(17);
  for (Index const n : quick() ? std::vector<Index>{256} : std::vector<Index>{256, 8192})
    for (ExchangeMethod const method : {ExchangeMethod::fused, ExchangeMethod::direct}) {
      DistributedSettings settings;
      settings.exchange = method;
      PoissonProblem p;
      p.axes = {{n}, {2}, {2}};
      check(p, 2, settings, random);
      p.axes[0] = axis(n, Boundary::neumann, Boundary::neumann);
      p.precision = Precision::f64;
      if (n < 1000) check(p, 2, settings, random);
    }
}

/// Transforms of planes, the middle and planes again, on each rank: a sweep each, and nothing is packed.
TEST_F(PoissonOverGpus, AFusedSolveIsThreeSweeps) {
  for (bool const periodic : {true, false}) {
    PoissonProblem p;
    p.axes = {axis(8, Boundary::dirichlet, Boundary::dirichlet), {8}, {8}};
    if (periodic) p.axes[0] = {8};
    DistributedSettings settings;
    settings.exchange = ExchangeMethod::fused;
    DistributedPoisson const poisson(p, devices_of(2), settings);
    DeviceArray<float> first(std::vector<float>(256, 1)), second(std::vector<float>(256, 2));
    std::vector<PoissonArrays<float>> const arrays = {{first.data(), first.data()},
                                                      {second.data(), second.data()}};
    poisson.solve(arrays);
    EXPECT_EQ(cuCtxSynchronize(), 0);
    int const before = fake_driver::kernels_run();
    poisson.solve(arrays);
    EXPECT_EQ(cuCtxSynchronize(), 0);
    EXPECT_EQ(fake_driver::kernels_run() - before, 6) << poisson.describe();
  }
}

TEST_F(PoissonOverGpus, SlabsTakeTwoExchanges) {
  for (int mix = 0; mix < 27; ++mix) {
    if (!takes(std::size_t(mix), 9)) continue;
    PoissonProblem const p = mixed({8, 6, 10}, mix, mix % 4 - 1);
    for (std::size_t cut = 0; cut < 3; ++cut) {
      DistributedSettings settings;
      settings.in = slabs(sizes_of(p), 2, cut);
      EXPECT_EQ(DistributedPoisson(p, devices_of(2), settings).exchanges(), 2) << text_of(p) << " " << cut;
    }
  }
}

/// Counts what a solve does with its ranks.
class Counting final : public Communicator {
 public:
  explicit Counting(std::shared_ptr<Communicator> ranks) : ranks_(std::move(ranks)) {}
  int rank() const override { return ranks_->rank(); }
  int size() const override { return ranks_->size(); }
  int ranks_per_node() const override { return ranks_->ranks_per_node(); }
  std::unique_ptr<Window> allocate(std::size_t bytes) override { return ranks_->allocate(bytes); }
  void receive(Message const& message) override { ranks_->receive(message); }
  void send(Message const& message) override {
    ++sent;
    sent_bytes += Index(message.bytes);
    ranks_->send(message);
  }
  void wait() override { ranks_->wait(); }
  void all_gather(void const* mine, void* all, std::size_t bytes) override {
    ranks_->all_gather(mine, all, bytes);
  }
  void barrier() override {
    ++barriers;
    ranks_->barrier();
  }
  void fail(std::string const& reason) noexcept override { ranks_->fail(reason); }

  Index barriers = 0, sent = 0, sent_bytes = 0;

 private:
  std::shared_ptr<Communicator> ranks_;
};

/// body(rank, communicator) on a thread a rank, each with its device, as processes would have them; what they threw.
template <class Body>
std::vector<std::string> on_ranks(int ranks, Body const& body) {
  auto const communicators = thread_communicators(ranks, std::chrono::seconds(60));
  std::vector<std::string> errors(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      void* context = nullptr;
      cuDevicePrimaryCtxRetain(&context, r % 2);
      cuCtxPushCurrent_v2(context);
      try {
        body(r, std::make_shared<Counting>(communicators[std::size_t(r)]));
      } catch (std::exception const& e) {
        errors[std::size_t(r)] = e.what();
      }
      cuCtxPopCurrent_v2(&context);
    });
  for (std::thread& thread : threads) thread.join();
  return errors;
}

DistributedSettings on_device_of(int rank, ExchangeMethod method = ExchangeMethod::automatic) {
  DistributedSettings settings;
  settings.device = Device("cuda:" + std::to_string(rank % 2));
  settings.exchange = method;
  return settings;
}

template <class T>
void check_ranks(PoissonProblem const& p, int ranks, ExchangeMethod method, std::mt19937& random) {
  SCOPED_TRACE(text_of(p) + " over " + std::to_string(ranks) + " by " + name(method));
  Input<T> const input = random_input<T>(p, random, true);
  Expected<T> const expected(p, input);
  std::vector<Index> const sizes = sizes_of(p);
  std::vector<T> result(input.f.size());
  std::vector<double> defects(static_cast<std::size_t>(ranks));
  auto const errors = on_ranks(ranks, [&](int r, std::shared_ptr<Counting> const& counting) {
    DistributedPoisson const poisson(p, counting, on_device_of(r, method));
    DeviceArray<T> f(part_of(input.f, poisson.in_box(), sizes)), phi(std::size_t(poisson.out_elements()) + 1);
    auto const faces = faces_beside(input.faces, sizes, poisson.in_box());
    poisson.solve(f.data(), phi.data(), {.faces = faces});
    counting->barriers = counting->sent = counting->sent_bytes = 0;
    defects[std::size_t(r)] = poisson.solve(f.data(), phi.data(), {.faces = faces}).defect;
    // All ranks meet before the first exchange and behind each, and before parts are swapped.
    EXPECT_EQ(poisson.exchanges(), 2);
    EXPECT_EQ(counting->barriers, method == ExchangeMethod::swap ? 5 : 3);
    if (method == ExchangeMethod::messages) {
      EXPECT_EQ(counting->sent_bytes, poisson.sent_bytes());
      EXPECT_GE(counting->sent, 2 * (ranks - 1));
    }
    std::vector<T> const part = phi.values();
    each_element(poisson.out_box(), sizes,
                 [&](std::size_t here, std::size_t there) { result[there] = part[here]; });
  });
  for (std::string const& e : errors) EXPECT_EQ(e, "");
  for (double const defect : defects) EXPECT_EQ(defect, defects[0]);
  expected.expect(result, defects[0]);
}

TEST_F(PoissonOverGpus, RanksWithCommunicators) {
  std::mt19937 random(13);
  std::size_t number = 0;
  Boundary const n = Boundary::neumann;
  for (ExchangeMethod const method :
       {ExchangeMethod::automatic, ExchangeMethod::direct, ExchangeMethod::swap, ExchangeMethod::messages})
    for (int const ranks : {2, 4})
      for (bool const swept : {false, true}) {
        PoissonProblem p;
        p.axes = {axis(8, n, n, Centring::cell, swept), {8}, axis(8, n, n)};
        p.zero_mode = swept ? ZeroMode::pin : ZeroMode::zero_mean;
        if (takes(number++, 2)) check_ranks<float>(p, ranks, method, random);
        p.precision = Precision::f64;
        if (takes(number++, 2)) check_ranks<double>(p, ranks, method, random);
        ++number;  // with SKIPPER_QUICK=1 the other precision is next
      }
}

TEST_F(PoissonOverGpus, AllRanksHearThatThereIsNoSolutionAndGoOn) {
  for (bool const swept : {false, true}) {
    PoissonProblem p;
    p.precision = Precision::f64;
    p.zero_mode = ZeroMode::error;
    p.axes = {axis(9, Boundary::neumann, Boundary::neumann, Centring::node, swept), {8}};
    std::vector<std::string> told(3);
    std::vector<double> sums(3);
    auto const errors = on_ranks(3, [&](int r, std::shared_ptr<Counting> const& counting) {
      DistributedPoisson const poisson(p, counting, on_device_of(r));
      std::size_t const n = std::size_t(poisson.in_elements());
      DeviceArray<double> ones(std::vector<double>(n, 1.0)), phi(std::vector<double>(n, 7.0));
      try {
        poisson.solve(ones.data(), phi.data());
      } catch (Error const& e) {
        told[std::size_t(r)] = e.what();
      }
      for (double const x : phi.values()) EXPECT_EQ(x, 7.0);
      std::vector<double> waves(n);
      for (std::size_t i = 0; i < n; ++i) waves[i] = i % 8 < 4 ? 1 : -1;
      DeviceArray<double> f(waves);
      poisson.solve(f.data(), phi.data());
      for (double const x : phi.values()) EXPECT_NE(x, 7.0);
      for (double const x : phi.values()) sums[std::size_t(r)] += x;
    });
    for (std::string const& e : errors) EXPECT_EQ(e, "");
    for (std::string const& e : told) EXPECT_NE(e.find("f: has the mean 1 "), std::string::npos) << e;
    EXPECT_LT(std::fabs(sums[0] + sums[1] + sums[2]), 1e-12);
  }
}

TEST_F(PoissonOverGpus, NothingIsAllocatedWithWorkspace) {
  for (ExchangeMethod const method : methods)
    for (bool const swept : {false, true}) {
      DistributedSettings settings;
      settings.exchange = method;
      PoissonProblem p;
      p.axes = {axis(8, Boundary::dirichlet, Boundary::neumann, Centring::cell, swept), {8}, {8}};
      DistributedPoisson const poisson(p, devices_of(2), settings);
      std::vector<std::unique_ptr<DeviceArray<float>>> held;
      std::vector<PoissonArrays<float>> arrays;
      for (int r : {0, 1}) {
        held.push_back(std::make_unique<DeviceArray<float>>(
            std::vector<float>(std::size_t(poisson.in_elements(r)), float(r))));
        for (Index const n : {poisson.out_elements(r), poisson.workspace_bytes(r) / 4 + 1})
          held.push_back(std::make_unique<DeviceArray<float>>(std::size_t(n)));
        std::size_t const first = held.size() - 3;
        arrays.push_back(
            {held[first]->data(), held[first + 1]->data(), {}, {.workspace = held[first + 2]->data()}});
      }
      poisson.solve(arrays);
      int const before = fake_driver::allocations();
      poisson.solve(arrays);
      poisson.solve(arrays);
      EXPECT_EQ(fake_driver::allocations(), before) << name(method);
    }
}

/// What argument an Error names; "none" where nothing is thrown.
template <class Body>
std::string refused(Body const& body) {
  try {
    body();
  } catch (Error const& e) {
    return e.argument();
  }
  return "none";
}

TEST_F(PoissonOverGpus, WrongUseIsRefused) {
  PoissonProblem p;
  p.axes = {{8}, {6}};
  EXPECT_EQ(refused([&] { DistributedPoisson(p, std::vector<Device>{}); }), "devices");
  EXPECT_EQ(refused([&] { DistributedPoisson(p, {Device("cpu")}); }), "devices");
  EXPECT_EQ(refused([&] { DistributedPoisson(p, devices_of(2), {.in = slabs({8, 6}, 3)}); }), "in");
  EXPECT_EQ(refused([&] { DistributedPoisson(p, devices_of(2), {.device = Device("cuda:0")}); }), "device");
  EXPECT_EQ(refused([&] {
              DistributedPlan(c2c({8, 8}), devices_of(2), {.device = Device("cuda:0")});
            }),
            "device");
  p.shift = 4 * M_PI * M_PI;
  p.symbols = Symbols::spectral;
  EXPECT_EQ(refused([&] { DistributedPoisson(p, devices_of(2)); }), "shift");
  p.shift = 0;
  DistributedPoisson const poisson(p, devices_of(2));
  DeviceArray<float> f(std::vector<float>(24)), phi(std::vector<float>(24));
  std::vector<float> host(24);
  auto const solve = [&](std::vector<PoissonArrays<float>> const& arrays) {
    return refused([&] { poisson.solve(arrays); });
  };
  EXPECT_EQ(solve({{f.data(), phi.data()}}), "ranks");
  EXPECT_EQ(solve({{f.data(), phi.data()}, {nullptr, phi.data()}}), "f");
  EXPECT_EQ(solve({{f.data(), phi.data()}, {f.data(), nullptr}}), "phi");
  EXPECT_EQ(solve({{f.data(), phi.data()}, {host.data(), phi.data()}}), "f");
  EXPECT_EQ(solve({{f.data(), phi.data(), {{}}}, {f.data(), phi.data()}}), "faces");
  EXPECT_EQ(refused([&] { poisson.solve(f.data(), phi.data()); }), "ranks");
  EXPECT_EQ(refused([&] { poisson.solve(std::vector<PoissonArrays<double>>(2)); }), "f");
  EXPECT_EQ(refused([&] { poisson.workspace_bytes(2); }), "rank");
}

TEST_F(PoissonOverGpus, ARankThatFailsEndsTheOthers) {
  PoissonProblem p;
  p.axes = {{9}, {8}};
  auto const errors = on_ranks(3, [&](int r, std::shared_ptr<Counting> const& counting) {
    DistributedPoisson const poisson(p, counting, on_device_of(r));
    DeviceArray<float> f(std::size_t(poisson.in_elements())), phi(std::size_t(poisson.out_elements()));
    poisson.solve(r == 1 ? nullptr : f.data(), phi.data());
  });
  EXPECT_NE(errors[1].find("f: is a null pointer"), std::string::npos) << errors[1];
  for (std::size_t r : {0, 2}) EXPECT_NE(errors[r].find("rank 1 failed"), std::string::npos) << errors[r];
}

}  // namespace
}  // namespace skipper::testing
