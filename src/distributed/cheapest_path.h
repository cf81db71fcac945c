// Dijkstra's algorithm on a graph whose nodes are found on the way: a node is a state with a key, and expanding one reaches
// the next ones.
#pragma once

#include <skipper/error.h>

#include <functional>
#include <map>
#include <queue>
#include <string>
#include <utility>
#include <vector>

namespace skipper::distributed {

template <class State, class Edge>
class CheapestPath {
 public:
  struct Visit {
    double seconds = 0;  // of the path up to here
    State state;
    std::string from;  // the key before; empty at the start
    Edge by = {};      // the edge from there
    bool settled = false;
  };

  Visit const& at(std::string const& key) const { return visits_.at(key); }

  /// Adds a node, or replaces the path to one by a cheaper path.
  void reach(std::string const& key, Visit visit) {
    double const seconds = visit.seconds;
    auto const [at, is_new] = visits_.try_emplace(key, visit);
    if (!is_new) {
      if (at->second.settled || at->second.seconds <= seconds) return;
      at->second = std::move(visit);
    }
    open_.push({seconds, key});
  }

  /// Calls expand(key) for nodes by rising time, until is_end(key) holds, and returns that key.
  template <class IsEnd, class Expand>
  std::string run(IsEnd const& is_end, Expand const& expand) {
    while (!open_.empty()) {
      std::string const key = open_.top().second;
      open_.pop();
      Visit& visit = visits_.at(key);
      if (visit.settled) continue;
      visit.settled = true;
      if (is_end(key)) return key;
      expand(key);
    }
    throw Error("problem", "no order of stages was found; this is a fault of Skipper");
  }

 private:
  std::map<std::string, Visit> visits_;
  using Entry = std::pair<double, std::string>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

}  // namespace skipper::distributed
