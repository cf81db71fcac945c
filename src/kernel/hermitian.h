#pragma once
// The step of a sweep that joins each element with the one at the negated index, or tells two columns apart, in the registers
// of a thread; hermitian_rows.h says what becomes of the two.
#include "kernel/hermitian_rows.h"
#include "kernel/twiddles.h"

namespace skipper::kernel {

template <class T, class Spec, class Block>
class Hermitian : protected Twiddles<T, Spec, Block> {
 public:
  using Twiddles<T, Spec, Block>::Twiddles;

 protected:
  using Base = Twiddles<T, Spec, Block>;
  using Base::spec_, Base::block_, Base::v_, Base::grid_, Base::rank_, Base::short_thread_offset,
      Base::is_active, Base::rotations, Base::rotation_factors, Base::single_twiddle;

  /// Joins each element with that of the negated index, which waits where the exchange has put it.
  template <class S>
  void hermitian(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, s);
    auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, s);
    auto const& index = aggregate<register_offsets<int>>(spec_, affine<MapName::rotation>, Const<0>{}, s);
    auto const& split = aggregate<hermitian_of>(spec_);
    auto const apart = Int<Block>(this->conjugate_distance(affine<MapName::rotation>, Const<0>{}, s));
    Int<Block> const row = short_thread_offset(affine<MapName::rotation>, Const<0>{}, s),
                     first = row + apart * short_thread_offset(affine<MapName::conjugate>, s, s);
    auto const rotate = rotations(affine<MapName::rotation>, s, row);
    auto const route = partner_places(s);
    auto const hop = hops(s);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      v_[q] = rows().joined_with(v_[q], taken(route(q), place + part[q] + hop(q)),
                                 [&](auto x) { return rotate(q, x); });
    });
    when(get<drops_imaginary_ends>(spec_, s), [&](auto...) {
      auto const begins = block_.only(first == 0 && this->has_line_ends());
      if (!begins) return;
      int const far = split.weight[0] * split.extent[0];
      repeat(get<elements_per_thread>(spec_, s), [&](int q) {
        Int<Block> const at = place + part[q];
        if (index[q] == 0)
          v_[q] = rows().ends_joined(v_[q], rows().at(at + hop(q) - far), rows().at(at + far));
      });
    });
  }

  /// The element at the negated index of register q's; and the same times the conjugate rotation.
  template <class S>
  auto partner(S s) {
    auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, s);
    auto const hop = hops(s);
    return [this, place, hop, s](int q) {
      return rows().at(place + aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, s)[q] +
                       hop(q));
    };
  }
  template <class S>
  auto rotated_partner(S s) {
    auto const own = partner(s);
    auto const rotate = rotations(affine<MapName::rotation>, s,
                                  short_thread_offset(affine<MapName::rotation>, Const<0>{}, s));
    return [own, rotate](int q) { return conj(rotate(q, conj(own(q)))); };
  }

  /// Tells two columns apart, or joins them: row k of both waits where the exchange has put it.
  template <class S>
  void hermitian_columns(S s) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::near>, s, s);
    auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::near>, s, s);
    auto const& index = aggregate<register_offsets<int>>(spec_, affine<MapName::hermitian>, Const<0>{}, s);
    auto const& second = aggregate<register_offsets<int>>(spec_, affine<MapName::parity>, s, s);
    auto const hop = hops(s);
    auto const first = short_thread_offset(affine<MapName::hermitian>, Const<0>{}, s),
               lane = short_thread_offset(affine<MapName::parity>, s, s);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      Int<Block> const at = place + part[q], k = first + index[q];
      Bool<Block> const odd = lane + second[q] != 0;
      v_[q] = get<splits_first>(spec_, s) ? rows().joined(at, k, odd) : rows().parted(at, at + hop(q), odd);
    });
  }

  /// Row half way of the line whose row 0 is in register q.
  template <class S>
  Complex<T> half_way_row(S s, int q) {
    auto const step = get<hermitian_step>(spec_);
    auto const here = get<exchange_base>(spec_, step) + short_thread_offset(affine<MapName::near>, step, s) +
                      aggregate<register_offsets<int>>(spec_, affine<MapName::near>, step, s)[q] +
                      get<hermitian_far>(spec_);
    Bool<Block> const odd =
        short_thread_offset(affine<MapName::parity>, step, s) +
            aggregate<register_offsets<int>>(spec_, affine<MapName::parity>, step, s)[q] !=
        0;
    return rows().parted(here, here, odd);
  }

  /// Element `extent` of the line whose element 0 is in register q, from what the exchange into the Hermitian split's step
  /// has left.
  template <class S>
  Complex<T> last_of_hermitian(S s, int q) {
    Complex<T> x{};
    when(get<by_columns>(spec_), [&](auto...) { x = half_way_row(s, q); });
    when(get<by_rows>(spec_), [&](auto...) { x = last_by_rows(s, q); });
    each(get<steps>(spec_), [&](auto t) {
      when(get<twiddles_singly>(spec_, t),
           [&](auto...) { x = x * single_twiddle(t, s, q, get<half_way>(spec_)); });
    });
    return x;
  }

  template <class S>
  Complex<T> last_by_rows(S s, int q) {
    auto const step = get<hermitian_step>(spec_);
    auto const here = get<exchange_base>(spec_, step) +
                      short_thread_offset(affine<MapName::shared>, step, s) +
                      aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, step, s)[q];
    return rows().last(rows().at(here), rows().at(here + hops(s)(q)));
  }

  /// Makes each element a cosine along the axis that is crossed; its partner along the other will read it where it waits.
  template <class S>
  void cross(S s) {
    join_rows(s, [](Complex<T> w, Complex<T> own, Complex<T> other, Bool<Block>) {
      return w.re * (own + other) + times_i(w.im * (own - other));
    });
    put_again(s);
  }

  /// Back from cosines along the axis that is crossed.
  template <class S>
  void cross_back(S s) {
    put_again(s);
    join_rows(s, [](Complex<T> w, Complex<T> own, Complex<T> other, Bool<Block> itself) {
      return w * select(itself, own, own + times_i(other));
    });
  }

  /// Each element with the one of row -r along the axis that is crossed, and w^r.
  template <class S, class Join>
  void join_rows(S s, Join join) {
    auto const here = block_.only(is_active(s));
    if (!here) return;
    auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, s),
               first = short_thread_offset(affine<MapName::cross>, Const<0>{}, s);
    auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, s);
    auto const& index = aggregate<register_offsets<int>>(spec_, affine<MapName::cross>, Const<0>{}, s);
    auto const& crossing = aggregate<crossed_axis_of>(spec_);
    auto const factor = rotation_factors(affine<MapName::cross>, s, first);
    repeat(get<elements_per_thread>(spec_, s), [&](int q) {
      Bool<Block> const itself = index[q] == 0 && first == 0;
      Int<Block> const apart = crossing.weight * (crossing.extent - 2 * (first + index[q])),
                       away = select(itself, Int<Block>(0), apart);
      v_[q] = join(factor(q), v_[q], rows().at(place + part[q] + away), itself);
    });
  }

  /// Stores the elements again where the exchange has put them.
  template <class S>
  void put_again(S s) {
    block_.sync();
    if (auto const here = block_.only(is_active(s))) {
      auto const place = get<exchange_base>(spec_, s) + short_thread_offset(affine<MapName::shared>, s, s);
      auto const& part = aggregate<register_offsets<int>>(spec_, affine<MapName::shared>, s, s);
      repeat(get<elements_per_thread>(spec_, s), [&](int q) { block_.put(place + part[q], v_[q]); });
    }
    block_.sync();
  }

  HermitianRows<T, Spec, Block> rows() const { return {spec_, block_}; }

  /// How partners are found by all registers of a thread that have the same part of the row, or of its conjugate: in which block,
  /// and how far from the element's place, where a register has some index of a digit, or none.
  struct PartnerPlace {
    Int<Block> cluster_rank, apart, end, some[max_split_digits], none[max_split_digits];
  };

  /// `begins`: whether a run of a line that a cluster holds begins there. Then the partner is in the block beside.
  template <class S>
  PartnerPlace place_of_partner(S s, Int<Block> conjugate, Bool<Block> begins) const {
    auto const& split = aggregate<hermitian_of>(spec_);
    PartnerPlace to{Int<Block>(rank_), 0, 0, {}, {}};
    each(get<hermitian_digits>(spec_), [&](auto m) {
      auto const i = this->short_thread_offset(affine<MapName::hermitian>, m, s);
      to.some[m] = split.weight[m] * (split.extent[m] - 2 * i);
      to.none[m] = hermitian_hop(split, m, i);
      when(get<above_grid_conjugates>(spec_, m), [&](auto...) {
        auto const here = block_.only(borrows(get<negated_digits>(spec_), split.conjugate_rows, grid_, m));
        if (here) to.none[m] = to.some[m] -= split.weight[m];
      });
    });
    Int<Block> const none = 0, own_rank = Int<Block>(rank_),
                     across = split.conjugate_rows.weight * (1 - 2 * conjugate);
    Bool<Block> low =
        rank_ != 0 || conjugate != 0;  // whether what ranks count of the index, or what is below it, is not 0
    when(get<has_grid_conjugates>(spec_), [&](auto...) { to.apart = across; });
    when(get<has_rank_conjugates>(spec_), [&](auto...) { to.apart = select(rank_ != 0, across, none); });
    when(get<has_conjugate_lines>(spec_), [&](auto...) {
      auto const above = this->short_thread_offset(affine<MapName::hermitian>, Const<1>{}, s);
      if (auto const here = block_.only(begins))
        to.cluster_rank = rank_beside(split.conjugate_rows, own_rank, conjugate != 0);
      to.apart = select(begins && to.cluster_rank == own_rank, none, across);
      to.end = select(begins && !low && above == 0, to.none[0],
                      none);  // only the first of all has the extra one there
      to.none[0] = select(begins, none, to.none[0]);
      low = low || !begins;
    });
    each(get<hermitian_digits>(spec_), [&](auto m) {
      when(get<above_rank_conjugates>(spec_, m), [&](auto...) {
        to.some[m] -= select(low, Int<Block>(split.weight[m]), none);
        to.none[m] = select(low, to.some[m], to.none[m]);
      });
    });
    return to;
  }

  /// The partner of each register.
  template <class S>
  auto partner_places(S s) const {
    auto const own = short_thread_offset(affine<MapName::conjugate>, s, s);
    Bool<Block> const first = get<has_conjugate_lines>(spec_) &&
                              short_thread_offset(affine<MapName::hermitian>, Const<0>{}, s) == 0;
    PartnerPlace const row = place_of_partner(s, own, false), begun = place_of_partner(s, own, first),
                       conjugate = place_of_partner(s, own + 1, false),
                       begun_conjugate = place_of_partner(s, own + 1, first);
    return [this, row, begun, conjugate, begun_conjugate, s](int q) {
      bool const run =
          get<has_conjugate_lines>(spec_) &&
          aggregate<register_offsets<int>>(spec_, affine<MapName::hermitian>, Const<0>{}, s)[q] == 0;
      if (aggregate<register_offsets<int>>(spec_, affine<MapName::conjugate>, s, s)[q] != 0)
        return run ? begun_conjugate : conjugate;
      return run ? begun : row;
    };
  }

  /// From the place of register q's element to that of its partner. Where a register alone has some index of a digit, so
  /// has the element: then what is left to the thread is the same for all, and the rest a constant.
  template <class S>
  auto hops(S s) const {
    return [this, of = partner_places(s), s](int q) {
      auto const& hermitian = aggregate<hermitian_of>(spec_);
      PartnerPlace const partner = of(q);
      Int<Block> total = partner.apart;
      each(get<hermitian_digits>(spec_), [&](auto m) {
        int const i = aggregate<register_offsets<int>>(spec_, affine<MapName::hermitian>, m, s)[q];
        total += i != 0 ? partner.some[m] - 2 * hermitian.weight[m] * i : partner.none[m];
      });
      when(get<has_conjugate_lines>(spec_), [&](auto...) {
        if (aggregate<register_offsets<int>>(spec_, affine<MapName::hermitian>, Const<1>{}, s)[q] == 0)
          total += partner.end;
      });
      return total;
    };
  }

  /// The element at a place, of the block where the partner is.
  Complex<T> taken(PartnerPlace const& partner, Int<Block> place) const {
    Complex<T> x{};
    when(get<splits_within>(spec_), [&](auto...) { x = rows().at(place); });
    when(get<has_conjugate_lines>(spec_),
         [&](auto...) { x = block_.template take_remote<T>(partner.cluster_rank, place); });
    return x;
  }
};

}  // namespace skipper::kernel
