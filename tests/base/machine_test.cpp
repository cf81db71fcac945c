// A machine and its text: exact round trips, and refusals that say what is wrong and what to do.
#include "base/machine.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <cmath>
#include <limits>
#include <random>

namespace skipper {
namespace {

std::string refusal(std::string const& text_or_name) {
  try {
    machine(text_or_name);
  } catch (Error const& error) {
    EXPECT_EQ(error.argument(), "machine");
    return error.what();
  }
  return "was accepted";
}

void expect_refused(std::string const& line, std::string const& reason) {
  std::string const message = refusal(line);
  EXPECT_NE(message.find(reason), std::string::npos) << line << "\n  gave: " << message;
  for (std::string const& name : machine_names()) {
    EXPECT_NE(message.find(name), std::string::npos) << "the way out is missing " << name;
  }
}

std::string replaced(std::string line, std::string const& from, std::string const& to) {
  auto const at = line.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return line.replace(at, from.size(), to);
}

TEST(Machine, EveryNameIsKnownAndRoundTrips) {
  std::vector<std::string> const expected = {"h200", "h100", "a100", "rtx4090", "xeon-avx512", "neoverse-v2"};
  EXPECT_EQ(machine_names(), expected);
  for (std::string const& name : machine_names()) {
    Machine const m = machine(name);
    EXPECT_EQ(m.name, name);
    EXPECT_EQ(machine(text(m)), m);
    EXPECT_EQ(text(machine(text(m))), text(m));
  }
}

TEST(Machine, TextOfTheH200) {
  EXPECT_EQ(
      text(machine("h200")),
      "machine h200 gpu sm_90 sms 132 threads_block 1024 threads_sm 2048 blocks_sm 32 warp 32 "
      "registers_sm 65536 registers_thread 255 shared_block 232448 shared_sm 233472 shared_reserved 1024 "
      "banks 32 sector_bytes 32 line_bytes 128 vector_bytes 16 cluster 16 l1_bytes 262144 "
      "l2_bytes 62914560 l3_bytes 0 memory_bytes 149250113536 copy_bandwidth 4.24e+12 chunk yes");
}

TEST(Machine, FactsAreConsistent) {
  for (std::string const& name : machine_names()) {
    SCOPED_TRACE(name);
    Machine const m = machine(name);
    EXPECT_GT(m.l1_bytes, 0);
    EXPECT_GT(m.l2_bytes, m.l1_bytes);
    EXPECT_GT(m.memory_bytes, m.l2_bytes + m.l3_bytes);
    EXPECT_EQ(m.line_bytes % m.sector_bytes, 0);
    EXPECT_LE(m.registers_thread, m.registers_sm);
    EXPECT_TRUE(m.chunk);
    if (m.kind == MachineKind::gpu) {
      EXPECT_EQ(m.architecture.substr(0, 3), "sm_");
      EXPECT_EQ(m.shared_block + m.shared_reserved, m.shared_sm);  // one block may take all
      EXPECT_LE(m.shared_sm, m.l1_bytes);
      EXPECT_LE(m.threads_block, m.threads_sm);
      EXPECT_EQ(m.threads_sm % m.warp, 0);
      EXPECT_EQ(m.cluster > 1, m.architecture == "sm_90");
      EXPECT_EQ(m.l3_bytes, 0);
    } else {
      EXPECT_EQ(m.shared_block + m.shared_sm + m.banks, 0);
      EXPECT_EQ(m.cluster, 1);
      EXPECT_EQ(m.warp, 1);
      EXPECT_EQ(m.registers_thread * 4, 32 * m.vector_bytes);  // 32 vector registers
      EXPECT_GT(m.l3_bytes, m.l2_bytes);
    }
  }
  EXPECT_EQ(machine("h200").copy_bandwidth, 4.24e12);
}

TEST(Machine, RandomMachinesRoundTrip) {
  std::mt19937_64 random(5);
  SCOPED_TRACE("seed 5");
  for (int round = 0; round < 300; ++round) {
    auto const number = [&random, round] { return static_cast<Index>(random() >> (1 + round % 62)) + 1; };
    Machine m;
    m.name = std::to_string(number()) + "m";
    m.kind = round % 2 ? MachineKind::cpu : MachineKind::gpu;
    m.architecture = std::to_string(number()) + "-a";
    for (Index Machine::*field :
         {&Machine::sms, &Machine::threads_block, &Machine::threads_sm, &Machine::blocks_sm, &Machine::warp,
          &Machine::registers_sm, &Machine::registers_thread, &Machine::shared_block, &Machine::shared_sm,
          &Machine::shared_reserved, &Machine::banks, &Machine::sector_bytes, &Machine::line_bytes,
          &Machine::vector_bytes, &Machine::cluster, &Machine::l1_bytes, &Machine::l2_bytes,
          &Machine::l3_bytes, &Machine::memory_bytes}) {
      m.*field = number();
    }
    m.copy_bandwidth = std::ldexp(static_cast<double>(number()), -(round % 50));
    m.chunk = round % 3 == 0;
    EXPECT_EQ(machine(text(m)), m);
  }
}

TEST(Machine, KeysMayComeInAnyOrderAndBlanksInAnyNumber) {
  std::string const line = text(machine("a100"));
  std::string const moved = replaced(line, " sms 108", "") + " sms 108";
  EXPECT_EQ(machine(moved), machine("a100"));
  EXPECT_EQ(machine("  " + replaced(line, " sms ", " \t sms\n ") + "\n"), machine("a100"));
  EXPECT_EQ(machine(" a100 "), machine("a100"));
}

TEST(Machine, RefusalsNameTheFaultAndTheWayOut) {
  std::string const line = text(machine("h100"));
  expect_refused("h300", "no machine 'h300'");
  expect_refused("", "empty");
  expect_refused("h100 h200", "no machine 'h100 h200'");
  expect_refused("machine h100", "ends before");
  expect_refused(replaced(line, " gpu ", " tpu "), "'tpu' is neither gpu nor cpu");
  expect_refused(replaced(line, " warp ", " wrap "), "no key 'wrap'");
  expect_refused(replaced(line, " warp 32", ""), "lacks warp");
  expect_refused(replaced(replaced(line, " warp 32", ""), " chunk yes", ""), "lacks warp, chunk");
  expect_refused(line + " warp 32", "'warp' is given twice");
  expect_refused(line + " warp", "'warp' has no value");
  expect_refused(replaced(line, "warp 32", "warp 32x"), "'32x' is not a number that warp can have");
  expect_refused(replaced(line, "warp 32", "warp 3.5"), "'3.5' is not a number");
  expect_refused(replaced(line, "warp 32", "warp 9223372036854775808"), "is not a number");
  expect_refused(replaced(line, "warp 32", "warp 0"), "warp is 0 but must be at least 1");
  expect_refused(replaced(line, "banks 32", "banks -1"), "banks is -1 but must be at least 0");
  expect_refused(replaced(line, "chunk yes", "chunk true"), "must be yes or no");
  for (char const* value : {"0", "-1", "inf", "nan"}) {
    expect_refused(replaced(line, "2.95e+12", value), "copy_bandwidth must be");
  }
}

TEST(Machine, TextIsOnlyOfWhatCanBeReadBack) {
  for (std::string const name : {"", "two words", "tab\t", "line\n"}) {
    Machine m = machine("h200");
    m.name = name;
    EXPECT_THROW(text(m), Error) << name;
    m = machine("h200");
    m.architecture = name;
    EXPECT_THROW(text(m), Error) << name;
  }
  Machine m = machine("h200");
  m.sms = 0;
  EXPECT_THROW(text(m), Error);
  m = machine("h200");
  m.copy_bandwidth = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(text(m), Error);
}

}  // namespace
}  // namespace skipper
