// A row op of a cosine or sine program (trig.h), ready to run: as a whole, or by parts that threads take. Its entries
// are a table, a run of vectors (rows.h), or, where a table would be as long as the data, made a block at a time as they
// are needed.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "cpu/line.h"
#include "cpu/trig.h"
#include "cpu/trig_runs.h"

namespace skipper::cpu {

/// How rows lie: from one to the next on either side, and how many reals a row has.
struct RowPlaces {
  Index in_row = 1, out_row = 1, columns = 1;
};

template <class T>
class RowAction {
 public:
  enum class Entries { stored, made };
  /// One or two that do all of an action that is no transform: what is a run, and what is not. `neighbours`: rows are
  /// single numbers next to each other.
  static std::vector<RowAction> of(TrigAction const& action, bool neighbours, Entries entries,
                                   TableMaker& tables);

  Rows from() const { return from_; }
  Rows to() const { return to_; }
  /// Of a product; else 0.
  Index product() const { return product_.n; }
  /// What parts count, and what their ends are multiples of but for the last.
  Index count() const { return count_; }
  static constexpr Index grain = 4096;

  void run(Index begin, Index end, RowPlaces const& places, T const* in, T* out) const;
  /// The one pass that run() of all is, with places that the caller fills in; false where it is more.
  bool bind(RowPlaces const& places, Bound& bound) const;

 private:
  RowAction(TrigAction const& action, TableMaker& tables);
  void add_product(TrigProduct const& product, TableMaker& tables);
  void add_run(TrigAction const& action, FoundRun const& found, TableMaker& tables);
  void add_fourth(TrigAction const& action, FoundRun const& found, TableMaker& tables);
  void add_entries(TrigAction const& action, std::vector<Index> numbers, TableMaker& tables);
  void add_table(TrigAction const& action, TableMaker& tables);
  void make_entries(TrigAction const& action);

  void run_made(Index begin, Index end, RowPlaces const& places, Bound bound, T const* in, T* out) const;
  void run_few(Index begin, Index end, Bound bound, T const* in, T* out) const;

  /// Made entries [begin, end) whose rows go on evenly from entry to entry, with the same factors and a steady rotation.
  struct Even {
    Index begin = 0, end = 0;
    RowMove<double> first;
    Index from[2], to[2];  // from entry to entry
    std::complex<double> rotation;
    bool alike = false;  // several entries, which rotate as those of others do

    Even(TrigAction const& action, Index at);
    bool holds(Index i, RowMove<double> const& m) const;
  };
  void run_even(Even const& even, Index begin, Index end, RowPlaces const& places, T const* in, T* out) const;

  static constexpr Index block = 128;  // entries made at a time
  static constexpr std::size_t max_evens = 64;

  RowOp op_;
  Rows from_, to_;
  Index count_ = 0;
  RowPass pass_ = nullptr;
  TrigProduct product_;  // without its matrix
  Table<RowMove<T>> moves_;
  Table<RowQuad<T>> quads_;
  Table<T> matrix_, coarse_;  // the matrix, or the tables of a run
  std::unique_ptr<RowRun<T>> run_;
  TrigAction made_;          // where entries are made as they are needed
  std::vector<Even> evens_;  // that hold all moves, or the first of them where these would be too many
  std::vector<T> rotations_;  // of a block's moves against its first, interleaved
};

}  // namespace skipper::cpu
