// Specs to text and back: any spec survives the trip, and no other text is read.
#include "plan/spec_text.h"

#include <gtest/gtest.h>
#include <skipper/error.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "support/quick.h"

namespace skipper {
namespace {

using namespace kernel;

/// Specs that make no sense but use every field, zeros and extremes among the values.
class RandomSpec {
 public:
  explicit RandomSpec(unsigned seed) : generator_(seed) {}

  SweepSpec operator()() {
    SweepSpec s;
    some(s.digits), some(s.extent), some(s.grids), some(s.grid_extent), some(s.read), some(s.write);
    some(s.guards), some(s.guard), some(s.load_factor), some(s.store_factor), some(s.threads),
        some(s.cluster_ranks), some(s.shared), some(s.resident);
    some(s.swap_read), some(s.swap_write), some(s.scaled), some(s.sync_before_store),
        some(s.preloads_twiddles), some(s.flow), some(s.prefetch), some(s.pre), some(s.post),
        some(s.hermitian);
    some(s.steps), some(s.step);
    return s;
  }

 private:
  unsigned below(unsigned n) { return generator_() % n; }

  void some(bool& x) { x = below(2); }
  void some(int& x) {
    int const choice[] = {x, 0, 1, -1, int(below(100)), int(below(1u << 31)), 2147483647, -2147483647 - 1};
    x = choice[below(8)];
  }
  void some(Wide& x) {
    Wide const choice[] = {
        x, 0, 1, -1, Wide(below(100)), Wide(generator_()) << 20, 9223372036854775807, -5000000000};
    x = choice[below(8)];
  }
  void some(Twiddling& x) { x = Twiddling(below(3)); }
  void some(Storage& x) { x = Storage(below(3)); }
  void some(Flow& x) {
    some(x.read_streaming), some(x.write_streaming), some(x.dependent), some(x.triggers),
        some(x.triggers_late), some(x.overlaps);
  }
  void some(Prefetch& x) { some(x.distance), some(x.piece), some(x.before_loads); }
  void some(AffineMap& x) { some(x.tile), some(x.grid); }
  void some(Guard& x) { some(x.at), some(x.bound), some(x.reads), some(x.writes); }
  void some(Pointwise& x) { some(x.needed), some(x.at), some(x.table); }
  void some(Assignment& x) {
    some(x.thread_digits), some(x.register_digits), some(x.cluster_rank_digits), some(x.order);
  }
  void some(Exchange& x) {
    some(x.needed), some(x.remote), some(x.fence), some(x.keep), some(x.base), some(x.weight);
  }
  void some(Twiddle& x) {
    some(x.kind), some(x.k), some(x.low), some(x.rows), some(x.shift), some(x.table), some(x.table_low);
  }
  void some(GatherIndex& x) {
    some(x.used), some(x.negate), some(x.flip), some(x.scale), some(x.shift), some(x.bend);
    some(x.scale_after), some(x.shift_after);
  }
  void some(Rotation& x) {
    some(x.used), some(x.split), some(x.scale), some(x.shift), some(x.bits), some(x.table), some(x.table_low);
  }
  void some(kernel::PrePostProcessing& x) {
    some(x.real), some(x.storage), some(x.real_axis), some(x.widened), some(x.extra), some(x.index),
        some(x.extent);
    some(x.stride), some(x.limit), some(x.extra_offset), some(x.gather_index), some(x.rotation);
  }
  void some(HermitianSplit& x) {
    some(x.used), some(x.before_butterflies), some(x.negate), some(x.step), some(x.digits), some(x.index),
        some(x.extent);
    some(x.weight), some(x.rotation);
  }
  void some(Step& x) {
    some(x.assignment), some(x.exchange), some(x.radix), some(x.group_size), some(x.group), some(x.twiddle);
    some(x.middle);
  }
  /// Any number of entries, none and all included; the ones between may stay as they are.
  template <class Element, std::size_t N>
  void some(Element (&array)[N]) {
    unsigned const count = below(N + 1);
    for (unsigned i = 0; i < count; ++i)
      if (below(4)) some(array[i]);
  }

  std::mt19937 generator_;
};

std::string refusal(std::string_view input) {
  try {
    parse_spec(input);
  } catch (Error const& error) {
    return error.what();
  }
  return "";
}

TEST(SpecText, RoundTrip) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SweepSpec const spec = RandomSpec(seed)();
    std::string const printed = text(spec);
    SweepSpec const again = parse_spec(printed);
    ASSERT_TRUE(again == spec) << "seed " << seed << ": " << printed;
    ASSERT_EQ(text(again), printed) << "seed " << seed;
  }
}

/// Whatever a spec is told is in its text: a field that the text forgot would have two kernels share a cache entry.
TEST(SpecText, ForgetsNoField) {
  SweepSpec const plain;
  std::string const nothing = text(plain);
  int told = 0;
  for (std::size_t at = 0; at < sizeof plain; ++at) {
    if (!testing::takes(at, 16)) continue;
    unsigned char bytes[sizeof plain];
    std::memcpy(bytes, &plain, sizeof plain);
    bytes[at] = bytes[at] == 0;  // true of a bool, another number of anything else
    SweepSpec other;
    std::memcpy(&other, bytes, sizeof other);
    bool const no_such_kind = std::any_of(other.step, std::end(other.step),
                                          [](auto& s) { return s.twiddle.kind > Twiddling::two_level; });
    bool const no_such_storage = other.pre.storage > Storage::bf16 || other.post.storage > Storage::bf16;
    if (other == plain || no_such_kind || no_such_storage) continue;  // the former where nothing stands
    ++told;
    std::string const printed = text(other);
    ASSERT_NE(printed, nothing) << "byte " << at;
    ASSERT_TRUE(parse_spec(printed) == other) << "byte " << at << ": " << printed;
  }
  EXPECT_GT(told, 100);
}

TEST(SpecText, LeavesOutDefaults) {
  EXPECT_EQ(text(SweepSpec{}), "skipper::kernel::SweepSpec{}");
  SweepSpec spec;
  spec.digits = 2;
  spec.extent[0] = 16;
  spec.extent[2] = 3;
  spec.threads = 64;
  spec.guard[1].bound = 5000000000;
  spec.scaled = true;
  spec.steps = 2;
  spec.step[1].radix = 16;
  spec.step[1].twiddle.kind = Twiddling::full_table;
  spec.step[1].twiddle.low.grid[0] = -1;
  EXPECT_EQ(
      text(spec),
      "skipper::kernel::SweepSpec{.digits=2,.extent={16,0,3},.guard={{},{.bound=5000000000}},.threads=64,"
      ".scaled=true,.steps=2,.step={{},{.radix=16,.twiddle={.kind=skipper::kernel::Twiddling::full_table,"
      ".low={.grid={-1}}}}}}");
}

TEST(SpecText, RefusesEveryTextCutShort) {
  std::string const printed = text(RandomSpec(1)());
  for (std::size_t length = 0; length < printed.size(); length += 1 + length / 50)
    EXPECT_NE(refusal(printed.substr(0, length)), "") << length;
}

TEST(SpecText, RefusesAnythingElse) {
  auto const body = [](std::string const& fields) {
    return refusal("skipper::kernel::SweepSpec{" + fields + "}");
  };
  EXPECT_EQ(body(".digits=3,.threads=64"), "");
  auto const expect_in = [&](std::string const& fields, std::string const& why) {
    EXPECT_NE(body(fields).find(why), std::string::npos) << fields << "\n" << body(fields);
  };
  expect_in(".digit=3", "expected '}' at character 28, before '.digit=3}'");
  expect_in(".threads=64,.digits=3", "expected '}'");  // not in the order of the declaration
  expect_in(".digits=3,", "expected '}'");
  expect_in(".digits=3,.digits=3", "expected '}'");
  expect_in(".digits= 3", "expected a number of 32 bits");
  expect_in(".digits=3.5", "expected '}'");
  expect_in(".digits=2147483648", "expected a number of 32 bits");
  expect_in(".grid_extent={9223372036854775808}", "expected a number of 64 bits");
  expect_in(".guard={{},{},{},{},{},{},{},{},{.bound=1}}", "more than 8 entries");
  expect_in(".scaled=1", "expected 'false'");
  expect_in(".step={{.twiddle={.kind=matrix}}}", "expected a twiddling");
  expect_in(".digits=0", "in another way");  // a default
  expect_in(".digits=03", "in another way");
  expect_in(".extent={1,0}", "in another way");
  EXPECT_NE(refusal("SweepSpec{}"), "");
  EXPECT_NE(refusal(" skipper::kernel::SweepSpec{}"), "");
  EXPECT_NE(refusal("skipper::kernel::SweepSpec{} "), "");
}

TEST(SpecText, NamesKernels) {
  SweepSpec spec;
  spec.threads = 64;
  EXPECT_EQ(kernel_name(spec, false),
            "skipper::kernel::sweep_kernel<float, skipper::kernel::SweepSpec{.threads=64}>");
  EXPECT_EQ(kernel_name({}, true), "skipper::kernel::sweep_kernel<double, skipper::kernel::SweepSpec{}>");
}

TEST(SpecText, WritesAProgramWithAKernelForEachSpec) {
  SweepSpec spec;
  spec.threads = 64;
  auto const program = kernel_text({spec, {}}, true);
  EXPECT_EQ(program.source,
            "#include \"kernel/entry.h\"\n"
            "inline constexpr auto spec0 = skipper::kernel::SweepSpec{.threads=64};\n"
            "inline constexpr auto spec1 = skipper::kernel::SweepSpec{};\n");
  EXPECT_EQ(program.names, (std::vector<std::string>{"skipper::kernel::sweep_kernel<double, spec0>",
                                                     "skipper::kernel::sweep_kernel<double, spec1>"}));
}

}  // namespace
}  // namespace skipper
