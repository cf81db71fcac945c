// The arrays of an f16 problem that are in half precision: both, or one of them while the other is in f32. Stages of a
// distributed transform read or write f32 between them.
#pragma once

namespace skipper {

enum class HalfEnds { both, input, output };

constexpr bool half_input(HalfEnds ends) { return ends != HalfEnds::output; }
constexpr bool half_output(HalfEnds ends) { return ends != HalfEnds::input; }

}  // namespace skipper
