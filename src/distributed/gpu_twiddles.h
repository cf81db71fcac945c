// The twiddles between the two digits of an axis that is split over ranks (split.h), on a GPU: the stage of the second digit
// multiplies element (k1, j2) by w(n)^(k1 j2) as it loads it, so they cost no pass over memory. A power is the product of an entry
// of each of two tables of about sqrt(n).
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "distributed/owned.h"
#include "distributed/program.h"
#include "distributed/strides.h"

namespace skipper::distributed {

/// Whether a stage transforms the second digit.
bool loads_twiddles(Program const& program, std::size_t stage);

class GpuTwiddles {
 public:
  GpuTwiddles(Program const& program, std::shared_ptr<Gpu> gpu);

  /// For a transform that begins at `part` of a dense array. Valid as long as this object.
  GpuLoad load(Array const& array, Box const& part);

  /// The same for a transform that is called with a table of base addresses, which these words are to be put before.
  GpuLoad load_before_bases(Array const& array) const { return {text(array), nullptr}; }
  std::array<unsigned long long, 4> words_before_bases(Box const& part) const;

  Index memory_bytes() const;

 private:
  std::string text(Array const& array) const;

  std::size_t first_ = 0;  // the dimension of the first digit
  int bits_ = 0;           // of a power that count in the table of small ones
  Index table_bytes_ = 0;
  std::shared_ptr<Gpu> gpu_;
  Owned low_, high_;           // w^i, w^(i 2^bits)
  std::vector<Owned> starts_;  // where parts begin, and both tables
};

}  // namespace skipper::distributed
