// Memory in reserve: what was given is taken again, nobody has the same at once, and what finds no place is freed.
#include "base/spare_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace skipper {
namespace {

TEST(SpareMemory, GivesWhatItWasGiven) {
  SpareMemory spare;
  AlignedMemory memory = spare.take(1000);
  void* const at = memory.get();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(at) % 64, 0u);
  spare.give(std::move(memory));
  AlignedMemory const again = spare.take(1000), other = spare.take(1000);
  EXPECT_EQ(again.get(), at);
  EXPECT_NE(other.get(), at);
}

TEST(SpareMemory, KeepsAsManyAsItHasPlacesFor) {
  static int allocated;
  allocated = 0;
  auto const count = [](void*, std::size_t) { ++allocated; };
  SpareMemory spare;
  std::vector<AlignedMemory> all;
  for (int i = 0; i < 200; ++i) all.push_back(spare.take(64, count));
  EXPECT_EQ(allocated, 200);
  for (AlignedMemory& memory : all) spare.give(std::move(memory));
  for (AlignedMemory& memory : all) memory = spare.take(64, count);
  EXPECT_EQ(allocated, 200 + 200 - 64) << "64 places; the others were freed";
}

TEST(SpareMemory, IsOneThreadsAtATime) {
  SpareMemory spare;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&spare, t] {
      for (int round = 0; round < 500; ++round) {
        AlignedMemory memory = spare.take(256);
        std::memset(memory.get(), t, 256);
        for (int i = 0; i < 256; ++i) ASSERT_EQ(static_cast<char*>(memory.get())[i], t);
        spare.give(std::move(memory));
      }
    });
}

}  // namespace
}  // namespace skipper
