// See callbacks.h.
#include "cpu/callbacks.h"

#include <skipper/bfloat16.h>
#include <skipper/half.h>

#include <algorithm>

#include "cpu/convolution.h"
#include "cpu/host.h"
#include "cpu/pool.h"

namespace skipper::cpu {
namespace {

/// The problem of the buffer: `items` of the user's transforms, dense, in place, neither padded nor cropped.
Problem inner_problem(Problem problem, Index items) {
  problem.precision = compute_precision(problem.precision);
  for (Axis& axis : problem.axes) axis.in_count = axis.out_first = axis.out_count = 0;
  problem.batch.assign(items > 1 ? 1 : 0, Dim{items, 0, 0});
  return in_place(std::move(problem));
}

/// How the user's input or output lies against the buffer. Strides count scalars.
struct ArrayMap {
  struct AxisMap {
    Index size, first, count, user, buffer;
  };
  std::vector<AxisMap> axes;
  std::size_t run = 0;  // the axis whose elements neighbour each other in the buffer
  Index parts = 1;      // scalars an element
  Index rows = 1, item = 0;
  Callback const* function = nullptr;
};

ArrayMap array_map(Problem const& user, Problem const& inner, bool output, Callback const& function) {
  ArrayMap end;
  bool const real = user.kind == Kind::r2r || user.kind == (output ? Kind::c2r : Kind::r2c);
  end.parts = real ? 1 : 2;
  for (std::size_t i = 0; i < user.axes.size(); ++i) {
    Axis const &u = user.axes[i], &b = inner.axes[i];
    Index const size = output ? out_size(inner, i) : in_size(inner, i);
    Index const count = output ? out_size(user, i) : in_size(user, i);
    end.axes.push_back({size, output ? u.out_first : 0, count,
                        (output ? u.out_stride : u.in_stride) * end.parts,
                        (output ? b.out_stride : b.in_stride) * end.parts});
    if (end.axes[i].buffer < end.axes[end.run].buffer ||
        (end.axes[i].buffer == end.axes[end.run].buffer && size > end.axes[end.run].size))
      end.run = i;
  }
  for (std::size_t i = 0; i < end.axes.size(); ++i)
    if (i != end.run) end.rows *= output ? end.axes[i].count : end.axes[i].size;
  if (!inner.batch.empty())
    end.item = (output ? inner.batch[0].out_stride : inner.batch[0].in_stride) * end.parts;
  if (function) end.function = &function;
  return end;
}

template <class S>
concept SixteenBit = std::is_same_v<S, Half> || std::is_same_v<S, BFloat16>;

template <class T>
struct Convert {
  Kernels const& kernels;

  template <SixteenBit S>
  Conversions const& conversions() const {
    return std::is_same_v<S, Half> ? kernels.f16 : kernels.bf16;
  }
  template <class S>
  void load(S const* in, Index stride, T* out, Index parts, Index count) const {
    if constexpr (SixteenBit<S>) {
      if (stride == parts) return conversions<S>().widen(&in->bits, out, count * parts);
    } else if (stride == parts) {
      std::copy_n(in, count * parts, out);
      return;
    }
    for (Index i = 0; i < count; ++i)
      for (Index part = 0; part < parts; ++part) out[i * parts + part] = in[i * stride + part];
  }
  template <class S>
  void store(T const* in, S* out, Index stride, Index parts, Index count) const {
    if constexpr (SixteenBit<S>) {
      if (stride == parts) return conversions<S>().narrow(in, &out->bits, count * parts);
    } else if (stride == parts) {
      std::copy_n(in, count * parts, out);
      return;
    }
    for (Index i = 0; i < count; ++i)
      for (Index part = 0; part < parts; ++part) out[i * stride + part] = in[i * parts + part];
  }
};

/// How many transforms are done at a time, and by how many threads. The former chooses between lines and columns, which round
/// differently, so it follows from the problem and the machine alone.
struct Pieces {
  int threads = 1;
  Index items = 1, at_once = 1, count = 1;
  bool serial = true;  // each piece is done by one thread
};
Pieces pieces_of(Problem const& problem, Machine const& machine, Options const& options) {
  constexpr Index enough = 64 * 1024;  // bytes of a piece that is worth a thread
  constexpr Index columns = 16;        // that fill the widest vectors
  Pieces p;
  for (Dim const& d : problem.batch) p.items *= d.size;
  Index const bytes = std::max<Index>(1, in_bytes(inner_problem(problem, 1)));
  Index const fitting = std::max<Index>(1, machine.l2_bytes / 4 / bytes);
  p.at_once = std::min({std::max(columns, enough / bytes), fitting, p.items});
  p.count = (p.items + p.at_once - 1) / p.at_once;
  p.threads = options.threads > 0 ? options.threads : cores();
  // A piece that fits in cache is too little to be shared by threads.
  p.serial = p.threads == 1 || p.count >= p.threads || (p.count > 1 && p.at_once > 1);
  if (p.serial) p.threads = static_cast<int>(std::min<Index>(p.threads, p.count));
  return p;
}
Options options_inside(Pieces const& pieces, Options options) {
  options.load = options.store = nullptr;
  options.threads = pieces.serial ? 1 : pieces.threads;
  return options;
}

/// T: what is computed with; In, Out: what is stored.
template <class T, class In, class Out>
class BufferedTransformOf final : public BufferedTransform {
 public:
  BufferedTransformOf(Problem const& problem, Problem const* back,
                      std::vector<std::complex<double>> const& factors, Machine const& machine,
                      Options const& options)
      : problem_(problem),
        options_(with_team(options)),
        kernels_(kernels<T>(variant(options.instruction_set))),
        convert_{*variant(options.instruction_set).f32} {
    Pieces const pieces = pieces_of(problem, machine, options_);
    threads_ = pieces.threads;
    items_ = pieces.items, at_once_ = pieces.at_once, pieces_ = pieces.count;
    serial_ = pieces.serial;
    Problem const inner = inner_problem(problem, at_once_);
    Options const inside = options_inside(pieces, options_);
    transform_ = std::make_unique<Transform>(inner, machine, inside);
    std::size_t workspace = transform_->workspace_bytes();
    load_ = array_map(problem, inner, false, options_.load);
    back_ = back ? *back : problem;
    Problem const inner_back = inner_problem(back_, at_once_);
    if (back) {
      transform_back_ = std::make_unique<Transform>(inner_back, machine, inside);
      workspace = std::max(workspace, transform_back_->workspace_bytes());
      factors_ = interleaved<T>(factors);
      points_ = 1;
      for (std::size_t i = 0; i < inner.axes.size(); ++i) points_ *= out_size(inner, i);
    }
    store_ = array_map(back_, inner_back, true, options_.store);
    buffer_ = cache_aligned<T>(std::max(in_bytes(inner), out_bytes(inner)) / static_cast<Index>(sizeof(T)));
    slot_ = buffer_ + cache_aligned<T>(static_cast<Index>(workspace / sizeof(T)) + 1);
  }

  std::size_t workspace_bytes() const override {
    return 64 + sizeof(T) * static_cast<std::size_t>(slot_ * (serial_ ? threads_ : 1));
  }

  std::string describe() const override {
    return text(problem_) + "\nloaded, done and stored " + std::to_string(at_once_) + " at a time, each by " +
           transform_->describe() +
           (transform_back_ ? "times a spectrum, then by " + transform_back_->describe() : "");
  }

  void execute(void const* in, void* out, void* workspace) const override {
    auto const address = (reinterpret_cast<std::uintptr_t>(workspace) + 63) / 64 * 64;
    T* const memory = reinterpret_cast<T*>(address);
    auto piece = [&](Index p, T* buffer) {
      Index const first = p * at_once_, count = std::min(at_once_, items_ - first);
      each_row(count * load_.rows, [&](Index i) {
        load_row(static_cast<In const*>(in), buffer, first, i / load_.rows, i % load_.rows);
      });
      std::fill(buffer + count * load_.item, buffer + at_once_ * load_.item, T(0));
      transform_->execute(buffer, buffer, buffer + buffer_);
      if (transform_back_) {
        multiply(buffer, first, count);
        transform_back_->execute(buffer, buffer, buffer + buffer_);
      }
      each_row(count * store_.rows, [&](Index i) {
        store_row(buffer, static_cast<Out*>(out), first, i / store_.rows, i % store_.rows);
      });
    };
    if (!serial_ || threads_ == 1) {
      for (Index p = 0; p < pieces_; ++p) piece(p, memory);
      return;
    }
    parallel_for(pieces_, team(), [&](int slot, Index begin, Index end) {
      for (Index p = begin; p < end; ++p) piece(p, memory + slot * slot_);
    });
  }

 private:
  static Options with_team(Options options) {
    auto const [threads, executor] = resolved(options.threads, options.executor);
    options.threads = threads;
    options.executor = executor;
    return options;
  }
  Team team() const { return Team(threads_, &options_.executor); }

  template <class Work>
  void each_row(Index rows, Work work) const {
    if (serial_ || rows < threads_) {
      for (Index i = 0; i < rows; ++i) work(i);
      return;
    }
    parallel_for(rows, team(), [&](int, Index begin, Index end) {
      for (Index i = begin; i < end; ++i) work(i);
    });
  }

  /// The product between forward and inverse. A transform's outputs lie dense in the buffer.
  void multiply(T* buffer, Index first, Index count) const {
    constexpr Index piece = 4096;
    Index const pieces = (points_ + piece - 1) / piece;
    each_row(count * pieces, [&](Index i) {
      Index const item = i / pieces, begin = i % pieces * piece;
      T* const x = buffer + 2 * (item * points_ + begin);
      T const* const f =
          factors_.data() + (2 * (first + item) * points_) % Index(factors_.size()) + 2 * begin;
      kernels_.multiply({x, x, f, std::min(piece, points_ - begin), 1, 2, 2});
    });
  }

  /// Where a row begins in the array and in the buffer, and the indices that a user's callback gets.
  struct Row {
    Index user = 0, buffer = 0;
    bool padding = false;
    Index index[2 * max_rank];
  };
  Row row_of(ArrayMap const& end, Index first, Index item, Index row, bool output) const {
    std::vector<Dim> const& batch = (output ? back_ : problem_).batch;
    Row at;
    at.buffer = item * end.item;
    Index rest = first + item;
    std::size_t const dims = batch.size();
    for (std::size_t d = dims; d-- > 0;) {
      Dim const& dim = batch[d];
      at.index[d] = rest % dim.size;
      at.user += at.index[d] * (output ? dim.out_stride : dim.in_stride) * end.parts;
      rest /= dim.size;
    }
    for (std::size_t i = end.axes.size(); i-- > 0;) {
      ArrayMap::AxisMap const& axis = end.axes[i];
      at.index[dims + i] = axis.first;
      at.buffer += axis.first * axis.buffer;
      if (i == end.run) continue;
      Index const size = output ? axis.count : axis.size, k = row % size;
      row /= size;
      at.index[dims + i] += k;
      at.user += k * axis.user;
      at.buffer += k * axis.buffer;
      at.padding = at.padding || k >= axis.count;
    }
    return at;
  }

  void load_row(In const* in, T* buffer, Index first, Index item, Index row) const {
    Row const at = row_of(load_, first, item, row, false);
    ArrayMap::AxisMap const& axis = load_.axes[load_.run];
    T* const to = buffer + at.buffer;
    Index const count = at.padding ? 0 : axis.count;
    if (count > 0) {
      convert_.load(in + at.user, axis.user, to, load_.parts, count);
      if (load_.function)
        (*load_.function)({to, count, at.index, problem_.batch.size() + load_.run, element(load_)});
    }
    std::fill(to + count * load_.parts, to + axis.size * load_.parts, T(0));
  }

  void store_row(T* buffer, Out* out, Index first, Index item, Index row) const {
    Row const at = row_of(store_, first, item, row, true);
    ArrayMap::AxisMap const& axis = store_.axes[store_.run];
    T* const from = buffer + at.buffer;
    if (store_.function)
      (*store_.function)({from, axis.count, at.index, problem_.batch.size() + store_.run, element(store_)});
    convert_.store(from, out + at.user, axis.user, store_.parts, axis.count);
  }

  static Element element(ArrayMap const& map) {
    return map.parts == 2 ? element_v<std::complex<T>> : element_v<T>;
  }

  Problem problem_, back_;
  Options options_;
  Kernels const& kernels_;
  Convert<T> convert_;
  int threads_ = 1;
  Index items_ = 1, at_once_ = 1, pieces_ = 1;
  bool serial_ = true;  // each piece is done by one thread
  std::unique_ptr<Transform const> transform_, transform_back_;
  std::vector<T> factors_;
  Index points_ = 0;  // complex numbers between the two
  ArrayMap load_, store_;
  Index buffer_ = 0, slot_ = 0;
};

}  // namespace

bool has_callbacks(Problem const& problem, Options const& options) {
  return is_16_bit(problem.precision) || is_partial(problem) || options.load || options.store;
}

Needs needs_of_buffered(Problem const& problem, Machine const& machine, Options const& options) {
  double whole = problem.precision == Precision::f64 ? 8 : 4;  // a transform in the buffer, in bytes
  for (Axis const& axis : problem.axes) whole *= static_cast<double>(axis.size);
  if (problem.kind == Kind::c2c) whole *= 2;
  if (whole > memory_limit(machine)) return {0, whole};
  Pieces const pieces = pieces_of(problem, machine, options);
  Problem const inner = inner_problem(problem, pieces.at_once);
  Needs all = needs(inner, machine, options_inside(pieces, options));
  all.workspace_bytes += static_cast<double>(std::max(in_bytes(inner), out_bytes(inner)));
  if (pieces.serial) all.workspace_bytes *= pieces.threads;
  return all;
}

namespace {
std::unique_ptr<BufferedTransform const> made(Problem const& problem, Problem const* back,
                                              std::vector<std::complex<double>> const& factors,
                                              Machine const& machine, Options const& options) {
  auto const with = [&]<class T, class In, class Out>(T, In,
                                                      Out) -> std::unique_ptr<BufferedTransform const> {
    return std::make_unique<BufferedTransformOf<T, In, Out>>(problem, back, factors, machine, options);
  };
  if (problem.precision == Precision::f64) return with(double(), double(), double());
  if (problem.precision == Precision::f32) return with(float(), float(), float());
  auto const in_16_bits = [&]<class S>(S) {
    if (options.narrow == NarrowSides::input) return with(float(), S(), float());
    if (options.narrow == NarrowSides::output) return with(float(), float(), S());
    return with(float(), S(), S());
  };
  return problem.precision == Precision::f16 ? in_16_bits(Half()) : in_16_bits(BFloat16());
}
}  // namespace

std::unique_ptr<BufferedTransform const> make_buffered(Problem const& problem, Machine const& machine,
                                                       Options const& options) {
  return made(problem, nullptr, {}, machine, options);
}
std::unique_ptr<BufferedTransform const> make_buffered(Problem const& problem, Problem const& back,
                                                       std::vector<std::complex<double>> const& factors,
                                                       Machine const& machine, Options const& options) {
  return made(problem, &back, factors, machine, options);
}

}  // namespace skipper::cpu
