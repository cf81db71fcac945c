// The spectrum of a real line that was split in two, n = n1 n2. The device has rows k1 <= n1/2 of all k2, which are elements
// k = k1 + n1 k2 of the whole spectrum. The host stores k <= n/2 only; element k beyond is the conjugate of n - k.
#pragma once

#include <cstddef>

#include "stream/copy.h"
#include "stream/schedule.h"
#include "stream/slices.h"

namespace skipper::stream {

/// For c2r: fills rows of the spectrum from the host's half of it.
void gather_hermitian(Pass const& pass, Box const& box, Problem const& slice, std::byte const* host,
                      std::byte* packed, Loop const& loop);

/// For r2c: fills the host's half of the spectrum from rows; every element comes from exactly one row.
void scatter_hermitian(Pass const& pass, Box const& box, Problem const& slice, std::byte const* packed,
                       std::byte* host, Loop const& loop);

}  // namespace skipper::stream
