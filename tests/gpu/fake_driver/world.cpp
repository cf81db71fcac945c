// The fake driver's memory, queues and kernels.
#include "gpu/fake_driver/world.h"

#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "emulator/concurrent.h"
#include "gpu/fake_driver/kernels.h"
#include "kernel/queries.h"
#include "plan/spec_text.h"

namespace skipper::fake_driver {
namespace {

std::string const image_mark = "fake driver kernel ", fused_mark = "fused ",
                  interpreted_mark = " interpreted\n";

/// The kernel's arguments point into live memory; of an output that goes to peers only the table does.
template <class T>
bool sound(kernel::Args<T> const& args, kernel::SweepSpec const& spec) {
  auto const known = [](void const* p) {
    return holder(Address(reinterpret_cast<std::uintptr_t>(p))) != world().memory.end();
  };
  return known(args.in) && known(kernel::stores_to_peers(spec) ? args.data : args.out) &&
         (!args.roots || known(args.roots));
}

template <class T>
int run_as(Function const& f, void const* arguments, kernel::Wide tiles) {
  kernel::Args<T> args;
  std::memcpy(static_cast<void*>(&args), arguments, sizeof args);
  if (!sound(args, f.spec)) return illegal_address;
  emulator::user_functions = f.user;
  emulator::run_sweep<T>(f.spec, tiles, args);
  emulator::user_functions = {};
  if (world().spoilt && !kernel::stores_to_peers(f.spec)) args.out[0] = {T(77), T(77)};
  mark_all_written();
  ++world().ran;
  return success;
}

/// Two sweeps that are fused. Blocks that all wait would do so for ever on a device.
template <class T>
int run_fused(Function const& f, void const* arguments, kernel::Wide blocks) {
  kernel::FusedArgs<T> args;
  std::memcpy(static_cast<void*>(&args), arguments, sizeof args);
  if (!sound(args.first, f.spec) || !sound(args.last, *f.last)) return illegal_address;
  emulator::run_pair<T>(f.spec, *f.last, args, blocks, world().schedule);
  ++world().ran;
  return success;
}

}  // namespace

World& world() {
  static World& all = *new World;
  return all;
}

std::vector<Context*>& context_stack() {
  thread_local std::vector<Context*> stack;
  return stack;
}
Context* current() { return context_stack().empty() ? nullptr : context_stack().back(); }
int& capture_mode() {
  thread_local int mode = 0;
  return mode;
}

int called(char const* function) {
  World& w = world();
  ++w.counts[function];
  auto const planned = w.failures.find(function);
  if (planned == w.failures.end() || planned->second.first-- > 0) return success;
  int const status = planned->second.second;
  w.failures.erase(planned);
  return status;
}

int allocate(Address* pointer, std::size_t bytes, Allocation::Sort sort) {
  World& w = world();
  if (!bytes || !current()) return bytes ? invalid_context : invalid_value;
  // A gigabyte is what a test may take of the host, whatever the device claims to have.
  if (bytes > std::size_t(1) << 30 || (w.most && w.in_use + bytes > w.most)) return out_of_memory;
  void* const memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory) return out_of_memory;
  std::memset(memory, 0xff, bytes);  // not-a-number
  *pointer = Address(reinterpret_cast<std::uintptr_t>(memory));
  w.memory[*pointer] = {
      bytes, current()->device, sort,
      sort == Allocation::Sort::device ? std::make_shared<interpreter::Written>(memory, bytes) : nullptr};
  w.in_use += bytes;
  return success;
}

int release(Address pointer) {
  World& w = world();
  auto const found = w.memory.find(pointer);
  if (found == w.memory.end()) return invalid_value;
  w.in_use -= found->second.bytes;
  w.memory.erase(found);
  std::free(reinterpret_cast<void*>(pointer));
  return success;
}

std::map<Address, Allocation>::iterator holder(Address pointer) {
  World& w = world();
  auto next = w.memory.upper_bound(pointer);
  if (next == w.memory.begin()) return w.memory.end();
  --next;
  return pointer < next->first + next->second.bytes ? next : w.memory.end();
}

void mark_written(Address at, std::size_t bytes) {
  auto const memory = holder(at);
  if (memory != world().memory.end() && memory->second.written) memory->second.written->mark(at, bytes, true);
}

void mark_all_written() {
  for (auto const& [address, memory] : world().memory) mark_written(address, memory.bytes);
}

void copy_marks(Address to, Address from, std::size_t bytes) {
  auto const source = holder(from), target = holder(to);
  if (target == world().memory.end() || !target->second.written) return;
  if (source == world().memory.end() || !source->second.written) return mark_written(to, bytes);
  for (std::size_t i = 0; i < bytes; i += 2) {
    std::size_t const n = std::min<std::size_t>(2, bytes - i);
    target->second.written->mark(to + i, n, source->second.written->is_set(from + i, n));
  }
}

namespace {

/// CUDA's handle 2: a stream of the calling thread, made when it is first used.
Stream* stream_of_thread() {
  thread_local std::map<Context*, Stream*> streams;
  Stream*& stream = streams[current()];
  if (!stream) {
    stream = new Stream;
    stream->context = current();
    world().streams.insert(stream);
  }
  return stream;
}

}  // namespace

Stream* stream_of(void* handle) {
  World& w = world();
  auto const number = reinterpret_cast<std::uintptr_t>(handle);
  if (number <= 1) {  // the default stream has two handles
    Stream& stream = w.default_streams[current()];
    stream.context = current();
    return &stream;
  }
  if (number == 2) return stream_of_thread();
  auto* const stream = static_cast<Stream*>(handle);
  return w.streams.count(stream) && stream->context == current() ? stream : nullptr;
}

void drain(Stream& stream, unsigned long long position) {
  World& w = world();
  while (stream.done < position) {
    bool const others = stream.runner != std::thread::id() && stream.runner != std::this_thread::get_id();
    if (others && wait_for_change()) continue;
    if (others || stream.waiting.empty()) return;
    Work const work = std::move(stream.waiting.front());
    stream.waiting.pop_front();
    auto const before = std::exchange(stream.runner, std::this_thread::get_id());
    if (int const status = work())
      w.trouble = status;  // may drain other streams, which may come back to this one
    stream.runner = before;
    ++stream.done;
    w.changed.notify_all();
  }
}

bool wait_for_change() {
  World& w = world();
  return w.changed.wait_for(w.mutex, std::chrono::seconds(20)) == std::cv_status::no_timeout;
}

void drain(Stream& stream) { drain(stream, stream.enqueued); }

void drain(Context* context) {
  std::set<Stream*> const streams = world().streams;  // others may come and go while this waits
  for (Stream* s : streams)
    if (world().streams.count(s) && s->context == context) drain(*s);
  drain(world().default_streams[context]);
}

int enqueue(Stream& stream, Work work) {
  World& w = world();
  if (stream.captured) {
    stream.captured->works.push_back(std::move(work));
    stream.loose = stream.forked;
    return success;
  }
  // The default stream and the blocking ones take turns.
  Stream& common = w.default_streams[stream.context];
  if (&stream == &common) {
    for (Stream* s : w.streams)
      if (s->context == stream.context && s->blocking) drain(*s);
  } else if (stream.blocking) {
    drain(common);
  }
  stream.waiting.push_back(std::move(work));
  ++stream.enqueued;
  return success;
}

int forbidden_under_capture() {
  constexpr int relaxed = 2;
  if (capture_mode() == relaxed) return success;
  int status = success;
  for (Stream* s : world().streams)
    if (s->captured && s->mode != relaxed) s->captured->invalid = true, status = capture_unsupported;
  return status;
}

std::string architecture(int device) { return device == 0 ? "sm_90" : "sm_80"; }

std::string cubin(std::string const& spec, bool is_double, std::string const& architecture,
                  std::string const& user) {
  return image_mark + architecture + (is_double ? " f64 " : " f32 ") + spec + "\n" + user + '\0';
}

std::string image_of(ir::Kernel const& kernel, std::string const& architecture, std::string const& user) {
  return image_mark + architecture + interpreted_mark + user + "\n" + packed(kernel);
}

namespace {

/// The functions of a user's library; false where there is none such.
bool open_user(std::string const& library, emulator::UserFunctions& user) {
  if (library.empty()) return true;
  void* const opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!opened) return false;
  using Seen = void (*)(void*, long long, void*);
  user = {reinterpret_cast<Seen>(::dlsym(opened, "user_load")),
          reinterpret_cast<Seen>(::dlsym(opened, "user_store"))};
  return true;
}

/// A module of a kernel that is interpreted; null where the image is of something else.
std::unique_ptr<Module> interpreted_module(char const* image) {
  std::string const head = image_mark + architecture(current()->device) + interpreted_mark;
  if (std::strncmp(image, head.c_str(), head.size()) != 0) return nullptr;
  auto module = std::make_unique<Module>();
  module->context = current();
  char const* const line = std::strchr(image + head.size(), '\n');
  module->function.interpreted = unpacked(line + 1);
  if (!open_user(std::string(image + head.size(), line), module->function.user)) return nullptr;
  module->name = module->function.interpreted->name;
  return module;
}

}  // namespace

Module* parse_cubin(char const* image) {
  if (auto module = interpreted_module(image)) return module.release();
  std::string text(image, ::strnlen(image, 1 << 20));
  if (!text.starts_with(image_mark)) return nullptr;
  text.erase(0, image_mark.size());
  std::string const target = text.substr(0, 5), type = text.substr(6, 3);
  if (target != architecture(current()->device)) return nullptr;
  auto module = std::make_unique<Module>();
  module->context = current();
  if (type == "own") {
    module->function.plain = text.substr(10);
    module->name = "own";
    return module.release();
  }
  std::size_t const line = text.find('\n', 10);
  module->function.spec = parse_spec(text.substr(10, line - 10));
  std::string const user = text.substr(line + 1);
  if (user.starts_with(fused_mark)) {
    module->function.last = parse_spec(user.substr(fused_mark.size()));
  } else if (!open_user(user, module->function.user)) {
    return nullptr;
  }
  module->function.is_double = type == "f64";
  module->name = "sweep_" + type;
  return module.release();
}

std::string plain_cubin(std::string const& name, std::string const& architecture) {
  return image_mark + architecture + " own " + name + '\0';
}

std::size_t argument_bytes(Function const& f) {
  if (!f.plain.empty()) return plain_bytes(f.plain);
  if (f.last) return f.is_double ? sizeof(kernel::FusedArgs<double>) : sizeof(kernel::FusedArgs<float>);
  return f.is_double ? sizeof(kernel::Args<double>) : sizeof(kernel::Args<float>);
}

int run(Function const& f, void const* arguments, kernel::Wide tiles) try {
  if (!f.plain.empty()) return run_plain(f.plain, arguments, tiles);
  if (f.last)
    return f.is_double ? run_fused<double>(f, arguments, tiles) : run_fused<float>(f, arguments, tiles);
  return f.is_double ? run_as<double>(f, arguments, tiles) : run_as<float>(f, arguments, tiles);
} catch (std::exception const& e) {
  std::fprintf(stderr, "fake driver: %s\n", e.what());
  return illegal_address;
}

int run_interpreted(Function const& f, std::vector<std::int64_t> const& arguments, kernel::Wide tiles) try {
  ir::Kernel const& kernel = *f.interpreted;
  interpret(kernel, arguments, tiles, f.user);
  ++world().ran;
  bool const is_sweep = kernel.parameters.size() > 3 && kernel.parameters[1].name == "out" &&
                        kernel.parameters[3].name == "scale";
  if (Address const at = is_sweep ? Address(arguments[1]) : 0;
      world().spoilt && holder(at) != world().memory.end()) {
    float const narrow[] = {77, 77};
    double const wide[] = {77, 77};
    bool const is_double = kernel.parameters[3].type == ir::Type::f64;
    std::memcpy(reinterpret_cast<void*>(at), is_double ? static_cast<void const*>(wide) : narrow,
                is_double ? 16 : 8);
  }
  return success;
} catch (std::exception const& e) {
  std::fprintf(stderr, "fake driver: %s: %s\n", f.interpreted->name.c_str(), e.what());
  return illegal_address;
}

// ---- Control.

using Lock = std::lock_guard<std::recursive_mutex>;

void reset() {
  Lock const lock(world().mutex);
  world().counts.clear();
  world().failures.clear();
  world().trouble = success;
  world().ran = 0;
  world().most = 0;
  world().spilled = 0;
  world().spilled_loaded = 0;
  world().pools = true;
  world().largest_cluster = 16;
  world().schedule = {.at_once = 4};
  world().pretended.clear();
  world().peers = true;
}
void part_devices() {
  Lock const lock(world().mutex);
  world().peers = false;
  world().reached.clear();
}
void fail(std::string const& function, int status, int after) {
  Lock const lock(world().mutex);
  world().failures[function] = {after, status};
}
int calls(std::string const& function) {
  Lock const lock(world().mutex);
  if (!function.empty()) return world().counts[function];
  int total = 0;
  for (auto const& [name, count] : world().counts) total += count;
  return total;
}
std::size_t allocated() {
  Lock const lock(world().mutex);
  return world().in_use;
}
int allocations() {
  Lock const lock(world().mutex);
  return int(world().memory.size());
}
void limit_memory(std::size_t bytes) {
  Lock const lock(world().mutex);
  world().most = bytes;
}
int kernels_run() {
  Lock const lock(world().mutex);
  return world().ran;
}
void spill(int bytes) {
  Lock const lock(world().mutex);
  world().spilled = bytes;
  world().spilled_loaded = bytes;
}
void spill_as_loaded(std::optional<int> bytes) {
  Lock const lock(world().mutex);
  world().spilled_loaded = bytes;
}
void limit_clusters(int blocks) {
  Lock const lock(world().mutex);
  world().largest_cluster = blocks;
}
void hold_blocks(int apart, int anywhere) {
  Lock const lock(world().mutex);
  world().blocks_apart = apart;
  world().blocks_anywhere = anywhere;
}
void pretend(int device, Pretended const& facts) {
  Lock const lock(world().mutex);
  world().pretended[device] = facts;
}
void start_blocks(emulator::Schedule const& schedule) {
  Lock const lock(world().mutex);
  world().schedule = schedule;
}
int launched_anywhere() {
  Lock const lock(world().mutex);
  return world().launched_anywhere;
}
void spoil(bool yes) {
  Lock const lock(world().mutex);
  world().spoilt = yes;
}
void offer_pools(bool yes) {
  Lock const lock(world().mutex);
  world().pools = yes;
}
void* make_context(int device) {
  Lock const lock(world().mutex);
  auto* const context = new Context{device, ++world().contexts_made};
  world().contexts.insert(context);
  context_stack().push_back(context);
  return context;
}
void end_context(void* context) {
  Lock const lock(world().mutex);
  auto* const ended = static_cast<Context*>(context);
  world().contexts.erase(ended);
  std::erase(context_stack(), ended);
  for (auto m = world().modules.begin(); m != world().modules.end();)
    m = (*m)->context == ended ? world().modules.erase(m) : std::next(m);
}

}  // namespace skipper::fake_driver
