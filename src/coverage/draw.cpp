// See draw.h. Each number belongs to one of a few sorts of problems, each aimed at some of the mechanisms; kinds and layouts are drawn
// for all of them.
#include "coverage/draw.h"

#include <skipper/error.h>

#include <utility>
#include <vector>

#include "base/kinds.h"
#include "base/numbers.h"
#include "coverage/generator.h"

namespace skipper::coverage {
namespace {

Index scalar_bytes(Precision p) { return p == Precision::f64 ? 8 : p == Precision::f32 ? 4 : 2; }

/// What a problem is aimed at.
enum class Sort { anything, anything2, mixed, real, chip, primes, prime_lines, passes, passes2, large };
constexpr std::uint64_t sorts = 10;

class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t number, Sizes const& sizes)
      : random_(seed, number), sizes_(sizes), sort_(Sort(number % sorts)) {}

  Problem operator()() {
    Problem p;
    p.precision = precision();
    p.kind = kind();
    if (p.kind == Kind::c2r || (p.kind == Kind::c2c && random_.one_in(3))) p.direction = Direction::inverse;
    element_ = scalar_bytes(p.precision) * (p.kind == Kind::r2r ? 1 : 2);
    shape(p);
    axis_kinds(p);
    if (random_.one_in(6)) p.scale = random_.one_of({0.25, -0.75, 3.0});
    if (random_.one_in(6)) p.norm = Norm::ortho;
    if (p.precision == Precision::f16) keep_in_range(p);
    layout(p);
    return p;
  }

 private:
  bool is_large() const { return sort_ == Sort::large || is_passes(); }
  bool is_passes() const { return sort_ == Sort::passes || sort_ == Sort::passes2; }
  bool is_plain() const { return is_passes() || sort_ == Sort::prime_lines; }

  Precision precision() {
    Index const i = random_.below(is_plain() ? 14 : 16);
    return i < 8 ? Precision::f32 : i < 13 ? Precision::f64 : i < 15 ? Precision::f16 : Precision::bf16;
  }
  Kind kind() {
    if (sort_ == Sort::chip && random_.one_in(2)) return Kind::c2c;
    if (sort_ == Sort::real) return random_.one_in(4) ? Kind::c2c : Kind::r2r;
    if (is_plain()) return random_.one_of({Kind::c2c, Kind::c2c, Kind::c2c, Kind::r2c, Kind::c2r});
    return random_.one_of({Kind::c2c, Kind::c2c, Kind::r2c, Kind::c2r, Kind::r2r});
  }

  void shape(Problem& p) {
    switch (sort_) {
      case Sort::chip:
        return chip_lines(p);
      case Sort::primes:
        return primes(p);
      case Sort::prime_lines:
        return prime_lines(p);
      case Sort::passes:
      case Sort::passes2:
        return passes(p);
      case Sort::large:
        return large(p);
      default:
        return anything(p);
    }
  }

  /// Up to four axes of any lengths, a batch that fills what is left.
  void anything(Problem& p) {
    Index room = random_.by_doublings(element_, sizes_.small) / element_;
    Index const whole = room, rank = random_.one_of<Index>({1, 1, 2, 2, 3, 3, 4});
    for (Index a = 0; a < rank; ++a) {
      Index const n =
          random_.length(a + 1 == rank ? room : std::max<Index>(1, random_.by_doublings(1, room)));
      p.axes.push_back({n});
      room /= n;
    }
    if (random_.one_in(4)) std::reverse(p.axes.begin(), p.axes.end());
    batches(p, random_.one_in(3) ? 1 : std::min(room, whole));
  }

  /// Transforms about as large as what the blocks of a cluster hold, and primes for them.
  void chip_lines(Problem& p) {
    Index const points = random_.by_doublings(std::max<Index>(1, sizes_.chip / 32), sizes_.chip) / element_;
    Index const sort = random_.below(6);
    if (sort < 2) {
      p.axes.push_back({random_.smooth(points)});
    } else if (sort == 2 || (sort == 3 && p.kind == Kind::c2c)) {
      p.axes.push_back({rader_prime(points)});
    } else if (sort == 3) {
      Index const n = random_.length(points);
      p.axes.push_back({n}), p.axes.push_back({std::max<Index>(1, random_.smooth(points / n))});
    } else {
      Index const rank = sort - 2;
      Index left = points;
      for (Index a = rank; a > 0; --a) {
        Index side = 1;
        while (power(side + 1, a) <= left) ++side;
        p.axes.push_back({random_.smooth(side)});
        left /= p.axes.back().size;
      }
    }
    batches(p, random_.between(1, 4));
  }

  /// Lines with primes beyond codelets, also beside other axes.
  void primes(Problem& p) {
    Index const room = std::max<Index>(1, random_.by_doublings(element_ * 64, sizes_.small) / element_);
    Index const most = std::min<Index>(room, random_.one_of<Index>({128, 512, 4096, 16384}));
    Index n = random_.one_in(2) ? rader_prime(random_.by_doublings(std::min<Index>(17, most), most))
                                : random_.prime(random_.by_doublings(std::min<Index>(17, most), most));
    n *= random_.one_of<Index>({1, 1, 1, 2, 3, 4, 8, 12, 16});
    if (p.kind == Kind::r2r) n += random_.between(-1, 1);  // a core has a point more or less
    p.axes.push_back({std::max<Index>(1, n)});
    Index const left = std::max<Index>(1, room / n);
    if (random_.one_in(3))
      p.axes.insert(random_.one_in(2) ? p.axes.begin() : p.axes.end(),
                    Axis{random_.length(std::min<Index>(left, 64))});
    batches(p, random_.between(1, left));
  }

  /// Many lines of a prime length, or of a multiple.
  void prime_lines(Problem& p) {
    Index const room = random_.by_doublings(sizes_.small / 16, 4 * sizes_.small) / element_;
    Index const about = random_.by_doublings(23, random_.one_of<Index>({64, 256, 4096}));
    Index const prime = random_.one_in(4)   ? prime_for_direct_dft()
                        : random_.one_in(2) ? rader_prime(about)
                                            : random_.prime(about);
    Index const n = prime * random_.one_of<Index>({1, 1, 1, 2, 3, 5, 8, 16});
    p.axes.push_back({n});
    batches(p, room / n);
  }

  /// Data that L2 does not hold, in transforms that a sweep does not do and two do: what is done in L2 blocks and by fused passes.
  void passes(Problem& p) {
    axes_of(p, random_.by_doublings(std::max<Index>(64, sizes_.large_most / 16384), sizes_.large_most / 256));
    fill(p);
  }

  /// Data that L2 does not hold: one long transform, or many of any size.
  void large(Problem& p) {
    Index const most = sizes_.large_most / element_;
    axes_of(p, random_.one_in(3) ? most : random_.by_doublings(1, most));
    fill(p);
  }

  /// One to three axes of about so many points, smooth for the most part.
  void axes_of(Problem& p, Index points) {
    for (Index a = random_.between(1, 3); a > 0; --a) {
      Index const n =
          random_.smooth(a == 1 ? points : std::min(points, random_.by_doublings(1, 2 * root(points, a))));
      p.axes.push_back({random_.one_in(16) ? std::min(points, n + 1) : n});
      points = std::max<Index>(1, points / p.axes.back().size);
    }
    if (random_.one_in(2)) std::swap(p.axes.front(), p.axes.back());
  }
  void fill(Problem& p) {
    Index transform = 1;
    for (Axis const& a : p.axes) transform *= a.size;
    batches(
        p, std::max<Index>(1, random_.between(sizes_.large_least, sizes_.large_most) / element_ / transform));
  }

  static Index power(Index n, Index exponent) {
    Index all = 1;
    while (exponent-- > 0) all *= n;
    return all;
  }
  static Index root(Index n, Index degree) {
    Index r = 1;
    while (power(r + 1, degree) <= n && r < (Index(1) << 20)) r += std::max<Index>(1, r / 16);
    return r;
  }
  /// A prime below that, one less than which is smooth: what Rader is good for.
  Index rader_prime(Index most) {
    while (most > 2 && !(is_prime(most) && factorise(most - 1).back().prime <= 13)) --most;
    return most;
  }

  /// One that codelets do not do and Rader does badly.
  Index prime_for_direct_dft() {
    for (;;)
      if (Index const p = random_.between(17, 127); is_prime(p) && factorise(p - 1).back().prime > 13)
        return p;
  }

  void batches(Problem& p, Index count) {
    if (count <= 1) return;
    Index const outer = random_.one_in(4) ? random_.between(1, std::min<Index>(count, 12)) : 1;
    if (outer > 1) p.batch.push_back({outer});
    if (count / outer > 1) p.batch.push_back({count / outer});
  }

  void axis_kinds(Problem& p) {
    bool const mixed = p.kind == Kind::r2r || random_.one_in(is_plain() ? 20 : 5);
    bool const same = random_.one_in(3);
    AxisKind const one = real_kind();
    if (mixed)
      for (Axis& a : p.axes)
        if (p.kind == Kind::r2r || random_.one_in(2)) a.kind = same ? one : real_kind();
    if (p.kind != Kind::r2r && p.kind != Kind::c2c && !halved_axis(p))
      p.axes[std::size_t(random_.below(Index(p.axes.size())))].kind = AxisKind::fourier;
    for (Axis& a : p.axes) a.size = std::max(a.size, smallest_size(a.kind));
  }
  AxisKind real_kind() { return real_axis_kinds[std::size_t(random_.below(Index(real_axis_kinds.size())))]; }

  /// Sums of many numbers leave the range of f16.
  void keep_in_range(Problem& p) {
    double points = 1;
    for (Axis const& a : p.axes) points *= 4.0 * double(a.size);
    if (points > 1 << 20) p.norm = Norm::ortho;
  }

  void layout(Problem& p) {
    Index const how = random_.below(is_plain() ? 30 : sort_ == Sort::chip ? 5 : 8);
    if (how == 0) {
      p.placement = Placement::in_place;
    } else if (how == 1) {
      pad_and_crop(p);
    }
    p = dense_layout(p);
    bool const rows = p.placement == Placement::in_place && (p.kind == Kind::r2c || p.kind == Kind::c2r);
    if (how == 2 || how == 3 || (how == 0 && !rows && random_.one_in(2))) stride(p);
  }

  void pad_and_crop(Problem& p) {
    for (std::size_t i = 0; i < p.axes.size(); ++i) {
      Axis& a = p.axes[i];
      Index const ins = in_size(p, i), outs = out_size(p, i);
      if (random_.one_in(2)) a.in_count = 1 + random_.below(ins);
      if (random_.one_in(2)) {
        a.out_first = random_.one_in(2) ? 0 : random_.below(outs);
        a.out_count = random_.between(1, outs - a.out_first);
      }
    }
  }

  struct Placed {
    Index* stride;
    Index size;
  };
  /// Another order in memory, and rows with gaps between them, on each side its own; in place the same.
  void stride(Problem& p) {
    std::vector<Placed> in, out;
    for (Dim& b : p.batch) in.push_back({&b.in_stride, b.size}), out.push_back({&b.out_stride, b.size});
    for (std::size_t i = 0; i < p.axes.size(); ++i) {
      Axis& a = p.axes[i];
      in.push_back({&a.in_stride, in_size(p, i)}), out.push_back({&a.out_stride, out_size(p, i)});
    }
    lay(in);
    if (p.placement == Placement::out_of_place) {
      lay(out);
      if (!p.batch.empty() && random_.one_in(8)) p.batch[0].in_stride = 0;
      return;
    }
    for (Axis& a : p.axes) a.out_stride = a.in_stride;
    for (Dim& b : p.batch) b.out_stride = b.in_stride;
  }
  void lay(std::vector<Placed>& dims) {
    if (random_.one_in(2))
      for (std::size_t i = dims.size(); i > 1; --i)
        std::swap(dims[i - 1], dims[std::size_t(random_.below(Index(i)))]);
    Index stride = random_.one_in(8) ? 2 : 1;
    for (auto d = dims.rbegin(); d != dims.rend(); ++d) {
      *d->stride = stride;
      stride *= d->size + (random_.one_in(3) ? random_.below(std::min<Index>(9, d->size + 1)) : 0);
    }
  }

  Generator random_;
  Sizes sizes_;
  Sort sort_;
  Index element_ = 8;
};

bool is_sound(Problem const& problem, Index most) try {
  check(problem);
  Problem const dense = dense_layout(problem);
  return std::max(in_bytes(dense), out_bytes(dense)) <= most;
} catch (Error const&) {
  return false;
}

}  // namespace

Sizes sizes_for(Machine const& machine, Index most) {
  Sizes s;
  if (machine.kind == MachineKind::gpu) {
    s.small = std::min(machine.l2_bytes / 16, Index(4) << 20);
    s.chip = machine.shared_block * machine.cluster;
    s.large_least = machine.l2_bytes / 5 * 8;
    s.large_most = machine.l2_bytes / 4 * 17;
  } else {
    s.small = machine.l2_bytes / 2;
    s.chip = 2 * machine.l2_bytes;
    s.large_least = machine.l2_bytes;
    s.large_most = 16 * machine.l2_bytes;
  }
  s.most = most;
  for (Index* const bytes : {&s.small, &s.chip, &s.large_least, &s.large_most})
    *bytes = std::min(*bytes, most);
  return s;
}

Problem drawn(std::uint64_t seed, std::uint64_t number, Sizes const& sizes) {
  Draw draw(seed, number, sizes);
  for (;;)
    if (Problem const p = draw(); is_sound(p, sizes.most)) return p;
}

}  // namespace skipper::coverage
