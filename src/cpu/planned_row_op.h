// A row op of a cosine or sine program (trig.h), ready to run: as a whole, or by parts that threads take. Its entries
// are stored in a table, done by vectors (VectorRun in row_ops.h), or computed a block at a time when they are needed, where a
// table would be as long as the data.
#pragma once

#include <complex>
#include <memory>
#include <vector>

#include "cpu/line.h"
#include "cpu/trig.h"
#include "cpu/vector_runs.h"

namespace skipper::cpu {

/// The strides between rows on either side, and how many reals a row has.
struct RowStrides {
  Index in_row = 1, out_row = 1, columns = 1;
};

template <class T>
class PlannedRowOp {
 public:
  enum class Entries { stored, computed };
  /// One or two that together do all of `op`, which must be no transform: the entries that form a vector run, and the others.
  /// `neighbours`: rows are single numbers next to each other.
  static std::vector<PlannedRowOp> of(TrigOp const& op, bool neighbours, Entries entries, TableMaker& tables);

  TrigArray from() const { return from_; }
  TrigArray to() const { return to_; }
  /// The length of a matrix product, or 0 where this is none.
  Index product() const { return product_.n; }
  /// The number of entries, by which run() is cut into parts: a part begins at a multiple of `grain`.
  Index count() const { return count_; }
  static constexpr Index grain = 4096;

  void run(Index begin, Index end, RowStrides const& strides, T const* in, T* out) const;
  /// Gives the one pass that does all entries; the caller fills in its arrays. Returns false where it takes more.
  bool bind(RowStrides const& strides, BoundPass& bound) const;

 private:
  PlannedRowOp(TrigOp const& op, TableMaker& tables);
  void add_product(TrigProduct const& product, TableMaker& tables);
  void add_run(TrigOp const& op, FoundRun const& found, TableMaker& tables);
  void add_dct4(TrigOp const& op, FoundRun const& found, TableMaker& tables);
  void add_entries(TrigOp const& op, std::vector<Index> numbers, TableMaker& tables);
  void add_table(TrigOp const& op, TableMaker& tables);
  void make_entries(TrigOp const& op);

  void run_computed(Index begin, Index end, RowStrides const& strides, BoundPass bound, T const* in,
                    T* out) const;
  void run_few(Index begin, Index end, BoundPass bound, T const* in, T* out) const;

  /// Entries [begin, end) whose rows and rotation angles form arithmetic progressions, with the same other factors.
  struct Progression {
    Index begin = 0, end = 0;
    RowPair<double> first;
    Index from[2], to[2];  // the steps of rows from entry to entry
    std::complex<double> rotation;
    bool alike = false;  // at least some entries, with the angle that rotations_ is for

    Progression(TrigOp const& op, Index at);
    bool holds(Index i, RowPair<double> const& m) const;
  };
  void run_progression(Progression const& progression, Index begin, Index end, RowStrides const& strides,
                       T const* in, T* out) const;

  static constexpr Index block = 128;  // entries computed at a time
  static constexpr std::size_t max_progressions = 64;

  RowOp op_;
  TrigArray from_, to_;
  Index count_ = 0;
  RowPass pass_ = nullptr;
  TrigProduct product_;  // without its matrix
  Table<RowPair<T>> pairs_;
  Table<RowQuad<T>> quads_;
  Table<T> matrix_, coarse_;  // the matrix, or the tables of a run
  std::unique_ptr<VectorRun<T>> run_;
  TrigOp computed_;                        // where entries are computed as they are needed
  std::vector<Progression> progressions_;  // of all pairs, or of the first ones where there are too many
  std::vector<T> rotations_;               // of a block's pairs against its first, interleaved
};

}  // namespace skipper::cpu
