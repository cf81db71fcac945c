#pragma once
// What the fake driver keeps: memory, contexts, streams with their waiting work, graphs, modules. One lock guards it
// all; kernels run under it too, so the order of the work is the order of the queues and nothing else.
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "emulator/block.h"
#include "gpu/fake_driver/fake_driver.h"
#include "interpreter/memory.h"
#include "ir/kernel.h"
#include "kernel/spec.h"

namespace skipper::fake_driver {

enum Status {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  no_binary = 209,
  invalid_ptx = 218,
  invalid_handle = 400,
  not_found = 500,
  illegal_address = 700,
  capture_unsupported = 900,
  capture_invalidated = 901,
  peer_access_enabled = 704,
  capture_unjoined = 904,
};

using Address = unsigned long long;

struct Allocation {
  std::size_t bytes = 0;
  int device = 0;
  enum class Sort { device, managed, pinned } sort = Sort::device;
  std::shared_ptr<interpreter::Written> written;  // null of memory that the host may write to by itself
};

struct Context {
  int device = 0;
  unsigned long long id = 0;
};

using Work = std::function<int()>;

struct Graph {
  unsigned long long number = 0;  // of the capture
  std::vector<Work> works;
  std::vector<Address> memory;  // of its allocation nodes
  bool invalid = false;
};

struct Stream {
  Context* context = nullptr;
  bool blocking = true;  // waits for the default stream, and it for this one
  std::deque<Work> waiting;
  unsigned long long enqueued = 0, done = 0;  // of its work, in all
  std::shared_ptr<Graph> captured;            // while it is
  int mode = 0;                               // of the capture
  bool forked = false;                        // into it, by an event
  bool loose = false;                         // since then it has work that nobody waits for
  std::thread::id runner;                     // of the work that is under way
};

struct Event {
  Stream* stream = nullptr;
  unsigned long long position = 0;  // in the stream's work, right behind the record
  std::shared_ptr<double> seconds =
      std::make_shared<double>(0);  // a record may be under way when the event is destroyed
  std::shared_ptr<Graph> captured;  // recorded into this one
};

struct Function {
  std::optional<ir::Kernel> interpreted;
  std::string plain;  // the name of a kernel that is no sweep
  kernel::SweepSpec spec;
  std::optional<kernel::SweepSpec> last;  // of two sweeps that are fused
  bool is_double = false;
  int shared_allowed = 48 * 1024;
  emulator::UserFunctions user;
  bool large_clusters = false, anywhere = false;
};

/// What the driver's compiler is given.
struct Link {
  std::string architecture, image;
};

struct Module {
  Context* context = nullptr;
  std::string name;
  Function function;
};

struct World {
  std::recursive_mutex mutex;
  std::condition_variable_any changed;   // work of a stream was done, or messages came
  std::map<Address, Allocation> memory;  // by its first byte
  std::size_t in_use = 0, most = 0;
  std::map<int, std::unique_ptr<Context>> primary;
  std::set<Context*> contexts;
  std::set<std::pair<Context*, Context*>> reached;  // the first may use memory of the second
  bool peers = true;
  std::map<Context*, Stream> default_streams;
  std::set<Stream*> streams;
  std::set<Module*> modules;
  std::set<Link*> links;
  std::multimap<std::string, ir::Kernel> known;  // by their texts
  std::map<std::string, int> counts;
  std::map<std::string, std::pair<int, int>> failures;  // by entry point: calls still to pass, status
  bool pools = true, spoilt = false;
  int spilled = 0;                        // by NVRTC
  std::optional<int> spilled_loaded = 0;  // by the driver
  int largest_cluster = 16, blocks_apart = 132, blocks_anywhere = 132, launched_anywhere = 0;
  emulator::Schedule schedule{.at_once = 4};
  std::map<int, Pretended> pretended;  // by device
  int ran = 0;
  int trouble = success;  // a kernel's failure, which the next synchronisation tells
  unsigned long long contexts_made = 0, captures = 0;
};

World& world();

/// The contexts that a thread has made current, the last on top.
std::vector<Context*>& context_stack();
Context* current();
/// How this thread wants captures of others to be treated.
int& capture_mode();

/// Counts a call; not success where it was to fail.
int called(char const* function);

int allocate(Address* pointer, std::size_t bytes, Allocation::Sort sort);
int release(Address pointer);
/// The allocation that holds the address, or the end.
std::map<Address, Allocation>::iterator holder(Address pointer);

/// The stream behind a handle, which may be the default one; null where there is none such in the current context.
Stream* stream_of(void* handle);
/// Puts work into a stream, or into the graph that captures it.
int enqueue(Stream& stream, Work work);
/// Runs what waits in a stream, in all streams of a context.
void drain(Stream& stream);
/// Only as far as an event that was recorded in it.
void drain(Stream& stream, unsigned long long position);
void drain(Context* context);
/// Within a work that waits for another thread: lets others in until something has changed. False after 20 seconds.
bool wait_for_change();
/// A call that no capture in the process may see: breaks those that are not relaxed.
int forbidden_under_capture();

/// Notes that bytes of device memory are written, or that they are as those at another place.
void mark_written(Address at, std::size_t bytes);
void mark_all_written();  // by a kernel that is emulated
void copy_marks(Address to, Address from, std::size_t bytes);

/// The image of a kernel that is interpreted, and of the library that a user's functions were compiled into, or nothing.
std::string image_of(ir::Kernel const& kernel, std::string const& architecture, std::string const& user);

/// The text that stands for machine code, and back. Null where it is something else.
/// `user` is the library that a user's functions were compiled into, or nothing.
std::string cubin(std::string const& spec, bool is_double, std::string const& architecture,
                  std::string const& user);
Module* parse_cubin(char const* image);
std::string architecture(int device);
/// Runs the first tiles of a kernel on arguments as a launch was given them.
int run(Function const& function, void const* arguments, kernel::Wide tiles);
int run_interpreted(Function const& function, std::vector<std::int64_t> const& arguments, kernel::Wide tiles);
std::size_t argument_bytes(Function const& function);

/// The same of a kernel that is no sweep: by its name, the text that stands for it, what a launch must be, and a run.
std::string plain_cubin(std::string const& name, std::string const& architecture);
std::size_t plain_bytes(std::string const& name);
bool plain_launch(std::string const& name, unsigned blocks, unsigned threads, unsigned shared);
int run_plain(std::string const& name, void const* arguments, kernel::Wide blocks);

}  // namespace skipper::fake_driver
