// What holds of every sort of problems that are drawn.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "coverage/property.h"

namespace skipper::coverage {

/// Of 500 problems some have each property, and their texts differ.
template <class P, class Draw>
void expect_every_property(std::vector<Property<P>> const& properties, Draw const& draw) {
  std::map<std::string, int> counts;
  std::set<std::string> texts;
  for (std::uint64_t i = 0; i < 500; ++i) {
    P const p = draw(i);
    texts.insert(text(p));
    for (Property<P> const& property : properties) counts[property.name] += property.holds(p);
  }
  for (Property<P> const& property : properties) EXPECT_GE(counts[property.name], 5) << property.name;
  EXPECT_GT(texts.size(), 450u);
}

}  // namespace skipper::coverage
