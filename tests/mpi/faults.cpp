// mpirun -n N test_mpi_faults: what ranks are told where one of them is at fault: another problem, boxes that do not fit, a refusal
// while the others wait, memory that it cannot have. All processes live on.
#include <skipper/mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <complex>
#include <csignal>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "check.h"
#include "support/untyped.h"

namespace {

using namespace skipper;
using Complexes = std::vector<std::complex<float>>;

std::string number(int value) { return std::to_string(value); }

/// Runs body(communicator, whether this rank, the last, is at fault) on a communicator of its own; every rank must end soon, with
/// an Error whose message has all these words.
void expect_told(std::string const& fault, std::vector<std::string> const& at_fault,
                 std::vector<std::string> const& others,
                 std::function<void(std::shared_ptr<Communicator> const&, bool)> const& body) {
  auto const communicator = mpi_communicator(MPI_COMM_WORLD, std::chrono::seconds(30));
  bool const is_at_fault = communicator->rank() == communicator->size() - 1;
  auto const begin = std::chrono::steady_clock::now();
  std::string told = "nothing";
  try {
    body(communicator, is_at_fault);
  } catch (std::exception const& e) {
    told = e.what();
  }
  for (std::string const& word : is_at_fault ? at_fault : others)
    expect(told.find(word) != std::string::npos, fault + ": '" + word + "' is not in '" + told + "'");
  expect(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20), fault + ": took 20 s to end");
  MPI_Barrier(MPI_COMM_WORLD);
}

void expect_disagreement(std::string const& field, Problem const& other,
                         DistributedSettings const& settings) {
  int last = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &last);
  --last;
  std::vector<std::string> const told = {field, "rank 0", "rank " + number(last)};
  expect_told("another " + field, told, told, [&](auto const& communicator, bool at_fault) {
    if (at_fault)
      DistributedPlan(other, communicator, settings);
    else
      DistributedPlan(c2c({8, 6}, 2), communicator);
  });
}

void disagreements() {
  Problem const same = c2c({8, 6}, 2);
  Problem scaled = same;
  scaled.scale = 1 + 1e-12;
  expect_disagreement("kind", r2c({8, 6}, 2), {});
  expect_disagreement("precision", c2c({8, 6}, 2, Precision::f64), {});
  expect_disagreement("direction", c2c({8, 6}, 2, Precision::f32, Direction::inverse), {});
  expect_disagreement("axes", c2c({8, 5}, 2), {});
  expect_disagreement("batch", c2c({8, 6}, 3), {});
  expect_disagreement("scale", scaled, {});
  expect_disagreement("placement", in_place(same), {});
  expect_disagreement("any_output", same, {.any_output = true});
  expect_disagreement("exchange", same, {.exchange = ExchangeMethod::messages});
  expect_disagreement("pieces", same, {.pieces = 5});
  expect_disagreement("program", same,
                      {.program = "c2c f32 forward 8x6 batch 2 over 1 ranks\ngrid 1x1x1 axes 0,1"});
}

/// Each rank gives its own box; that of the last is moved or emptied.
void wrong_boxes(int ranks) {
  auto const given = [&](Box const& wrong, bool input) {
    return [=](std::shared_ptr<Communicator> const& communicator, bool at_fault) {
      DistributedSettings settings;
      std::vector<Box> const all = slabs({12, 10}, communicator->size());
      Box const& own = at_fault ? wrong : all[std::size_t(communicator->rank())];
      (input ? settings.in : settings.out) = std::vector<Box>(1, own);
      DistributedPlan(c2c({12, 10}), communicator, settings);
    };
  };
  for (bool const input : {true, false}) {
    std::string const argument = input ? "in: " : "out: ";
    std::vector<std::string> const both = {argument, "ranks 0 and " + number(ranks - 1)};
    std::vector<std::string> const missing = {argument, "of 120 elements"};
    std::vector<std::string> const outside = {"[" + number(ranks - 1) + "]", "indices 0 to 11"};
    expect_told("boxes that overlap", both, both, given({{0, 0}, {2, 10}}, input));
    expect_told("a box that is missing", missing, missing, given({{0, 0}, {0, 0}}, input));
    expect_told("a box outside", outside, outside, given({{11, 0}, {2, 10}}, input));
  }
}

/// A rank refuses, or throws something of its own and says so, while others are in execute().
void refusals(int ranks) {
  std::string const by = "rank " + number(ranks - 1) + " failed: ";
  auto method = ExchangeMethod::automatic;
  auto const execute = [&](std::shared_ptr<Communicator> const& communicator, bool null) {
    DistributedPlan const plan(c2c({256, 300}), communicator, {.exchange = method});
    Complexes in(std::size_t(plan.in_elements())), out(std::size_t(plan.out_elements()));
    plan.execute(skipper::testing::untyped(in.data()),
                 skipper::testing::untyped(null ? nullptr : out.data()));
  };
  for (ExchangeMethod const m : {ExchangeMethod::messages, ExchangeMethod::automatic}) {
    method = m;
    expect_told("a null pointer", {"out: is a null pointer"}, {by + "out: is a null pointer"}, execute);
  }
  expect_told("an exception of the caller", {"no more"}, {by + "no more"},
              [&](std::shared_ptr<Communicator> const& communicator, bool at_fault) {
                if (!at_fault) return execute(communicator, false);
                communicator->fail("no more");
                throw std::runtime_error("no more");
              });
  expect_told("a dead communicator", {by + "once"}, {by + "once"},
              [&](std::shared_ptr<Communicator> const& communicator, bool at_fault) {
                if (at_fault) communicator->fail("once");
                for (int tries = 0; tries < 2; ++tries) try {
                    execute(communicator, false);
                  } catch (Error const&) {
                  }
                execute(communicator, false);
              });
}

/// While it lives the rank has a limit on a resource.
class Limited {
 public:
  Limited(decltype(RLIMIT_AS) resource, rlim_t most) : resource_(resource) {
    getrlimit(resource_, &before_);
    rlimit limit = before_;
    limit.rlim_cur = most;
    setrlimit(resource_, &limit);
  }
  ~Limited() { setrlimit(resource_, &before_); }

 private:
  decltype(RLIMIT_AS) resource_;
  rlimit before_ = {};
};

void lacking_memory(int ranks) {
  std::string const last = "rank " + number(ranks - 1);
  auto const address_space = [] {  // in use, in bytes
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE));
  };
  for (ExchangeMethod const method : {ExchangeMethod::automatic, ExchangeMethod::messages})
    expect_told(
        "memory that a rank lacks", {last, "memory"}, {last, "memory"},
        [&](std::shared_ptr<Communicator> const& communicator, bool at_fault) {
          std::unique_ptr<Limited> limited;
          if (at_fault) limited = std::make_unique<Limited>(RLIMIT_AS, address_space() + (8 << 20));
          DistributedPlan(c2c({128, 128, 128}, 1, Precision::f64), communicator, {.exchange = method});
        });
}

/// Where one rank is refused shared memory all send messages, and the result is right: that of ones is one number.
void refused_shared_memory() {
  auto const communicator = mpi_communicator(MPI_COMM_WORLD, std::chrono::seconds(30));
  bool const at_fault = communicator->rank() == communicator->size() - 1;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that would be too long is an error, not a signal
  std::unique_ptr<Limited> limited;
  if (at_fault) limited = std::make_unique<Limited>(RLIMIT_FSIZE, 4096);
  DistributedPlan const plan(c2c({32, 24, 16}), communicator);
  limited.reset();
  Complexes const in(std::size_t(plan.in_elements()), 1.0f);
  Complexes out(std::size_t(plan.out_elements()));
  plan.execute(skipper::testing::untyped(in.data()), skipper::testing::untyped(out.data()));
  double most = 0;
  each_element(plan.out_box(), out_sizes(plan.problem()), [&](std::int64_t here, std::int64_t there) {
    most = std::max(most, double(std::abs(out[std::size_t(here)] - (there == 0 ? 12288.0f : 0.0f))));
  });
  expect(most < 0.01, "without shared memory the result is off by " + std::to_string(most));
  if (communicator->size() == 1) return;
  expect_told("direct without shared memory", {"exchange: is direct"}, {"exchange: is direct"},
              [&](std::shared_ptr<Communicator> const& again, bool last) {
                std::unique_ptr<Limited> limit;
                if (last) limit = std::make_unique<Limited>(RLIMIT_FSIZE, 4096);
                DistributedPlan(c2c({32, 24, 16}), again, {.exchange = ExchangeMethod::direct});
              });
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  try {
    disagreements();
    wrong_boxes(ranks);
    refusals(ranks);
    lacking_memory(ranks);
    refused_shared_memory();
  } catch (std::exception const& e) {
    expect(false, e.what());
  }
  return finish();
}
