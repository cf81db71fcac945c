// Writes and reads specs by one list of their fields. The structured bindings below fail to compile when a struct
// gains a field that the list does not have.
#include "plan/spec_text.h"

#include <algorithm>
#include <charconv>
#include <type_traits>
#include <utility>

#include <skipper/error.h>

namespace skipper {
namespace {

using namespace kernel;

constexpr std::string_view type_name = "skipper::kernel::SweepSpec";
constexpr std::pair<std::string_view, Twiddling> twiddlings[] = {
    {"skipper::kernel::Twiddling::none", Twiddling::none},
    {"skipper::kernel::Twiddling::full_table", Twiddling::full_table},
    {"skipper::kernel::Twiddling::chain", Twiddling::chain},
    {"skipper::kernel::Twiddling::two_level", Twiddling::two_level},
};
constexpr std::pair<std::string_view, Storage> storages[] = {
    {"skipper::kernel::Storage::full", Storage::full},
    {"skipper::kernel::Storage::f16", Storage::f16},
    {"skipper::kernel::Storage::bf16", Storage::bf16},
};

// ---- The fields, in the order of their declaration, as C++ wants designated initialisers.

template <class Visit>
void fields(AffineMap& form, Visit visit) {
  auto& [tile, grid] = form;
  visit("tile", tile);
  visit("grid", grid);
}

template <class Visit>
void fields(Guard& guard, Visit visit) {
  auto& [at, first, bound, reads, writes] = guard;
  visit("at", at);
  visit("first", first);
  visit("bound", bound);
  visit("reads", reads);
  visit("writes", writes);
}

template <class Visit>
void fields(Pointwise& pointwise, Visit visit) {
  auto& [needed, given, at, table] = pointwise;
  visit("needed", needed);
  visit("given", given);
  visit("at", at);
  visit("table", table);
}

template <class Visit>
void fields(Assignment& assignment, Visit visit) {
  auto& [thread_digits, register_digits, cluster_rank_digits, order] = assignment;
  visit("thread_digits", thread_digits);
  visit("register_digits", register_digits);
  visit("cluster_rank_digits", cluster_rank_digits);
  visit("order", order);
}

template <class Visit>
void fields(Exchange& exchange, Visit visit) {
  auto& [needed, remote, fence, keep, paired, base, weight] = exchange;
  visit("needed", needed);
  visit("remote", remote);
  visit("fence", fence);
  visit("keep", keep);
  visit("paired", paired);
  visit("base", base);
  visit("weight", weight);
}

template <class Visit>
void fields(Twiddle& twiddle, Visit visit) {
  auto& [kind, k, low, rows, shift, table, table_low] = twiddle;
  visit("kind", kind);
  visit("k", k);
  visit("low", low);
  visit("rows", rows);
  visit("shift", shift);
  visit("table", table);
  visit("table_low", table_low);
}

template <class Visit>
void fields(DirectDft& direct_dft, Visit visit) {
  auto& [used, digit, table, symmetric] = direct_dft;
  visit("used", used);
  visit("digit", digit);
  visit("table", table);
  visit("symmetric", symmetric);
}

template <class Visit>
void fields(Step& step, Visit visit) {
  auto& [assignment, exchange, direct_dft, radix, group_size, group, twiddle, middle] = step;
  visit("assignment", assignment);
  visit("exchange", exchange);
  visit("direct_dft", direct_dft);
  visit("radix", radix);
  visit("group_size", group_size);
  visit("group", group);
  visit("twiddle", twiddle);
  visit("middle", middle);
}

template <class Visit>
void fields(GatherIndex& gather_index, Visit visit) {
  auto& [used, negate, flip, scale, shift, bend, scale_after, shift_after] = gather_index;
  visit("used", used);
  visit("negate", negate);
  visit("flip", flip);
  visit("scale", scale);
  visit("shift", shift);
  visit("bend", bend);
  visit("scale_after", scale_after);
  visit("shift_after", shift_after);
}

template <class Visit>
void fields(Rotation& rotation, Visit visit) {
  auto& [used, split, scale, shift, bits, table, table_low, order] = rotation;
  visit("used", used);
  visit("split", split);
  visit("scale", scale);
  visit("shift", shift);
  visit("bits", bits);
  visit("table", table);
  visit("table_low", table_low);
  visit("order", order);
}

template <class Visit>
void fields(PrePostProcessing& side, Visit visit) {
  auto& [real, storage, callback, pairs, makhoul, real_axis, widened, extra, index, extent, stride, limit,
         extra_offset, edge, conjugate, coalesced_pairs, coalesced_unit, peer_unit, gather_index, rotation] =
      side;
  visit("real", real);
  visit("storage", storage);
  visit("callback", callback);
  visit("pairs", pairs);
  visit("makhoul", makhoul);
  visit("real_axis", real_axis);
  visit("widened", widened);
  visit("extra", extra);
  visit("index", index);
  visit("extent", extent);
  visit("stride", stride);
  visit("limit", limit);
  visit("extra_offset", extra_offset);
  visit("edge", edge);
  visit("conjugate", conjugate);
  visit("coalesced_pairs", coalesced_pairs);
  visit("coalesced_unit", coalesced_unit);
  visit("peer_unit", peer_unit);
  visit("gather_index", gather_index);
  visit("rotation", rotation);
}

template <class Visit>
void fields(ConjugateRows& conjugate_rows, Visit visit) {
  auto& [used, digit, weight, negated, grid, axis, extent, half, above, cluster_ranks, unit] = conjugate_rows;
  visit("used", used);
  visit("digit", digit);
  visit("weight", weight);
  visit("negated", negated);
  visit("grid", grid);
  visit("axis", axis);
  visit("extent", extent);
  visit("half", half);
  visit("above", above);
  visit("cluster_ranks", cluster_ranks);
  visit("unit", unit);
}

template <class Visit>
void fields(CrossedAxis& crossed_axis, Visit visit) {
  auto& [used, row, gather_index, stride, index, extent, weight, rotation] = crossed_axis;
  visit("used", used);
  visit("row", row);
  visit("gather_index", gather_index);
  visit("stride", stride);
  visit("index", index);
  visit("extent", extent);
  visit("weight", weight);
  visit("rotation", rotation);
}

template <class Visit>
void fields(HermitianSplit& hermitian, Visit visit) {
  auto& [used, in_middle, columns, before_butterflies, negate, step, digits, index, extent, weight, parity,
         conjugate_rows, crossed_axis, rotation] = hermitian;
  visit("used", used);
  visit("in_middle", in_middle);
  visit("columns", columns);
  visit("before_butterflies", before_butterflies);
  visit("negate", negate);
  visit("step", step);
  visit("digits", digits);
  visit("index", index);
  visit("extent", extent);
  visit("weight", weight);
  visit("parity", parity);
  visit("conjugate_rows", conjugate_rows);
  visit("crossed_axis", crossed_axis);
  visit("rotation", rotation);
}

template <class Visit>
void fields(Rader& rader, Visit visit) {
  auto& [used, across_cluster, real_rader, prime, generator, exponent, entry, line, pitch, table, read,
         write] = rader;
  visit("used", used);
  visit("across_cluster", across_cluster);
  visit("real_rader", real_rader);
  visit("prime", prime);
  visit("generator", generator);
  visit("exponent", exponent);
  visit("entry", entry);
  visit("line", line);
  visit("pitch", pitch);
  visit("table", table);
  visit("read", read);
  visit("write", write);
}

template <class Visit>
void fields(SharedRader& lines_in_place, Visit visit) {
  auto& [radices, radix, prime, lines, table, spectrum] = lines_in_place;
  visit("radices", radices);
  visit("radix", radix);
  visit("prime", prime);
  visit("lines", lines);
  visit("table", table);
  visit("spectrum", spectrum);
}

template <class Visit>
void fields(Symbol& symbol, Visit visit) {
  auto& [axes, at, table, hermitian, partners] = symbol;
  visit("axes", axes);
  visit("at", at);
  visit("table", table);
  visit("hermitian", hermitian);
  visit("partners", partners);
}

template <class Visit>
void fields(Flow& flow, Visit visit) {
  auto& [read_streaming, write_streaming, dependent, triggers, triggers_late, overlaps, discards, fused,
         polls_early] = flow;
  visit("read_streaming", read_streaming);
  visit("write_streaming", write_streaming);
  visit("dependent", dependent);
  visit("triggers", triggers);
  visit("triggers_late", triggers_late);
  visit("overlaps", overlaps);
  visit("discards", discards);
  visit("fused", fused);
  visit("polls_early", polls_early);
}

template <class Visit>
void fields(Prefetch& prefetch, Visit visit) {
  auto& [distance, piece, before_loads] = prefetch;
  visit("distance", distance);
  visit("piece", piece);
  visit("before_loads", before_loads);
}

template <class Visit>
void fields(SweepSpec& spec, Visit visit) {
  auto& [digits, extent, grids, grid_extent, read, write, cropped, guards, guard, load_factor, store_factor,
         threads, cluster_ranks, shared, resident, max_resident, swap_read, swap_write, scaled,
         sync_before_store, preloads_twiddles, flow, prefetch, pre, post, hermitian, rader, shared_rader,
         symbol, steps, step] = spec;
  visit("digits", digits);
  visit("extent", extent);
  visit("grids", grids);
  visit("grid_extent", grid_extent);
  visit("read", read);
  visit("write", write);
  visit("cropped", cropped);
  visit("guards", guards);
  visit("guard", guard);
  visit("load_factor", load_factor);
  visit("store_factor", store_factor);
  visit("threads", threads);
  visit("cluster_ranks", cluster_ranks);
  visit("shared", shared);
  visit("resident", resident);
  visit("max_resident", max_resident);
  visit("swap_read", swap_read);
  visit("swap_write", swap_write);
  visit("scaled", scaled);
  visit("sync_before_store", sync_before_store);
  visit("preloads_twiddles", preloads_twiddles);
  visit("flow", flow);
  visit("prefetch", prefetch);
  visit("pre", pre);
  visit("post", post);
  visit("hermitian", hermitian);
  visit("rader", rader);
  visit("shared_rader", shared_rader);
  visit("symbol", symbol);
  visit("steps", steps);
  visit("step", step);
}

// ---- Writing.

template <class Number>
requires std::is_integral_v<Number> std::string written(Number value) {
  if constexpr (std::is_same_v<Number, bool>)
    return value ? "true" : "false";
  else
    return std::to_string(value);
}

std::string written(Twiddling kind) { return std::string(twiddlings[static_cast<int>(kind)].first); }
std::string written(Storage storage) { return std::string(storages[static_cast<int>(storage)].first); }

template <class Struct>
requires std::is_class_v<Struct> std::string written(Struct value);

template <class Element, std::size_t N>
std::string written(Element const (&array)[N]) {
  std::size_t count = N;
  while (count > 0 && array[count - 1] == Element{}) --count;
  std::string list;
  for (std::size_t i = 0; i < count; ++i) list += (i ? "," : "") + written(array[i]);
  return '{' + list + '}';
}

template <class Struct>
std::vector<std::pair<std::string, std::string>> written_fields(Struct value) {
  std::vector<std::pair<std::string, std::string>> all;
  fields(value, [&](std::string_view name, auto const& field) { all.emplace_back(name, written(field)); });
  return all;
}

template <class Struct>
requires std::is_class_v<Struct> std::string written(Struct value) {
  static auto const& defaults =
      *new auto(written_fields(Struct{}));  // used by destructors of static objects too
  auto const all = written_fields(value);
  std::string list;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != defaults[i]) list += (list.empty() ? "." : ",.") + all[i].first + '=' + all[i].second;
  return '{' + list + '}';
}

// ---- Reading.

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  SweepSpec spec() {
    SweepSpec spec;
    expect(type_name);
    read(spec);
    if (at_ != text_.size()) fail("expected the end");
    return spec;
  }

 private:
  [[noreturn]] void fail(std::string const& what) const {
    throw Error("spec text", what + " at character " + std::to_string(at_ + 1) + ", before '" +
                                 std::string(text_.substr(at_, 24)) + "'");
  }
  bool accept(std::string_view mark) {
    if (!text_.substr(at_).starts_with(mark)) return false;
    at_ += mark.size();
    return true;
  }
  void expect(std::string_view mark) {
    if (!accept(mark)) fail("expected '" + std::string(mark) + "'");
  }

  void read(bool& value) {
    value = accept("true");
    if (!value) expect("false");
  }
  template <class Number>
  requires std::is_integral_v<Number>
  void read(Number& value) {
    auto const [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail("expected a number of " + std::to_string(8 * sizeof(Number)) + " bits");
    at_ = static_cast<std::size_t>(end - text_.data());
  }
  void read(Twiddling& value) {
    for (auto const& [name, kind] : twiddlings)
      if (accept(name)) return void(value = kind);
    fail("expected a twiddling");
  }
  void read(Storage& value) {
    for (auto const& [name, storage] : storages)
      if (accept(name)) return void(value = storage);
    fail("expected a storage");
  }
  template <class Element, std::size_t N>
  void read(Element (&array)[N]) {
    expect("{");
    for (std::size_t i = 0; !accept("}"); ++i) {
      if (i == N) fail("more than " + std::to_string(N) + " entries");
      if (i > 0) expect(",");
      read(array[i]);
    }
  }
  template <class Struct>
  requires std::is_class_v<Struct>
  void read(Struct& value) {
    expect("{");
    bool first = true;
    fields(value, [&](std::string_view name, auto& field) {
      if (!accept((first ? "." : ",.") + std::string(name) + '=')) return;
      first = false;
      read(field);
    });
    expect("}");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

char const* value_type(bool is_double) { return is_double ? "double" : "float"; }

}  // namespace

std::string text(SweepSpec const& spec) { return std::string(type_name) + written(spec); }

SweepSpec parse_spec(std::string_view text) {
  SweepSpec const spec = Reader(text).spec();
  if (std::string const canonical = skipper::text(spec); canonical != text)
    throw Error("spec text", "says the right thing in another way than '" + canonical + "'");
  return spec;
}

std::string kernel_name(SweepSpec const& spec, bool is_double) {
  return std::string("skipper::kernel::sweep_kernel<") + value_type(is_double) + ", " + text(spec) + ">";
}

bool has_user(SweepSpec const& spec) { return spec.pre.callback || spec.post.callback; }

namespace {

/// A user's text in a namespace of its own, where Value is what it is called with. Messages count its own lines.
std::string user_part(char const* end, std::string const& text, bool real, bool is_double) {
  std::string const number = value_type(is_double), space = std::string("user_") + end;
  std::string const value = real ? number : "Complex<" + number + ">";
  if (text.empty()) return "";
  return "namespace skipper::" + space + " {\nusing namespace kernel;\nusing Value = " + value +
         ";\n#line 1 \"callbacks.cuda_" + end + "\"\n" + text + "\n}\n";
}

std::string user_call(char const* end, bool given) {
  std::string const call = std::string("user_") + end + "::on_" + end + "(x, place, data)";
  return std::string("  template <class V>\n  static V ") + end +
         "(V x, long long place, void* data) { return " + (given ? call : "x") + "; }\n";
}

}  // namespace

std::string user_source(UserText const& user, bool is_double) {
  return "#include \"kernel/complex.h\"\n" + user_part("load", user.load, user.load_real, is_double) +
         user_part("store", user.store, user.store_real, is_double);
}

KernelText kernel_text(std::vector<SweepSpec> const& specs, bool is_double, UserText const& user) {
  KernelText result{"#include \"kernel/entry.h\"\n", {}};
  bool const any = std::any_of(specs.begin(), specs.end(), has_user);
  if (any)
    result.source += user_source(user, is_double) + "namespace skipper {\nstruct User {\n" +
                     user_call("load", !user.load.empty()) + user_call("store", !user.store.empty()) +
                     "};\n}\n";
  for (std::size_t i = 0; i < specs.size(); ++i) {
    std::string const name = "spec" + std::to_string(i);
    result.source += "inline constexpr auto " + name + " = " + text(specs[i]) + ";\n";
    result.names.push_back(std::string("skipper::kernel::sweep_kernel<") + value_type(is_double) + ", " +
                           name + (has_user(specs[i]) ? ", skipper::User>" : ">"));
  }
  return result;
}

KernelText fused_text(SweepSpec const& first, SweepSpec const& last, bool is_double) {
  KernelText result = kernel_text({first, last}, is_double);
  result.source.replace(0, result.source.find('\n'), "#include \"kernel/fused_entry.h\"");
  result.names = {std::string("skipper::kernel::fused_kernel<") + value_type(is_double) + ", spec0, spec1>"};
  return result;
}

}  // namespace skipper
