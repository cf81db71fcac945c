// Fuzz target: the C interface: an input is a list of calls with arguments that are good, hostile or missing. Arrays that are
// handed over for computing are real and as long as the plan says, so that whatever goes wrong is the library's doing.
#include <skipper/skipper_c.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>

#include "fuzz/fuzz.h"

namespace skipper::fuzz {

int const inputs = 30000;

namespace {

/// The bytes of an input as choices; zeros after its end.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : rest_(bytes) {}
  bool done() const { return rest_.empty(); }
  unsigned byte() {
    if (rest_.empty()) return 0;
    auto const value = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
  }
  bool rarely() { return byte() % 16 == 15; }
  template <class T, std::size_t n>
  T of(T const (&list)[n]) {
    return list[byte() % n];
  }

 private:
  std::string_view rest_;
};

// Nothing between what is computed in no time and what no memory can hold.
constexpr long long sizes[] = {1,   2,   3,    4,  5,  7,         8,         12,       16,  17,
                               31,  32,  61,   64, 67, 96,        97,        100,      127, 128,
                               131, 256, 1000, 0,  -1, LLONG_MIN, LLONG_MAX, 1ll << 62};
constexpr int numbers[] = {0, 1, 2, 3, -1, 4, 16, 32, 64, 63, 65, INT_MIN, INT_MAX};
constexpr double scales[] = {1, 1, 1, 0.5, -2, 0, 1e-300, 1e300, INFINITY, NAN};
constexpr char const* devices[] = {"cpu",     "cpu", "cpu",     nullptr, "best", "cuda:0", "cuda:99999999999",
                                   "cuda:-1", "",    "\x1b[31m"};
constexpr char const* texts[] = {"c2c f64 forward 8x6",
                                 "c2c f32 forward 30 batch 4 in-place",
                                 "r2c f32 forward 9x10",
                                 "c2r f64 inverse 12x5",
                                 "c2r f32 inverse 6x6 in-place",
                                 "r2r f64 forward 16x9 kinds dct1,dst4",
                                 "c2c f16 forward 64",
                                 "r2c bf16 forward 64",
                                 "r2c f32 forward 16x32 load 10x20 keep 0+0x0+5",
                                 "c2c f32 forward 67 batch 3 in 3/1 out 3/1",
                                 "r2r f32 forward 50 kinds dst2 norm ortho",
                                 "c2c f32 forward 0x5",
                                 "c2c f32 forward 4 out 0",
                                 "nonsense \x01\x02",
                                 "",
                                 nullptr};
constexpr char const* programs[] = {nullptr,
                                    nullptr,
                                    "c2c f64 forward 8x6 over 1 ranks\ngrid 1x1 axes 0,1",
                                    "c2c f64 forward 8x6 over 1 ranks\ngrid 1x1 axes 1\ngrid 1x1 axes 0",
                                    "c2c f64 forward 8x6 over 1 ranks\ngrid 1x1 axes 0,1 back 0,1",
                                    "r2c f64 forward 8x6 over 1 ranks\ngrid 1x1 axes 0,1 back 0,1",
                                    "c2c f64 forward 8x6 over 2 ranks\ngrid 1x1",
                                    "order 1,0\n",
                                    "\x1b"};
constexpr int max_handles = 4;
constexpr long long max_bytes = 1 << 20;

void on_segment(void* values, long long count, long long const* index, int axis, void* data) {
  if (!values || count < 1 || !index || axis < 0 || data) std::abort();
}

/// 0 where the call worked; else a code that is known, with a message.
bool good(int code, char const* call) {
  demand(code >= SKIPPER_OK && code < SKIPPER_INTERNAL,
         std::string(call) + " gives the code " + std::to_string(code) + ": " + skipper_message());
  if (code != SKIPPER_OK) {
    demand(*skipper_message() != '\0', std::string(call) + " fails without a word");
    for (char const* c = skipper_message(); *c; ++c)
      demand(static_cast<unsigned char>(*c) >= ' ',
             std::string(call) + " has a control character in its message");
  }
  return code == SKIPPER_OK;
}

/// Memory of so many bytes and not one more, aligned as workspace must be, with small numbers in it.
class Array {
 public:
  explicit Array(long long bytes) : data_(::operator new(std::size_t(bytes), std::align_val_t(64))) {
    std::memset(data_, 0, std::size_t(bytes));
  }
  ~Array() { ::operator delete(data_, std::align_val_t(64)); }
  Array(Array const&) = delete;
  void* data() const { return data_; }

 private:
  void* data_;
};

class Session {
 public:
  explicit Session(std::string_view input) : choose_(input) {}
  ~Session() {
    for (skipper_plan* plan : plans_) skipper_plan_destroy(plan);
    for (skipper_convolution* convolution : convolutions_) skipper_convolution_destroy(convolution);
    skipper_distributed_destroy(distributed_);
    skipper_distributed_poisson_destroy(poisson_);
  }
  Session(Session const&) = delete;

  /// Whether any plan or convolution computed.
  bool run() {
    for (int calls = 0; !choose_.done() && calls < 64; ++calls) call();
    return computed_;
  }

 private:
  void call() {
    switch (choose_.byte() % 14) {
      case 0:
        create();
        break;
      case 1:
        create_from_text();
        break;
      case 2:
        create_by_fields();
        break;
      case 3:
        create_inverse();
        break;
      case 4:
      case 5:
        execute();
        break;
      case 6:
        ask();
        break;
      case 7:
        create_convolution();
        break;
      case 8:
        convolve();
        break;
      case 10:
        create_distributed();
        break;
      case 11:
        execute_distributed();
        break;
      case 12:
        create_poisson();
        break;
      case 13:
        solve();
        break;
      default:
        destroy();
    }
  }

  skipper_plan* any_plan() { return choose_.rarely() ? nullptr : plans_[choose_.byte() % max_handles]; }

  /// Keeps a new plan in place of another one. A call that fails leaves a null pointer.
  void keep(int code, skipper_plan* plan, char const* call) {
    bool const made = good(code, call);
    demand(made == (plan != nullptr), std::string(call) + " says one thing and gives another");
    if (!made) return;
    skipper_plan*& place = plans_[choose_.byte() % max_handles];
    skipper_plan_destroy(place);
    place = plan;
  }

  static skipper_plan* poison() { return reinterpret_cast<skipper_plan*>(std::uintptr_t(64)); }

  void create() {
    skipper_plan* plan = poison();
    long long shape[64];
    int const rank = choose_.rarely() ? choose_.of(numbers) : 1 + int(choose_.byte() % 3);
    for (long long& n : shape) n = 1;
    for (int a = 0; a < 3; ++a) shape[a] = choose_.of(sizes);
    if (shape[0] * double(shape[1]) * double(shape[2]) > 100000 && shape[0] < 2000) shape[2] = 1;
    skipper_problem problem = skipper_problem_default();
    problem.kind = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 3);
    problem.precision = choose_.of({16, 32, 64, 32, 64, 0}),
    problem.direction = choose_.of({-1, 1, -1, 1, 0});
    dim_ = {choose_.byte() % 4 ? 1 + choose_.byte() % 5 : choose_.of(sizes), 0, 0};
    problem.batch_rank = 1, problem.batch = &dim_;
    problem.rank = rank;
    problem.shape = choose_.rarely() ? nullptr : shape;
    bool const null_plan = choose_.rarely();
    problem.scale = choose_.of(scales);
    skipper_plan_settings settings = skipper_plan_settings_default();
    settings.device = choose_.of(devices);
    settings.cpu.threads = threads();
    int const code = skipper_plan_create(null_plan ? nullptr : &plan, &problem, &settings);
    if (null_plan)
      demand(!good(code, "create"), "a plan was put nowhere");
    else
      keep(code, plan, "skipper_plan_create");
  }

  int threads() {
    return choose_.rarely() ? choose_.of({-1, INT_MIN, INT_MAX, 4097}) : int(choose_.byte() % 3);
  }

  void create_from_text() {
    skipper_plan* plan = poison();
    char const* const line = choose_.of(texts);
    skipper_plan_settings settings = skipper_plan_settings_default();
    settings.device = choose_.of(devices);
    settings.cpu.threads = threads();
    read_back(line);
    int const code = skipper_plan_create_text(&plan, line, &settings);
    keep(code, plan, "skipper_plan_create_text");
  }

  /// What is read from a text is a problem that can be computed, and its inverse is one too.
  static void read_back(char const* line) {
    skipper_problem problem, inverse;
    skipper_axis axes[SKIPPER_MAX_RANK], inverse_axes[SKIPPER_MAX_RANK];
    skipper_dim batch[SKIPPER_MAX_RANK], inverse_batch[SKIPPER_MAX_RANK];
    if (!good(skipper_problem_read(line, &problem, axes, batch), "skipper_problem_read")) return;
    demand(good(skipper_problem_check(&problem), "skipper_problem_check"), "what was read is no problem");
    if (good(skipper_problem_inverse(&problem, &inverse, inverse_axes, inverse_batch),
             "skipper_problem_inverse"))
      demand(good(skipper_problem_check(&inverse), "skipper_problem_check"), "an inverse is no problem");
  }

  /// Axes and batch stay until the next problem.
  skipper_problem problem_by_fields() {
    skipper_problem problem = skipper_problem_default();
    int const kind = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 4);
    problem.kind = kind;
    problem.precision = choose_.of({16, 32, 64, 32, 64, 0});
    problem.direction = choose_.rarely() ? choose_.of(numbers) : kind == SKIPPER_C2R ? 1 : -1;
    bool const strided = choose_.byte() % 4 == 0;
    std::fill(std::begin(axes_), std::end(axes_), skipper_axis{1, strided, strided, 0, 0, 0, 0});
    for (int a = 0; a < 2; ++a) {
      skipper_axis& axis = axes_[a];
      axis.size = choose_.rarely() ? choose_.of(sizes) : 2 + choose_.byte() % 30;
      axis.kind = choose_.rarely()      ? choose_.of(numbers)
                  : kind == SKIPPER_R2R ? 1 + int(choose_.byte() % 8)
                                        : 0;
      if (choose_.rarely()) axis.in_count = 1 + choose_.byte() % 8;
      if (choose_.rarely()) axis.out_first = 1, axis.out_count = choose_.of(sizes);
      if (!strided) continue;
      axis.in_stride = choose_.of({1ll, 32ll, 1000ll, 0ll, -1ll, LLONG_MAX});
      axis.out_stride = choose_.of({1ll, 32ll, 1000ll, 0ll, -1ll, LLONG_MIN});
    }
    problem.rank = choose_.rarely() ? choose_.of(numbers) : 1 + int(choose_.byte() % 2);
    problem.axes = choose_.rarely() ? nullptr : axes_;
    dim_ = {1 + choose_.byte() % 3, 0, 0};
    if (strided)
      dim_.in_stride = choose_.of({1024ll, 1ll, -1ll}), dim_.out_stride = choose_.of({1024ll, 1ll, -1ll});
    problem.batch_rank = choose_.rarely() ? choose_.of({-1, 65, INT_MAX}) : int(choose_.byte() % 2);
    problem.batch = choose_.rarely() != (problem.batch_rank == 0) ? nullptr : &dim_;
    problem.scale = choose_.of(scales);
    problem.in_place = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 2);
    problem.order = choose_.rarely() ? choose_.of(numbers) : 0;
    problem.norm = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 2);
    return problem;
  }

  void create_by_fields() {
    skipper_problem const problem = problem_by_fields();
    skipper_plan_settings settings = {};
    settings.device = choose_.of(devices);
    settings.cpu.threads = threads();
    settings.callbacks.load = choose_.byte() % 2 ? on_segment : nullptr;
    settings.callbacks.store = choose_.byte() % 2 ? on_segment : nullptr;
    settings.cpu.executor.threads = choose_.rarely() ? choose_.of(numbers) : 0;
    settings.gpu.host_arrays = choose_.rarely() ? choose_.of(numbers) : 0;
    settings.gpu.program = choose_.rarely() ? choose_.of(programs) : nullptr;
    settings.cpu.instruction_set = choose_.rarely() ? choose_.of(texts) : nullptr;
    skipper_plan* plan = poison();
    int const code = skipper_plan_create(&plan, &problem, choose_.byte() % 2 ? &settings : nullptr);
    long long in = 0, out = 0;
    if (code == SKIPPER_OK) good(skipper_array_bytes(plan, &in, &out), "skipper_array_bytes");
    keep(code, plan, "skipper_plan_create");
    if (code == SKIPPER_OK && in <= max_bytes && out <= max_bytes && choose_.byte() % 4 == 0)
      stream(problem, in, out);
  }

  static int go_on(long long done, long long all, void*) { return done < all; }

  void stream(skipper_problem const& problem, long long in, long long out) {
    skipper_stream_settings settings = {};
    settings.device = choose_.rarely() ? choose_.of(devices) : "cpu";
    settings.memory_limit = choose_.of({0ll, 1ll, 4096ll, 1ll << 20, -1ll, LLONG_MAX});
    settings.strategy = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 3);
    settings.cpu.threads = threads();
    settings.progress = choose_.rarely() ? go_on : nullptr;
    skipper_stream_plan* plan = nullptr;
    bool const made =
        good(skipper_stream_plan_create(&plan, &problem, &settings), "skipper_stream_plan_create");
    demand(made == (plan != nullptr), "a streamed plan says one thing and gives another");
    if (!made) return;
    bool const same = problem.in_place == 1;
    Array const from(same ? std::max(in, out) : in), to(out);
    int const code = skipper_stream_plan_execute(plan, from.data(), same ? from.data() : to.data());
    demand(code != SKIPPER_CANCELLED || settings.progress, "nobody cancelled");
    if (code != SKIPPER_CANCELLED) computed_ |= good(code, "skipper_stream_plan_execute");
    skipper_stream_plan_destroy(plan);
  }

  void create_inverse() {
    skipper_plan* plan = poison();
    int const code = skipper_plan_create_inverse(&plan, any_plan());
    keep(code, plan, "skipper_plan_create_inverse");
  }

  static int executed(skipper_plan const* plan, void const* in, void* out,
                      skipper_execute_settings const& settings) {
    return skipper_execute_on(plan, in, out, &settings);
  }

  void execute() {
    skipper_plan const* const plan = any_plan();
    long long in = 0, out = 0, workspace = 0;
    if (!plan || !good(skipper_array_bytes(plan, &in, &out), "skipper_array_bytes") ||
        !good(skipper_workspace_bytes(plan, &workspace), "skipper_workspace_bytes")) {
      demand(!good(skipper_execute(plan, nullptr, nullptr), "skipper_execute"),
             "nothing was computed into nothing");
      return;
    }
    demand(in > 0 && out > 0 && workspace >= 0, "arrays of no bytes");
    if (in > max_bytes || out > max_bytes || workspace > 64 * max_bytes) return;
    char text[512];
    good(skipper_describe(plan, text, sizeof text, nullptr), "skipper_describe");
    bool const same = std::strstr(text, "in-place") != nullptr;
    Array const from(same ? std::max(in, out) : in), to(out), buffer(workspace + 1);
    void* const target = same ? from.data() : to.data();
    switch (choose_.byte() % 8) {
      case 0:
        good(skipper_execute(plan, nullptr, target), "skipper_execute");
        break;
      case 1:
        good(skipper_execute(plan, from.data(), nullptr), "skipper_execute");
        break;
      case 2:
        good(executed(plan, from.data(), target, {.workspace_bytes = 0, .workspace = nullptr, .stream = poison()}),
             "skipper_execute_on");
        break;
      case 3:
        computed_ |=
            good(executed(plan, from.data(), target, {.workspace_bytes = 0, .workspace = buffer.data(), .stream = nullptr}),
                 "skipper_execute_on");
        break;
      default:
        computed_ |= good(skipper_execute(plan, from.data(), target), "skipper_execute");
    }
  }

  void ask() {
    skipper_plan const* const plan = any_plan();
    long long needed = -1, bytes = -1;
    char text[64];
    std::memset(text, 'x', sizeof text);
    long long const text_sizes[] = {0, -1, 1, 2, 17, 64, LLONG_MIN};
    long long const size = choose_.of(text_sizes);
    if (good(skipper_describe(plan, choose_.rarely() ? nullptr : text, size, &needed), "skipper_describe")) {
      demand(plan && needed > 1, "a plan of no words");
      for (long long i = std::max(0ll, size); i < 64; ++i)
        demand(text[i] == 'x', "more was written than fits");
    }
    bool const null = choose_.rarely();
    good(skipper_workspace_bytes(plan, null ? nullptr : &bytes), "skipper_workspace_bytes");
    good(skipper_array_bytes(plan, &bytes, null ? nullptr : &needed), "skipper_array_bytes");
  }

  void create_convolution() {
    skipper_convolution* made = nullptr;
    long long shape[2] = {choose_.of(sizes), choose_.of(sizes)},
              kernel[2] = {choose_.of(sizes), choose_.of(sizes)};
    if (shape[0] > 128 || shape[1] > 128) shape[1] = 1, kernel[1] = 1;
    skipper_convolution_problem problem = skipper_convolution_problem_default();
    problem.kernel_shape = kernel;
    problem.rank = choose_.rarely() ? choose_.of({0, -1, 65, INT_MAX}) : 1 + int(choose_.byte() % 2);
    problem.precision = choose_.of({16, 32, 64, 32, 64, 0});
    problem.mode = choose_.of({0, 1, 2, 3, 1, 2, 4, -1});
    problem.is_complex = int(choose_.byte() % 2), problem.correlate = int(choose_.byte() % 2);
    problem.batch = 1 + choose_.byte() % 3;
    problem.kernels = choose_.byte() % 2 ? problem.batch : choose_.of({1ll, 0ll, 2ll, -1ll});
    problem.scale = choose_.of(scales);
    static std::vector<double> const response(3 * 2 * 1024 * 1024,
                                              0.25);  // longer than any kernel of these sizes
    skipper_plan_settings settings = {};
    settings.device = "cpu";
    settings.cpu.threads = threads();
    bool const null = choose_.rarely();
    problem.shape = choose_.rarely() ? nullptr : shape;
    int const code = skipper_convolution_create(&made, &problem, null ? nullptr : response.data(), &settings);
    bool const is_made = good(code, "skipper_convolution_create");
    demand(is_made == (made != nullptr), "a convolution says one thing and gives another");
    if (!is_made) return;
    long long sizes_out[64] = {};
    demand(good(skipper_convolution_out_shape(made, sizes_out), "skipper_convolution_out_shape"), "no shape");
    long long in = 16 * problem.batch, out = in;  // bytes of the largest element
    for (int a = 0; a < problem.rank; ++a) in *= shape[a], out *= sizes_out[a];
    std::size_t const place = choose_.byte() % 2;
    skipper_convolution_destroy(convolutions_[place]);
    convolutions_[place] = made;
    in_bytes_[place] = in;
    out_bytes_[place] = out;
  }

  void convolve() {
    std::size_t const place = choose_.byte() % 2;
    skipper_convolution const* const convolution = choose_.rarely() ? nullptr : convolutions_[place];
    long long bytes = 0;
    good(skipper_convolution_workspace_bytes(convolution, choose_.rarely() ? nullptr : &bytes),
         "workspace_bytes");
    if (!convolution) {
      demand(!good(skipper_convolve(nullptr, nullptr, nullptr), "skipper_convolve"), "nothing was convolved");
      return;
    }
    if (in_bytes_[place] > 64 * max_bytes || out_bytes_[place] > 64 * max_bytes) return;
    Array const from(in_bytes_[place]), to(out_bytes_[place]);
    if (choose_.rarely())
      good(skipper_convolve(convolution, nullptr, to.data()), "skipper_convolve");
    else
      computed_ |= good(skipper_convolve(convolution, from.data(), to.data()), "skipper_convolve");
  }

  /// One rank: what others would do is waited for.
  skipper_communicator* communicator() {
    skipper_communicator* made = nullptr;
    int const ranks = choose_.rarely() ? choose_.of({0, -1, INT_MIN, 1 << 20}) : 1;
    if (!good(skipper_communicators_create_threads(&made, ranks, choose_.rarely() ? -1 : 1000),
              "communicators"))
      demand(!made, "a communicator of none");
    return made;
  }

  /// Boxes are arrays as long as any problem has dimensions.
  skipper_distributed_settings distributed_settings() {
    std::fill(std::begin(first_), std::end(first_), choose_.rarely() ? choose_.of(sizes) : 0);
    std::fill(std::begin(size_), std::end(size_), 1);
    size_[0] = choose_.of({8ll, 8ll, 9ll, 16ll}), size_[1] = choose_.of({6ll, 6ll, 10ll});
    if (choose_.rarely()) size_[choose_.byte() % 3] = choose_.of(sizes);
    skipper_distributed_settings settings = {};
    if (choose_.byte() % 3 == 0)
      settings.in_first = first_, settings.in_size = choose_.rarely() ? nullptr : size_;
    if (choose_.byte() % 3 == 0) settings.out_first = first_, settings.out_size = size_;
    settings.any_output = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 2);
    settings.in_order = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 2);
    settings.out_order = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 2);
    settings.exchange = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 3);
    settings.pieces = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 4);
    settings.gpu.streams = choose_.rarely() ? choose_.of(numbers) : 0;
    settings.cpu.threads = int(choose_.byte() % 3);
    settings.device = choose_.rarely() ? choose_.of(devices) : nullptr;
    settings.links = choose_.of({static_cast<char const*>(nullptr), "host", "nvlink", "links", ""});
    settings.program = choose_.of(programs);
    return settings;
  }

  void create_distributed() {
    skipper_communicator* const ranks = communicator();
    skipper_distributed_settings const settings = distributed_settings();
    skipper_distributed* plan = nullptr;
    bool const made = good(skipper_distributed_create_text(&plan, choose_.of(texts), ranks,
                                                           choose_.byte() % 4 ? nullptr : &settings),
                           "skipper_distributed_create_text");
    skipper_communicator_destroy(ranks);
    demand(made == (plan != nullptr), "a distributed plan says one thing and gives another");
    if (!made) return;
    skipper_distributed_destroy(distributed_);
    distributed_ = plan;
  }

  void execute_distributed() {
    long long in = 0, out = 0, needed = 0;
    char text[17];
    good(skipper_distributed_in_box(distributed_, choose_.of(numbers), first_, size_), "in_box");
    good(skipper_distributed_describe(distributed_, text, choose_.rarely() ? -1 : 17, &needed), "describe");
    if (!good(skipper_distributed_elements(distributed_, &in, &out), "skipper_distributed_elements")) {
      demand(!distributed_, "a plan without elements");
      return;
    }
    if (in > max_bytes || out > max_bytes) return;
    Array const from(16 * std::max(in, out) + 16), to(16 * out + 16);
    bool const null = choose_.rarely();
    // In place or not: the other way is refused, and then the ranks have failed.
    computed_ |= good(skipper_distributed_execute(distributed_, null ? nullptr : from.data(),
                                                  choose_.byte() % 4 ? to.data() : from.data()),
                      "skipper_distributed_execute");
  }

  void create_poisson() {
    static double const grid[300] = {};
    skipper_poisson_axis axes[3] = {};
    for (skipper_poisson_axis& axis : axes) {
      axis.size = !choose_.rarely() ? 2 + choose_.byte() % 9 : choose_.of({0ll, -1ll, LLONG_MAX, 1ll << 62});
      axis.length = choose_.rarely() ? choose_.of(scales) : 1;
      axis.low = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 3);
      axis.high = choose_.byte() % 8 ? axis.low : int(choose_.byte() % 3);
      axis.centring = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 2);
      axis.tridiagonal = choose_.byte() % 8 == 0;
      if (choose_.rarely()) axis.coordinates_count = choose_.of({3ll, -1ll, 12ll});
      if (choose_.rarely() != (axis.coordinates_count != 0)) axis.coordinates = grid;
    }
    skipper_poisson_problem problem = skipper_poisson_problem_default();
    problem.axes = choose_.rarely() ? nullptr : axes;
    problem.rank = choose_.rarely() ? choose_.of(numbers) : 1 + int(choose_.byte() % 3);
    problem.precision = choose_.of({32, 64, 32, 64, 32, 64, 16, 0});
    problem.is_complex = choose_.rarely();
    problem.shift = choose_.byte() % 2 ? 0 : choose_.of(scales);
    problem.symbols = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 2);
    problem.zero_mode = choose_.rarely() ? choose_.of(numbers) : int(choose_.byte() % 3);
    if (choose_.byte() % 2) return solve_alone(problem);
    skipper_communicator* const ranks = communicator();
    skipper_distributed_settings const settings = distributed_settings();
    skipper_distributed_poisson* made = nullptr;
    bool const is_made = good(
        skipper_distributed_poisson_create(&made, &problem, ranks, choose_.byte() % 4 ? nullptr : &settings),
        "skipper_distributed_poisson_create");
    skipper_communicator_destroy(ranks);
    demand(is_made == (made != nullptr), "a solver says one thing and gives another");
    if (!is_made) return;
    skipper_distributed_poisson_destroy(poisson_);
    poisson_ = made;
  }

  void solve_alone(skipper_poisson_problem const& problem) {
    skipper_plan_settings settings = {};
    settings.device = choose_.of(devices);
    settings.cpu.threads = threads();
    settings.callbacks.load = choose_.rarely() ? on_segment : nullptr;
    skipper_poisson* made = nullptr;
    bool const is_made =
        good(skipper_poisson_create(&made, &problem, choose_.byte() % 4 ? &settings : nullptr),
             "skipper_poisson_create");
    demand(is_made == (made != nullptr), "a solver says one thing and gives another");
    if (!is_made) return;
    long long bytes = 0, points = 1;
    for (int a = 0; a < problem.rank; ++a) points *= problem.axes[a].size;
    demand(
        good(skipper_poisson_workspace_bytes(made, &bytes), "skipper_poisson_workspace_bytes") && bytes >= 0,
        "no workspace");
    Array const from(8 * points), to(8 * points), values(8 * points), buffer(bytes + 1);
    void const* const faces[3] = {choose_.rarely() ? values.data() : nullptr, nullptr, nullptr};
    skipper_solve_settings with = {};
    with.low = faces;
    with.workspace = choose_.byte() % 2 ? buffer.data() : nullptr;
    computed_ |=
        good(skipper_poisson_solve_on(made, from.data(), choose_.byte() % 4 ? to.data() : from.data(),
                                      choose_.byte() % 4 ? &with : nullptr, nullptr),
             "skipper_poisson_solve_on");
    skipper_poisson_destroy(made);
  }

  void solve() {
    long long in = 0, out = 0;
    double defect = 0;
    if (!good(skipper_distributed_poisson_elements(poisson_, &in, &out),
              "skipper_distributed_poisson_elements")) {
      demand(!poisson_, "a solver without elements");
      return;
    }
    Array const from(8 * in + 8), to(8 * out + 8), values(8 * in + 8);
    void const* const faces[3] = {choose_.rarely() ? values.data() : nullptr, nullptr, values.data()};
    skipper_solve_settings with = {};
    with.low = faces;
    computed_ |=
        good(skipper_distributed_poisson_solve_on(poisson_, choose_.rarely() ? nullptr : from.data(),
                                                  to.data(), choose_.byte() % 4 ? nullptr : &with, &defect),
             "skipper_distributed_poisson_solve_on");
  }

  void destroy() {
    skipper_plan*& place = plans_[choose_.byte() % max_handles];
    skipper_plan_destroy(place);
    place = nullptr;
  }

  Choices choose_;
  skipper_plan* plans_[max_handles] = {};
  skipper_convolution* convolutions_[2] = {};
  long long in_bytes_[2] = {}, out_bytes_[2] = {};
  skipper_distributed* distributed_ = nullptr;
  skipper_distributed_poisson* poisson_ = nullptr;
  long long first_[66] = {}, size_[66] = {};
  skipper_axis axes_[64] = {};
  skipper_dim dim_ = {};
  bool computed_ = false;
};

}  // namespace

std::vector<std::string> seeds() {
  // A plan by text, then executed, asked and destroyed; a convolution that is computed; a distributed plan and a Poisson problem;
  // calls as they come.
  std::vector<std::string> result = {
      std::string("\1\0\0\0\1\0\4\0\0\4\6\0\0\11\0", 15),
      std::string("\7\6\0\2\0\0\0\1\1\0\0\0\0\0\0\0\0\0\0\0\10\0\0\0\0\0", 26)};
  Random random(11);
  while (result.size() < 12) {
    std::string calls;
    for (int i = 0; i < 120; ++i) calls += char(random.next());
    if (Session(calls).run()) result.push_back(calls);
  }
  return result;
}

bool takes(std::string_view input) { return Session(input).run(); }

}  // namespace skipper::fuzz
