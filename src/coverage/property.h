// Words for what a problem covers, each with the problems that it holds of.
#pragma once

#include <string>
#include <vector>

#include "coverage/mechanisms.h"

namespace skipper::coverage {

template <class P>
struct Property {
  std::string name;
  bool (*holds)(P const& problem);
};

template <class P>
Uses uses_of(P const& problem, std::vector<Property<P>> const& properties) {
  Uses uses;
  for (Property<P> const& p : properties)
    if (p.holds(problem)) uses.insert({p.name, ""});
  return uses;
}

template <class P>
std::vector<std::string> names_of(std::vector<Property<P>> const& properties) {
  std::vector<std::string> names;
  for (Property<P> const& p : properties) names.push_back(p.name);
  return names;
}

}  // namespace skipper::coverage
