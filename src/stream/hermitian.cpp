// See hermitian.h.
#include "stream/hermitian.h"

#include <complex>

namespace skipper::stream {
namespace {

/// body(k1, packed index, host index) of the beginning of every row of the slice. Rows are the last batch dimension.
template <class Body>
void each_row(Pass const& pass, Box const& box, Problem const& slice, bool gather, Loop const& loop,
              Body&& body) {
  Index lines = 1;
  for (Dim const& d : slice.batch) lines *= d.size;
  loop(lines, [&](Index begin, Index end) {
    for (Index line = begin; line < end; ++line) {
      Index packed = 0, host = 0, rest = line, row = 0;
      for (std::size_t i = slice.batch.size(); i-- > 0; rest /= slice.batch[i].size) {
        Index const at = rest % slice.batch[i].size;
        packed += at * (gather ? slice.batch[i].in_stride : slice.batch[i].out_stride);
        if (i + 1 == slice.batch.size())
          row = box.first[i] + at;
        else
          host +=
              (box.first[i] + at) * (gather ? pass.whole.batch[i].in_stride : pass.whole.batch[i].out_stride);
      }
      body(row, packed, host);
    }
  });
}

template <class T>
void gather(Pass const& pass, Box const& box, Problem const& slice, std::complex<T> const* host,
            std::complex<T>* packed, Loop const& loop) {
  Index const n2 = slice.axes[0].size, n = pass.hermitian, n1 = n / n2;
  Index const stride = pass.whole.batch.back().in_stride, step = slice.axes[0].in_stride;
  each_row(pass, box, slice, true, loop, [&](Index k1, Index to, Index from) {
    for (Index k2 = 0; k2 < n2; ++k2) {
      Index const k = k1 + n1 * k2;
      packed[to + k2 * step] =
          k <= n / 2 ? host[from + k * stride] : std::conj(host[from + (n - k) * stride]);
    }
  });
}

template <class T>
void scatter(Pass const& pass, Box const& box, Problem const& slice, std::complex<T> const* packed,
             std::complex<T>* host, Loop const& loop) {
  Index const n2 = slice.axes[0].size, n = pass.hermitian, n1 = n / n2;
  Index const stride = pass.whole.batch.back().out_stride, step = slice.axes[0].out_stride;
  each_row(pass, box, slice, false, loop, [&](Index k1, Index from, Index to) {
    bool const own_hermitian = k1 == 0 || 2 * k1 == n1;  // n - k is in this row too
    for (Index k2 = 0; k2 < n2; ++k2) {
      Index const k = k1 + n1 * k2;
      if (k <= n / 2)
        host[to + k * stride] = packed[from + k2 * step];
      else if (!own_hermitian)
        host[to + (n - k) * stride] = std::conj(packed[from + k2 * step]);
    }
  });
}

}  // namespace

void gather_hermitian(Pass const& pass, Box const& box, Problem const& slice, std::byte const* host,
                      std::byte* packed, Loop const& loop) {
  if (slice.precision == Precision::f32)
    gather(pass, box, slice, reinterpret_cast<std::complex<float> const*>(host),
           reinterpret_cast<std::complex<float>*>(packed), loop);
  else
    gather(pass, box, slice, reinterpret_cast<std::complex<double> const*>(host),
           reinterpret_cast<std::complex<double>*>(packed), loop);
}

void scatter_hermitian(Pass const& pass, Box const& box, Problem const& slice, std::byte const* packed,
                       std::byte* host, Loop const& loop) {
  if (slice.precision == Precision::f32)
    scatter(pass, box, slice, reinterpret_cast<std::complex<float> const*>(packed),
            reinterpret_cast<std::complex<float>*>(host), loop);
  else
    scatter(pass, box, slice, reinterpret_cast<std::complex<double> const*>(packed),
            reinterpret_cast<std::complex<double>*>(host), loop);
}

}  // namespace skipper::stream
