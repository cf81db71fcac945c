#pragma once
// Small kernels for tests: an input and an output of numbers, a table and shared memory.
#include "ir/values.h"

namespace skipper::testing {

using ir::Index;
using ir::Real;

inline constexpr ir::Range addresses{0, std::int64_t(1) << 48};

inline ir::Kernel header(int threads, int shared_bytes = 0, int cluster_ranks = 1) {
  ir::Kernel kernel;
  kernel.name = "test";
  kernel.parameters = {{"in", ir::Type::i64}, {"out", ir::Type::i64}};
  kernel.threads = threads;
  kernel.cluster_ranks = cluster_ranks;
  kernel.shared_bytes = shared_bytes;
  return kernel;
}

/// What a test's kernel is written with.
struct Recording {
  ir::Builder builder;
  ir::Type type;
  Index thread, block;

  explicit Recording(ir::Kernel const& kernel, ir::Type of = ir::Type::f32, std::int64_t blocks = 1)
      : builder(kernel, of, blocks),
        type(of),
        thread(Index::of(builder.thread())),
        block(Index::of(builder.block())) {}

  Index array(int parameter) { return Index::of(builder.index_parameter(parameter, addresses)); }
  ir::Access access(ir::Space space, int count = 1) {
    return {.space = space, .type = type, .count = std::uint8_t(count)};
  }
  int bytes() const { return bytes_of(type); }
  Real load(Index at) {
    return Real::of(builder.load(access(ir::Space::global), (array(0) + at * bytes()).held()));
  }
  void store(Index at, Real x) {
    builder.store(access(ir::Space::global), (array(1) + at * bytes()).held(), {x.held()});
  }
  Index shared(Index at) { return Index::of(builder.shared_base()) + at * bytes(); }
  Real take(Index at) { return Real::of(builder.load(access(ir::Space::shared), shared(at).held())); }
  void put(Index at, Real x) { builder.store(access(ir::Space::shared), shared(at).held(), {x.held()}); }
  void sync() { builder.effect(ir::Op::block_barrier); }
};

}  // namespace skipper::testing
