// See fused.h.
#include "trace/fused.h"

#include <algorithm>

#include "trace/sweep.h"

namespace skipper::trace {
namespace {

ir::Builder& builder() { return ir::builder(); }

/// A number of which it is known that it is below a bound, and not negative.
Index below(std::int64_t bound, Index const& x) {
  return Index::of(builder().form_of(builder().value_of(x.held()), {0, bound - 1}));
}

class Recording {
 public:
  Recording(kernel::SweepSpec const& first, kernel::SweepSpec const& last, kernel::FusedPasses const& passes,
            int sweep_parameters)
      : specs_{&first, &last},
        passes_(passes),
        last_parameters_(sweep_parameters),
        counters_{array(2 * sweep_parameters)},
        deferred_{array(2 * sweep_parameters + 1)} {}

  /// The item of the block's own index.
  void first_launch() { run(Index::of(builder().block())); }

  /// Deferred items, the smallest first, until there are none. It may be launched before the first launch has ended.
  void second_launch() {
    builder().effect(ir::Op::wait_for_previous);
    Index item = claimed();
    builder().loop_while([&] { return (item < items()).held(); },
                         [&] {
                           run(below(items(), item));
                           item = claimed();
                         });
  }

 private:
  std::int64_t items() const { return std::int64_t(passes_.all[0]) + passes_.all[1]; }
  static ir::Region in_first_thread() { return ir::Region(Index::of(builder().thread()) == 0); }
  static void sync() { builder().effect(ir::Op::block_barrier); }

  /// What kernel::work_item_of says: of which sweep the item is a tile, and of which number.
  void run(Index const& item) {
    std::int64_t const first = passes_.tiles[0], n = first + passes_.tiles[1], lead = passes_.lead;
    Bool const leads = item < lead;
    Index const i = ir::not_negative(ir::select(leads, 0, item - lead)), round = i / n, rest = i % n,
                before = round * first + rest * first / n, after = round * first + (rest + 1) * first / n;
    Bool const all_begun = lead + before >= std::int64_t(passes_.all[0]), is_first = after > before;
    Index const tile = ir::select(all_begun, item - std::int64_t(passes_.all[0]),
                                  ir::select(is_first, lead + before, i - before));
    Bool const is_last = !leads && (all_begun || !is_first);
    if (auto const here = ir::Region(is_last)) run_tile(true, item, tile);
    if (auto const here = ir::Region(!is_last)) run_tile(false, item, ir::select(leads, item, tile));
  }

  /// A tile of one of the two, which waits and counts as kernel::wait_of says, in the L2 buffer that kernel::shift_of says.
  void run_tile(bool is_last, Index const& item, Index const& number) {
    Index const tile = below(passes_.all[is_last], number), l2_block = tile / int(passes_.tiles[is_last]),
                slot = l2_block % int(passes_.slots), before = l2_block / int(passes_.slots);
    std::int64_t const first = passes_.tiles[0], last = passes_.tiles[1];
    Index const of_first = slot * (2 * kernel::counter_pitch), of_last = of_first + kernel::counter_pitch,
                left = std::int64_t(passes_.all[0]) - l2_block * first,
                target = is_last ? before * first + ir::select(left < first, left, first) : before * last;
    kernel::SweepSpec const& spec = *specs_[is_last];
    Block block(spec, passes_.all[is_last],
                {tile, counters_.at(is_last ? of_first : of_last), target, passes_.second_launch});
    auto args = sweep_arguments(is_last ? last_parameters_ : 0);
    auto& l2_buffer = is_last ? args.in : args.out;
    l2_buffer = l2_buffer + (slot * passes_.pitch - l2_block * passes_.l2_block);
    Bool const done = record_sweep(spec, block, args);
    if (auto const here = ir::Region(done)) {
      sync();
      if (auto const one = in_first_thread())
        builder().add_release(counters_.at(is_last ? of_last : of_first).held());
    }
    if (auto const here = ir::Region(!done))
      if (auto const one = in_first_thread()) defer(item);
  }

  void defer(Index const& item) {
    builder().atomic(ir::Op::atomic_or, word_of(item).held(), builder().one_bit((item % 32).held()));
    builder().atomic(ir::Op::atomic_or, deferred_.address.held(), builder().one_bit(Index(0).held()));
  }
  Index word_of(Index const& item) const { return deferred_.at(1 + item / 32); }

  /// The smallest item that was deferred and that no block has claimed yet, for all threads; items() where there is none.
  Index claimed() {
    Index const word = Index::of(builder().shared_base());  // which holds nothing then
    ir::Access const access{.space = ir::Space::shared, .type = ir::Type::i32, .count = 1};
    sync();
    if (auto const one = in_first_thread())
      builder().store(access, word.held(), {builder().value_of(claimed_by_one().held(), ir::Type::i32)});
    sync();
    Index const item = Index::of(builder().load_index(ir::Space::shared, word.held(), {0, items()}));
    sync();
    return item;
  }
  Index claimed_by_one() {
    Index item = items(), next = 0;
    if (auto const here = ir::Region(word_at(deferred_.address) == 0)) next = items();  // none was deferred
    builder().loop_while([&] { return (next < items() && item == items()).held(); },
                         [&] {
                           Index const number = below(items(), next), word = word_of(number);
                           ir::Value const bit = builder().one_bit((number % 32).held());
                           Bool const is_empty = word_at(word) == 0;
                           next = ir::select(is_empty, 32 * (number / 32 + 1), number + 1);
                           if (auto const here = ir::Region(!is_empty && has(word_at(word), bit)))
                             if (auto const first = ir::Region(cleared(word, bit))) item = number;
                         });
    return item;
  }
  static Index word_of_bits(ir::Value bits) {
    return Index::of(builder().form_of(bits, {INT32_MIN, INT32_MAX}));
  }
  static Index word_at(Index const& address) { return word_of_bits(builder().load_acquire(address.held())); }
  static Bool has(Index const& word, ir::Value bit) {
    return word_of_bits(builder().common_bits(builder().value_of(word.held(), ir::Type::i32), bit)) != 0;
  }
  /// Whether the bit was still set: else another block was first.
  static Bool cleared(Index const& address, ir::Value bit) {
    ir::Value const others = builder().value_of((-1 - word_of_bits(bit)).held(), ir::Type::i32);
    return has(word_of_bits(builder().atomic(ir::Op::atomic_and, address.held(), others)), bit);
  }

  kernel::SweepSpec const* specs_[2];
  kernel::FusedPasses const& passes_;
  int last_parameters_;  // where those of the last sweep begin
  Pointer<int> counters_, deferred_;
};

}  // namespace

ir::Kernel trace_fused(kernel::SweepSpec const& first, kernel::SweepSpec const& last,
                       kernel::FusedPasses const& passes, ir::Type real) {
  auto parameters = sweep_parameters(real);
  int const own = int(parameters.size());
  for (auto const& p : sweep_parameters(real, "last_")) parameters.push_back(p);
  parameters.push_back({"counters"});
  parameters.push_back({"deferred"});
  ir::Kernel header;
  header.name = passes.second_launch ? "deferred_items" : "fused_sweeps";
  header.parameters = std::move(parameters);
  header.threads = first.threads;
  header.resident = first.resident;
  header.shared_bytes = std::max({first.shared * 2 * bytes_of(real), last.shared * 2 * bytes_of(real), 4});
  ir::Builder builder(std::move(header), real, std::int64_t(passes.all[0]) + passes.all[1]);
  Recording recording(first, last, passes, own);
  if (passes.second_launch)
    recording.second_launch();
  else
    recording.first_launch();
  return builder.finish();
}

}  // namespace skipper::trace
