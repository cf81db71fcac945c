#include "trace/trace.h"

#include "trace/block.h"
#include "trace/codelets.h"
#include "trace/traced.h"

namespace skipper::kernel {

template <int R>
void dft(Complex<ir::Real> (&v)[R]) {
  trace::codelet(R, v);
}
template <int R>
void dft(Complex<Perhaps<ir::Real>> (&v)[R]) {
  trace::codelet(R, v);
}

}  // namespace skipper::kernel

#include "kernel/sweep.h"

namespace skipper::trace {
namespace {

void refuse_unrecorded(kernel::SweepSpec const& spec) {
  if (spec.pre.callback || spec.post.callback)
    throw Error("trace", "has a user's functions, which are CUDA C++; compile the kernel text");
}

std::vector<ir::Parameter> parameters(ir::Type real, std::string const& prefix = "") {
  std::vector<ir::Parameter> all;
  for (char const* name : {"in", "out", "roots", "scale", "factors", "data", "constant_mode"})
    all.push_back({prefix + name, std::string(name) == "scale" ? real : ir::Type::i64});
  return all;
}

ir::Kernel header(kernel::SweepSpec const& spec, ir::Type real) {
  ir::Kernel kernel;
  kernel.name = "sweep";
  kernel.parameters = parameters(real);
  kernel.threads = spec.threads;
  kernel.cluster_ranks = spec.cluster_ranks;
  kernel.resident = spec.resident;
  kernel.shared_bytes = spec.shared * 2 * bytes_of(real);
  return kernel;
}

Index array(int parameter) {
  constexpr ir::Range addresses{std::int64_t(kernel::peer_origin), std::int64_t(1) << 48};
  return Index::of(ir::builder().index_parameter(parameter, addresses));
}

/// The arguments of a sweep, whose parameters begin there.
kernel::Args<Real> args_from(int first) {
  return {{array(first)},     {array(first + 1)},
          {array(first + 2)}, Real::of(ir::builder().parameter(first + 3)),
          {array(first + 4)}, {array(first + 5)},
          {array(first + 6)}};
}

/// What an item is, as kernel::work_item_of says: a tile of the last sweep, or of the first.
struct Item {
  Bool is_last;
  Index tile;
};
Item item_of(kernel::FusedPasses const& passes, Index const& item) {
  std::int64_t const first = passes.tiles[0], n = first + passes.tiles[1], lead = passes.lead;
  Bool const leads = item < lead;
  Index const i = ir::not_negative(ir::select(leads, 0, item - lead)), round = i / n, rest = i % n,
              before = round * first + rest * first / n, after = round * first + (rest + 1) * first / n;
  Bool const all_begun = lead + before >= std::int64_t(passes.all[0]), is_first = after > before;
  Index const tile = ir::select(all_begun, item - std::int64_t(passes.all[0]),
                                ir::select(is_first, lead + before, i - before));
  return {!leads && (all_begun || !is_first), ir::select(leads, item, tile)};
}

/// A number of which it is known that it is below a bound, and not negative.
Index below(std::int64_t bound, Index const& x) {
  return Index::of(ir::builder().form_of(ir::builder().value_of(x.held()), {0, bound - 1}));
}

/// One sweep of the two.
struct Half {
  kernel::SweepSpec const& spec;
  kernel::FusedPasses const& passes;
  bool is_last;
  int parameter;  // its first one
  Pointer<int> counters, deferred;

  /// As kernel::wait_of and kernel::shift_of say, where it is known of which sweep the tile is.
  void run(Index const& item, Index const& any_tile) const {
    Index const tile = below(passes.all[is_last], any_tile), l2_block = tile / int(passes.tiles[is_last]),
                slot = l2_block % int(passes.slots), before = l2_block / int(passes.slots);
    Index const counter = slot * (2 * kernel::counter_pitch), other = counter + kernel::counter_pitch;
    std::int64_t const first = passes.tiles[0], last = passes.tiles[1];
    Index const left = std::int64_t(passes.all[0]) - l2_block * first,
                target = is_last ? before * first + ir::select(left < first, left, first) : before * last,
                shift = slot * passes.pitch - l2_block * passes.l2_block;
    Block block(spec, passes.all[is_last], {tile, counters.at(is_last ? counter : other), target});
    auto args = args_from(parameter);
    (is_last ? args.in : args.out) = (is_last ? args.in : args.out) + shift;
    Bool const done = kernel::sweep<Real>(Traced{&spec}, block, args);
    block.either(
        done,
        [&] {
          block.sync();
          if (auto const here = block.only(block.thread() == 0))
            ir::builder().add_release(counters.at(is_last ? other : counter).held());
        },
        [&] {
          if (auto const here = block.only(block.thread() == 0)) defer(item);
        });
  }

  void defer(Index const& item) const {
    ir::Builder& builder = ir::builder();
    builder.atomic(ir::Op::atomic_or, deferred.at(1 + item / 32).held(), builder.one_bit((item % 32).held()));
    builder.atomic(ir::Op::atomic_or, deferred.address.held(), builder.one_bit(Index(0).held()));
  }
};

}  // namespace

std::int64_t tiles(kernel::SweepSpec const& spec) {
  std::int64_t n = 1;
  for (int g = 0; g < spec.grids; ++g) n *= spec.grid_extent[g];
  return n;
}

ir::Kernel trace(kernel::SweepSpec const& spec, ir::Type real) {
  refuse_unrecorded(spec);
  ir::Builder builder(header(spec, real), real, tiles(spec));
  {
    Block block(spec, tiles(spec));
    kernel::sweep<Real>(Traced{&spec}, block, args_from(0));
  }
  return builder.finish();
}

ir::Kernel trace_fused(kernel::SweepSpec const& first, kernel::SweepSpec const& last,
                       kernel::FusedPasses const& passes, ir::Type real) {
  refuse_unrecorded(first);
  refuse_unrecorded(last);
  ir::Kernel fused = header(first.shared > last.shared ? first : last, real);
  fused.name = "fused_sweeps";
  auto const others = parameters(real, "last_");
  fused.parameters.insert(fused.parameters.end(), others.begin(), others.end());
  fused.parameters.push_back({"counters"});
  fused.parameters.push_back({"deferred"});
  ir::Builder builder(std::move(fused), real, std::int64_t(passes.all[0]) + passes.all[1]);
  {
    int const own = int(others.size());
    Pointer<int> const counters{array(2 * own)}, deferred{array(2 * own + 1)};
    Index const number = Index::of(builder.block());
    Item const item = item_of(passes, number);
    if (auto const here = ir::Region(item.is_last))
      Half{last, passes, true, own, counters, deferred}.run(number, item.tile);
    if (auto const here = ir::Region(!item.is_last))
      Half{first, passes, false, 0, counters, deferred}.run(number, item.tile);
  }
  return builder.finish();
}

}  // namespace skipper::trace
