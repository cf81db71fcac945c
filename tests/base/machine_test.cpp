// A machine and its text: exact round trips, and refusals that say what is wrong and what to do.
#include "base/machine.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>

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
      "l2_bytes 62914560 l3_bytes 0 memory_bytes 149250113536 copy_bandwidth 4.24e+12 l2_block yes");
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
    EXPECT_TRUE(m.l2_block);
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
    auto const number = [&random](Index least, Index most) {
      return least + Index(random() % std::uint64_t(most - least + 1));
    };
    auto const power = [&](int least, int most) { return Index(1) << number(least, most); };
    Machine m;
    m.name = std::to_string(number(0, 1 << 30)) + "m";
    m.kind = round % 2 ? MachineKind::cpu : MachineKind::gpu;
    m.architecture = std::to_string(number(0, 1 << 30)) + "-a";
    m.sms = number(1, 1 << 16);
    m.warp = power(0, 5);
    m.threads_block = 32 * number(1, 32);
    m.threads_sm = number(1024, 1 << 16);
    m.blocks_sm = number(1, 1 << 12);
    m.registers_thread = number(16, 256);
    m.registers_sm = number(1 << 16, 1 << 24);
    m.shared_block = number(0, 1 << 28);
    m.shared_reserved = number(0, 1 << 28);
    m.shared_sm = number(1 << 29, 1 << 30);
    m.banks = power(0, 10);
    m.sector_bytes = power(4, 8);
    m.line_bytes = m.sector_bytes * number(1, 16);
    m.vector_bytes = power(0, 12);
    m.cluster = power(0, 4);
    for (Index Machine::*field :
         {&Machine::l1_bytes, &Machine::l2_bytes, &Machine::l3_bytes, &Machine::memory_bytes})
      m.*field = number(0, Index(1) << 40);
    m.copy_bandwidth = std::ldexp(double(number(1 << 20, 1 << 30)), int(number(-10, 20)));
    m.l2_block = round % 3 == 0;
    EXPECT_EQ(machine(text(m)), m);
  }
}

/// Every field, too small and too large.
TEST(Machine, EveryFieldHasARange) {
  std::string const line = text(machine("h200"));
  std::istringstream words(line.substr(line.find(" sms") + 1));
  for (std::string key, value; words >> key >> value;) {
    if (key == "l2_block" || key == "copy_bandwidth") continue;
    for (std::string const bad : {"-1", "-9223372036854775808", "9223372036854775807", "4611686018427387904"})
      expect_refused(replaced(line, " " + key + " " + value, " " + key + " " + bad), key + " is " + bad);
  }
  for (char const* bad : {"1e300", "1e-300", "999"})
    expect_refused(replaced(line, "4.24e+12", bad), "copy_bandwidth must be");
}

TEST(Machine, FieldsGoTogether) {
  std::string const line = text(machine("h200"));
  auto const expect_change = [&](std::string const& from, std::string const& to, std::string const& reason) {
    expect_refused(replaced(line, from, to), reason);
  };
  expect_change("warp 32", "warp 24", "warp is 24 but must be a power of two");
  expect_change("banks 32", "banks 0", "banks is 0 but must be at least 1");
  expect_change("cluster 16", "cluster 12", "cluster is 12 but must be a power of two");
  expect_change("threads_block 1024", "threads_block 1000", "must be a multiple of warp");
  expect_change("threads_sm 2048", "threads_sm 512", "must be at most threads_sm, which is 512");
  expect_change("registers_sm 65536", "registers_sm 0", "registers_sm is 0 but must be at least 1");
  expect_change("registers_sm 65536", "registers_sm 8159", "must be at most registers_sm");
  expect_change("shared_sm 233472", "shared_sm 233471", "must be at most shared_sm");
  expect_change("line_bytes 128", "line_bytes 80", "must be a multiple of sector_bytes");
  expect_change("sector_bytes 32", "sector_bytes 8", "sector_bytes is 8 but must be at least 16");
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
  expect_refused(replaced(replaced(line, " warp 32", ""), " l2_block yes", ""), "lacks warp, l2_block");
  expect_refused(line + " warp 32", "'warp' is given twice");
  expect_refused(line + " warp", "'warp' has no value");
  expect_refused(replaced(line, "warp 32", "warp 32x"), "'32x' is not a number that warp can have");
  expect_refused(replaced(line, "warp 32", "warp 3.5"), "'3.5' is not a number");
  expect_refused(replaced(line, "warp 32", "warp 9223372036854775808"), "is not a number");
  expect_refused(replaced(line, "warp 32", "warp 0"), "warp is 0 but must be at least 1");
  expect_refused(replaced(line, "banks 32", "banks -1"), "banks is -1 but must be at least 1");
  expect_refused(replaced(line, "l2_block yes", "l2_block true"), "must be yes or no");
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
