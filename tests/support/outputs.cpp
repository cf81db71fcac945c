// See outputs.h.
#include "support/outputs.h"

#include <gtest/gtest.h>

#include "emulator/unset.h"

namespace skipper::testing {

std::vector<Index> places(Problem const& p, Index b, bool output) {
  Index at = 0;
  for (std::size_t i = p.batch.size(); i-- > 0; b /= p.batch[i].size)
    at += b % p.batch[i].size * (output ? p.batch[i].out_stride : p.batch[i].in_stride);
  std::vector<Index> list{at};
  for (std::size_t a = 0; a < p.axes.size(); ++a) {
    std::vector<Index> longer;
    Index const stride = output ? p.axes[a].out_stride : p.axes[a].in_stride;
    for (Index base : list)
      for (Index i = 0; i < (output ? out_size(p, a) : in_size(p, a)); ++i)
        longer.push_back(base + i * stride);
    list = std::move(longer);
  }
  return list;
}

template <class T>
void verify_written(Problem const& p, Array<T> const& out) {
  auto const* const got = reinterpret_cast<T const*>(out.data());
  Index const parts = out_element_bytes(p) == Index(sizeof(T)) ? 1 : 2;
  Index batch = 1;
  for (Dim const& d : p.batch) batch *= d.size;
  std::vector<bool> owned(2 * out.size(), false);
  for (Index b = 0; b < batch; ++b)
    for (Index place : places(p, b, true))
      for (Index i = 0; i < parts; ++i) owned[std::size_t(parts * place + i)] = true;
  for (std::size_t i = 0; i < owned.size(); ++i) {
    bool const written = !emulator::unset_origin(got[i]);
    ASSERT_TRUE(written || !owned[i]) << "an output was not written, at real " << i;
    ASSERT_TRUE(owned[i] || !written) << "a gap of the output was written, at real " << i;
  }
}

template void verify_written(Problem const&, Array<float> const&);
template void verify_written(Problem const&, Array<double> const&);

}  // namespace skipper::testing
