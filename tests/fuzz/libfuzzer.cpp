// A target for clang's libFuzzer (SKIPPER_LIBFUZZER): seeds stand in for a corpus, and every other mutation is ours.
#include "fuzz/fuzz.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  skipper::fuzz::takes({reinterpret_cast<char const*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  using namespace skipper::fuzz;
  static std::vector<std::string> const valid = seeds();
  Random random(seed);
  std::string const& other = valid[random.below(valid.size())];
  std::string text(reinterpret_cast<char const*>(data), size);
  if (size <= 1 || random.below(100) == 0)
    text = other;
  else if (random.below(2) == 0)
    return LLVMFuzzerMutate(data, size, most);
  std::string const result = mutated(text, other, random).substr(0, most);
  result.copy(reinterpret_cast<char*>(data), result.size());
  return result.size();
}
