// The plans that real programs were seen to make (client_calls.txt, from SKIPPER_LOG=1), made again and executed.
#include <fstream>
#include <sstream>

#include "memory.h"

namespace skipper::fftw3::testing {
namespace {

struct ClientCall {
  std::string client;
  Layout layout;
  bool in_place = false;
};

FFTW_NAME(iodim64) dim(std::string const& word) {
  FFTW_NAME(iodim64) d{};
  char colon = 0;
  std::istringstream(word) >> d.n >> colon >> d.is >> colon >> d.os;
  return d;
}

/// "octave: c2c forward 6:16:16 batch 8:2:2 pairs 1:1".
ClientCall parse(std::string const& line) {
  ClientCall call;
  std::istringstream words(line);
  std::string word;
  words >> call.client >> word;
  Layout& l = call.layout;
  l.kind = word == "c2c" ? Kind::c2c : word == "r2c" ? Kind::r2c : word == "c2r" ? Kind::c2r : Kind::r2r;
  bool batch = false;
  std::vector<std::string> const names = {"r2hc",    "hc2r",    "dht",     "redft00", "redft01", "redft10",
                                          "redft11", "rodft00", "rodft01", "rodft10", "rodft11"};
  while (words >> word) {
    if (word == "forward" || word == "inverse") {
      l.sign = word == "forward" ? -1 : 1;
    } else if (word == "batch") {
      batch = true;
    } else if (word == "in-place") {
      call.in_place = true;
    } else if (word == "pairs") {
      words >> word;
      FFTW_NAME(iodim64) const pairs = dim("0:" + word);
      l.in_pair = pairs.is;
      l.out_pair = pairs.os;
    } else {
      (batch ? l.batch : l.axes).push_back(dim(word));
      for (std::size_t kind = 0; kind < names.size(); ++kind)
        if (!batch && word.ends_with(":" + names[kind])) l.kinds.push_back(static_cast<int>(kind));
    }
  }
  return call;
}

TEST(Clients, PlansOfTheirsGiveTheDefinition) {
  std::ifstream file(SKIPPER_CLIENT_CALLS);
  int count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    ClientCall const call = parse(line);
    ASSERT_EQ(call.client.back(), ':') << line;
    verify(line, call.layout, call.in_place, make_split);
    ++count;
  }
  EXPECT_GT(count, 30);
}

}  // namespace
}  // namespace skipper::fftw3::testing
