#include "gpu/fake_driver/kernels.h"

#include <algorithm>
#include <cstring>

#include "gpu/fake_driver/world.h"
#include "interpreter/interpreter.h"

namespace skipper::fake_driver {
namespace {

template <class T>
void put(std::string& out, T const& x) {
  out.append(reinterpret_cast<char const*>(&x), sizeof x);
}
template <class T>
T get(char const*& in) {
  T x;
  std::memcpy(&x, in, sizeof x);
  in += sizeof x;
  return x;
}
template <class T>
void put_all(std::string& out, std::vector<T> const& all) {
  put(out, all.size());
  out.append(reinterpret_cast<char const*>(all.data()), all.size() * sizeof(T));
}
template <class T>
std::vector<T> get_all(char const*& in) {
  std::vector<T> all(get<std::size_t>(in));
  if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), in, all.size() * sizeof(T));
  in += all.size() * sizeof(T);
  return all;
}
std::vector<char> letters(std::string const& s) { return {s.begin(), s.end()}; }
std::string word(std::vector<char> const& s) { return {s.begin(), s.end()}; }

/// All memory of the driver, for whatever it is used.
std::vector<interpreter::Array> arrays() {
  std::vector<interpreter::Array> all;
  for (auto const& [address, memory] : world().memory)
    for (emulator::Use const use : {emulator::Use::load, emulator::Use::store, emulator::Use::root})
      all.push_back({{use, std::uintptr_t(address), emulator::Wide(memory.bytes), 1}, memory.written});
  return all;
}

bool has(ir::Kernel const& kernel, ir::Op op) {
  return std::ranges::any_of(kernel.code, [op](ir::Instruction const& i) { return i.op == op; });
}

/// Where blocks give up waiting, or look for items that nobody may have left, all may find nothing new.
interpreter::Order order() {
  emulator::Schedule const& s = world().schedule;
  return {interpreter::Order::Start(int(s.start)), s.at_once, s.seed, true};
}

}  // namespace

void know_kernel(std::string const& text, ir::Kernel const& kernel) { world().known.emplace(text, kernel); }

std::optional<ir::Kernel> take_kernel(std::string const& text) {
  auto const known = world().known.find(text);
  if (known == world().known.end()) return std::nullopt;
  ir::Kernel kernel = std::move(known->second);
  world().known.erase(known);
  return kernel;
}

std::string packed(ir::Kernel const& kernel) {
  std::string out;
  put_all(out, letters(kernel.name));
  put(out, kernel.parameters.size());
  for (auto const& p : kernel.parameters) put_all(out, letters(p.name)), put(out, p.type);
  for (int const number : {kernel.threads, kernel.cluster_ranks, kernel.resident, kernel.shared_bytes})
    put(out, number);
  put(out, kernel.blocks);
  put_all(out, kernel.code);
  put_all(out, kernel.operands);
  return out;
}

ir::Kernel unpacked(char const* in) {
  ir::Kernel kernel;
  kernel.name = word(get_all<char>(in));
  kernel.parameters.resize(get<std::size_t>(in));
  for (auto& p : kernel.parameters) {
    p.name = word(get_all<char>(in));
    p.type = get<ir::Type>(in);
  }
  for (int* const number : {&kernel.threads, &kernel.cluster_ranks, &kernel.resident, &kernel.shared_bytes})
    *number = get<int>(in);
  kernel.blocks = get<std::int64_t>(in);
  kernel.code = get_all<ir::Instruction>(in);
  kernel.operands = get_all<ir::Value>(in);
  return kernel;
}

std::vector<std::int64_t> arguments(ir::Kernel const& kernel, void** parameters) {
  std::vector<std::int64_t> all;
  for (auto const& p : kernel.parameters) {
    std::int64_t bits = 0;
    std::memcpy(&bits, *parameters++, std::size_t(bytes_of(p.type)));
    all.push_back(bits);
  }
  return all;
}

bool waits_for_previous(ir::Kernel const& kernel) { return has(kernel, ir::Op::wait_for_previous); }

void interpret(ir::Kernel const& kernel, std::vector<std::int64_t> const& arguments, std::int64_t blocks,
               emulator::UserFunctions const& user) {
  interpreter::Launch const launch{arguments, arrays(), blocks, user.load, user.store};
  if (has(kernel, ir::Op::load_acquire))
    interpreter::run_concurrently(kernel, launch, order());
  else
    interpreter::run(kernel, launch, {.races = false, .traffic = false});
}

}  // namespace skipper::fake_driver
