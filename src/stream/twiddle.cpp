// See twiddle.h.
#include "stream/twiddle.h"

#include "base/roots.h"

namespace skipper::stream {

Twiddles::Twiddles(Index n) {
  if (n == 0) return;
  while (block_ * block_ < n) block_ *= 2;
  low_ = roots<double>(n, block_);
  high_ = roots<double>(n, (n + block_ - 1) / block_, block_);
}

template <class T>
void Twiddles::rows(Pass const& pass, Box const& box, Problem const& slice, std::complex<T>* data,
                    Loop const& loop) const {
  Axis const& axis = slice.axes[0];
  Dim const& columns = slice.batch.back();
  Index const first = box.first.back();
  bool const inverse = pass.whole.direction == Direction::inverse;
  Index const modes = out_size(slice, 0);  // half of them in the first pass of a real line
  Index lines = modes;
  for (std::size_t i = 0; i + 1 < slice.batch.size(); ++i) lines *= slice.batch[i].size;
  loop(lines, [&](Index begin, Index end) {
    for (Index line = begin; line < end; ++line) {
      Index const k = line % modes;
      Index at = k * axis.out_stride, rest = line / modes;
      for (std::size_t i = slice.batch.size() - 1; i-- > 0; rest /= slice.batch[i].size)
        at += rest % slice.batch[i].size * slice.batch[i].out_stride;
      for (Index j = 0; j < columns.size; ++j) {
        std::complex<double> const w = root((first + j) * k);
        std::complex<T>& value = data[at + j * columns.out_stride];
        double const re = value.real(), im = value.imag(), sine = inverse ? -w.imag() : w.imag();
        value = {T(re * w.real() - im * sine), T(re * sine + im * w.real())};
      }
    }
  });
}

void Twiddles::apply(Pass const& pass, Box const& box, Problem const& slice, void* data,
                     Loop const& loop) const {
  if (slice.precision == Precision::f32)
    rows(pass, box, slice, static_cast<std::complex<float>*>(data), loop);
  else
    rows(pass, box, slice, static_cast<std::complex<double>*>(data), loop);
}

}  // namespace skipper::stream
