// Which arrays of a problem with 16-bit storage (f16, bf16) are narrow, in that storage: both, or one of them while the
// other is in f32. Stages of a distributed transform read or write f32 between them.
#pragma once

namespace skipper {

enum class NarrowSides { both, input, output };

constexpr bool narrow_input(NarrowSides sides) { return sides != NarrowSides::output; }
constexpr bool narrow_output(NarrowSides sides) { return sides != NarrowSides::input; }

}  // namespace skipper
