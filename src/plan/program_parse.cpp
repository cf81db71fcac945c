// Reads programs back, also the plans as the papers print them: bare sub-transforms in braces, a Unicode minus in
// "no-tw", a space before a parenthesis, bullets, and "forward" or "inverse" where the Poisson paper says so.
#include <algorithm>
#include <charconv>
#include <optional>

#include "base/machine.h"
#include "plan/planner.h"
#include "plan/program.h"
#include "plan/tile.h"

namespace skipper {
namespace {

[[noreturn]] void fail(std::string const& what) { throw Error("program text", what); }

/// Of tiles, segments and L2 blocks; so many that no sum of a few of them overflows.
constexpr Index max_bytes = Index(1) << 50;

/// Words and marks of the text; UTF-8 minus signs and bullets are made plain.
class Scanner {
 public:
  explicit Scanner(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text.substr(i, 3) == "\u2212") {
        plain_ += '-';
        i += 2;
      } else if (text.substr(i, 3) == "\u2022" || text.substr(i, 3) == "\u2013") {
        plain_ += ' ';
        i += 2;
      } else {
        plain_ += text[i];
      }
    }
  }

  bool done() { return skip(), at_ == plain_.size(); }
  char peek() { return skip(), at_ < plain_.size() ? plain_[at_] : '\0'; }
  bool accept(std::string_view mark) {
    skip();
    if (plain_.compare(at_, mark.size(), mark) != 0) return false;
    at_ += mark.size();
    return true;
  }
  void expect(std::string_view mark) {
    if (!accept(mark)) fail("expected '" + std::string(mark) + "' before '" + rest() + "'");
  }
  /// Letters, digits, dashes and underscores; empty where none follow.
  std::string word() {
    skip();
    std::size_t const start = at_;
    while (at_ < plain_.size() &&
           (std::isalnum(static_cast<unsigned char>(plain_[at_])) || plain_[at_] == '_' ||
            (plain_[at_] == '-' && plain_.compare(at_, 2, "->") != 0)))
      ++at_;
    return plain_.substr(start, at_ - start);
  }
  bool accept_word(std::string_view expected) {
    std::size_t const start = (skip(), at_);
    if (word() == expected) return true;
    at_ = start;
    return false;
  }
  Index number() {
    skip();
    Index value = 0;
    auto const [end, error] = std::from_chars(plain_.data() + at_, plain_.data() + plain_.size(), value);
    if (error != std::errc() || value < 1)
      fail("expected a whole number of at least 1 before '" + rest() + "'");
    at_ = end - plain_.data();
    return value;
  }
  Index bytes() {
    Index const n = number();
    Index unit = 0;
    if (accept("MB"))
      unit = 1024 * 1024;
    else if (accept("KB"))
      unit = 1024;
    else if (accept("B"))
      unit = 1;
    if (!unit || n > max_bytes / unit)
      fail("expected bytes such as 128B, 64KB or 16MB, at most " + bytes_text(max_bytes) + ", before '" +
           rest() + "'");
    return n * unit;
  }
  /// What a message shows of it, on one line.
  std::string rest() {
    std::string shown = plain_.substr(at_, 24);
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    return shown;
  }

 private:
  void skip() {
    while (at_ < plain_.size() && std::isspace(static_cast<unsigned char>(plain_[at_]))) ++at_;
  }
  std::string plain_;
  std::size_t at_ = 0;
};

/// A sub-transform as written, still to be compared with what its place in the program makes it.
struct Written {
  SubTransform sub;
  std::optional<bool> twiddled;
};

/// A piece as written: a digit's name and cuts, resolved once all radices are known.
struct WrittenPiece {
  std::string name;
  Index unit = 1, extent = 0;  // 0: the rest
};

struct WrittenSweep {
  std::vector<std::pair<int, Written>> transforms;  // dimension and sub-transform
  std::vector<WrittenPiece> with, layout;
  std::optional<Tier> tier;
  int cluster_ranks = 1;
  std::optional<Index> tile, read, write;
  std::optional<Buffer> from, to;
  Index l2_block = 0;
  int streams = 1;
  bool fused = false;
};

class Parser {
 public:
  Parser(std::string_view text, Problem problem) : scan_(text) {
    program_.problem = std::move(problem);
    program_.dims = dimensions(program_.problem);
    program_.radices.resize(program_.dims.size());
    for (std::size_t d = 0; d < program_.dims.size(); ++d)
      if (!program_.dims[d].axis && program_.dims[d].size > 1) program_.radices[d] = {program_.dims[d].size};
  }

  Program run() {
    while (!scan_.done()) sweep();
    if (written_.empty()) fail("holds no sweep; write at least one {..}");
    resolve();
    return std::move(program_);
  }

 private:
  void sweep() {
    WrittenSweep w;
    scan_.expect("{");
    while (!scan_.accept("}")) {
      if (!direction_word()) sub(w);
      scan_.accept(",");
    }
    options(w);
    written_.push_back(std::move(w));
  }

  bool direction_word() {
    for (Direction d : {Direction::forward, Direction::inverse})
      if (scan_.accept_word(name(d))) {
        if (d != program_.problem.direction)
          fail("a sweep is " + std::string(name(d)) + " where the problem is " +
               std::string(name(program_.problem.direction)));
        return true;
      }
    return scan_.accept_word("GPU");
  }

  void sub(WrittenSweep& w) {
    std::string const axis = scan_.word();
    int const dim = dimension(axis);
    if (dim < 0 || !program_.dims[dim].axis)
      fail("'" + axis + "' is not an axis of the problem" +
           (axis.empty() ? " (found '" + scan_.rest() + "')" : ""));
    Written written;
    scan_.expect("(");
    for (Index* field : {&written.sub.count, &written.sub.radix, &written.sub.stride, &written.sub.span}) {
      if (field != &written.sub.count) scan_.expect(",");
      *field = scan_.number();
    }
    while (scan_.accept(",")) {
      if (scan_.accept_word("tw"))
        written.twiddled = true;
      else if (scan_.accept_word("no-tw"))
        written.twiddled = false;
      else if (scan_.accept_word("by"))
        written.sub.by = scan_.number();
      else if (scan_.accept_word("convolve"))
        written.sub.phase = ConvolutionPhase::middle;
      else if (scan_.accept_word("back"))
        written.sub.phase = ConvolutionPhase::back;
      else if (!direction_word())
        fail("expected tw or no-tw before '" + scan_.rest() + "'");
    }
    scan_.expect(")");
    auto& radices = program_.radices[dim];
    if (written.sub.phase == ConvolutionPhase::middle) program_.convolved.insert(dim);
    if (written.sub.by) program_.transformed_by[{dim, int(radices.size())}] = written.sub.by;
    if (written.sub.phase != ConvolutionPhase::back) radices.push_back(written.sub.radix);
    w.transforms.push_back({dim, written});
  }

  void options(WrittenSweep& w) {
    while (!scan_.done() && scan_.peek() != '{') {
      if (scan_.accept("[")) {
        while (!scan_.accept("]")) w.layout.push_back(piece());
      } else if (scan_.accept_word("with")) {
        while (!reserved()) w.with.push_back(piece());
      } else if (scan_.accept_word("on")) {
        tier(w);
      } else if (scan_.accept_word("tile")) {
        w.tile = scan_.bytes();
      } else if (scan_.accept_word("segments")) {
        w.read = scan_.bytes();
        scan_.expect("/");
        w.write = scan_.bytes();
      } else if (scan_.accept_word("l2_block")) {
        l2_block(w);
      } else {
        w.from = buffer();
        scan_.expect("->");
        w.to = buffer();
      }
    }
  }

  /// 16MB, or 2x16MB for two streams; `fused` where both sweeps are to share a kernel.
  void l2_block(WrittenSweep& w) {
    Scanner const saved = scan_;
    Index const streams = scan_.number();
    bool const several = scan_.accept("x");
    if (several && (streams < 1 || streams > 16))
      fail("L2 blocks take turns in 1 to 16 streams, not " + std::to_string(streams));
    if (!several) scan_ = saved;
    w.streams = several ? int(streams) : 1;
    w.l2_block = scan_.bytes();
    w.fused = scan_.accept_word("fused");
  }

  bool reserved() {
    if (scan_.done() || scan_.peek() == '{' || scan_.peek() == '[') return true;
    Scanner const saved = scan_;
    std::string const next = scan_.word();
    scan_ = saved;
    for (std::string_view r :
         {"on", "tile", "segments", "l2_block", "in", "out", "work", "work2", "l2_buffer", ""})
      if (next == r) return true;
    return false;
  }

  WrittenPiece piece() {
    WrittenPiece p{scan_.word()};
    if (p.name.empty()) fail("expected a digit such as X, Y2 or X%16 before '" + scan_.rest() + "'");
    if (scan_.accept("*")) p.name += "*";
    if (scan_.accept("/")) p.unit = scan_.number();
    if (scan_.accept("%")) p.extent = scan_.number();
    return p;
  }

  void tier(WrittenSweep& w) {
    for (Tier t : {Tier::thread, Tier::block, Tier::cluster})
      if (scan_.accept_word(name(t))) w.tier = t;
    if (!w.tier) fail("expected thread, block or cluster before '" + scan_.rest() + "'");
    if (*w.tier == Tier::cluster) {
      if (!scan_.accept_word("of"))
        fail("expected 'of' and the blocks of the cluster before '" + scan_.rest() + "'");
      Index const cluster_ranks = scan_.number();
      if (cluster_ranks > 1024)
        fail("a cluster of " + std::to_string(cluster_ranks) + " blocks is past the limit of 1024");
      w.cluster_ranks = int(cluster_ranks);
    }
  }

  Buffer buffer() {
    for (Buffer b : {Buffer::in, Buffer::out, Buffer::work, Buffer::work2, Buffer::l2_buffer})
      if (scan_.accept_word(name(b))) return b;
    fail("expected in, out, work, work2 or l2_buffer before '" + scan_.rest() + "'");
  }

  int dimension(std::string const& wanted) const {
    for (std::size_t d = 0; d < program_.dims.size(); ++d)
      if (program_.dims[d].name == wanted) return int(d);
    return -1;
  }

  Piece resolved(WrittenPiece const& w, std::vector<Piece> const& digits) const {
    for (Piece const& whole : digits)
      if (digit_name(whole.digit) == w.name) {
        Index const rest =
            w.unit >= whole.extent ? 1 : (whole.extent + w.unit - 1) / w.unit;  // no sum past 63 bits
        if (w.unit >= whole.extent && whole.extent > 1)
          fail("'" + w.name + "' has no part above " + std::to_string(w.unit));
        return {whole.digit, w.unit, w.extent ? std::min(w.extent, rest) : rest};
      }
    fail("'" + w.name + "' is not a digit of the program");
  }

  std::string digit_name(DigitKey d) const {
    if (d.part < 0) return program_.dims[d.dim].name + "*";
    return program_.radices[d.dim].size() == 1 ? program_.dims[d.dim].name
                                               : program_.dims[d.dim].name + std::to_string(d.part + 1);
  }

  /// The part that the sub-transform number `at` of an axis is about: on a convolved axis they come there and back.
  int next_part(int dim, int at) const {
    int const parts = int(program_.radices[dim].size());
    int const part = program_.convolved.count(dim) && at >= parts ? 2 * parts - 2 - at : at;
    if (part < 0 || part >= parts)
      fail(program_.dims[dim].name +
           " goes back where nothing is left to go back over; one of its "
           "sub-transforms says convolve, and as many come after it as before");
    return part;
  }

  void resolve() {
    std::vector<int> seen(program_.dims.size(), 0);
    bool bare = true;
    for (WrittenSweep const& w : written_) {
      Sweep sweep;
      for (auto const& [dim, sub] : w.transforms)
        sweep.transforms.push_back({dim, next_part(dim, seen[dim]++)});
      bare = bare && !w.tier && !w.from && w.layout.empty() && w.with.empty() && !w.l2_block;
      program_.sweeps.push_back(sweep);
    }
    check_radices(program_);
    compare_transforms();
    if (bare)
      complete(program_, machine("h200"), {.clusters = false, .l2_blocks = false});
    else
      for (std::size_t s = 0; s < written_.size(); ++s) fill_in(program_.sweeps[s], written_[s], s);
    check(program_);
    compare_bytes();
  }

  void fill_in(Sweep& sweep, WrittenSweep const& w, std::size_t s) const {
    bool const last = s + 1 == written_.size();
    std::string const where = "sweep " + std::to_string(s + 1);
    if (!w.tier || !w.from) fail(where + " lacks its tier or buffers; give them to all sweeps or to none");
    if (w.layout.empty() != last)
      fail(where + (last ? " is the last and writes the problem's layout; leave out [..]"
                         : " lacks the layout [..] it writes"));
    int const number = int(s);
    for (WrittenPiece const& p : w.with) sweep.with.push_back(resolved(p, sweep_digits(program_, number)));
    for (WrittenPiece const& p : w.layout)
      sweep.layout.push_back(resolved(p, digits_before(program_, number + 1)));
    sweep.tier = *w.tier;
    sweep.cluster_ranks = w.cluster_ranks;
    sweep.from = *w.from;
    sweep.to = *w.to;
    sweep.l2_block = w.l2_block;
    sweep.streams = w.streams;
    sweep.fused = w.fused;
  }

  void compare_transforms() const {
    for (std::size_t s = 0; s < written_.size(); ++s)
      for (std::size_t t = 0; t < written_[s].transforms.size(); ++t) {
        auto const& [dim, w] = written_[s].transforms[t];
        DigitKey const digit = program_.sweeps[s].transforms[t];
        SubTransform const due = sub_transform(program_, digit, phase_of(program_, int(s), digit));
        SubTransform said = w.sub;
        said.twiddled = w.twiddled.value_or(due.twiddled);
        if (said != due)
          fail("sweep " + std::to_string(s + 1) + " says " + program_.dims[dim].name + text(said) +
               " where the axis needs " + program_.dims[dim].name + text(due));
      }
  }

  void compare_bytes() const {
    Index const element = element_bytes(program_.problem);
    for (std::size_t s = 0; s < written_.size(); ++s) {
      Tile const tile = tile_of(program_, int(s));
      auto const same = [&](std::string const& what, std::optional<Index> said, Index bytes) {
        if (said && *said != bytes)
          fail(what + " of sweep " + std::to_string(s + 1) + " is " + bytes_text(bytes) + ", not " +
               bytes_text(*said));
      };
      same("the tile", written_[s].tile, tile_points(tile) * element);
      same("the read segment", written_[s].read, read_segment(tile) * tile.read_bytes);
      same("the write segment", written_[s].write, write_segment(tile) * tile.write_bytes);
    }
  }

  Scanner scan_;
  Program program_;
  std::vector<WrittenSweep> written_;
};

}  // namespace

Program parse_program(std::string_view text) {
  auto const end = std::min(text.find('\n'), text.size());
  Problem const problem = parse_problem(text.substr(0, end));
  return parse_program(text.substr(end), problem);
}

Program parse_program(std::string_view sweeps, Problem const& problem) {
  check(problem);
  return Parser(sweeps, problem).run();
}

}  // namespace skipper
