// Loads and stores: global, shared and local memory, constants, and words that are read and written at once.
#include <cstring>

#include "sass/operations.h"

namespace skipper::sass {
namespace {

/// How much one thread moves.
struct Width {
  int bytes = 4;
  int words() const { return bytes < 4 ? 1 : bytes / 4; }
};
Width width_of(Form& form) {
  std::pair<char const*, int> const all[] = {{"U8", 1}, {"U16", 2}, {"64", 8}, {"128", 16}};
  for (auto const& [name, bytes] : all)
    if (form.take(name)) return {bytes};
  return {};
}

/// What says how long data stays in caches, and who sees a store when: nothing that is seen here.
void take_hints(Form& form) {
  for (char const* hint : {"CONSTANT", "STRONG", "WEAK", "GPU", "SYS", "EF", "EL", "LU", "NA"})
    form.take(hint);
}

/// A place in shared memory of the cluster, as an address of 32 bits says it.
SharedMemory& shared_at(Warp& w, std::uint32_t address) {
  std::size_t const rank = address >> SharedMemory::rank_bit;
  if (rank >= w.cluster().blocks.size())
    throw Fault("shared memory of block " + std::to_string(rank) + " of the cluster");
  return w.cluster().blocks[rank].shared;
}
constexpr std::uint32_t offset_mask = (1u << SharedMemory::rank_bit) - 1;

/// Its own block's, whether or not the address has the rank.
SharedMemory& own_shared(Warp& w, std::uint32_t address) {
  std::uint32_t const rank = address >> SharedMemory::rank_bit;
  if (rank != 0 && rank != std::uint32_t(w.block().rank))
    throw Fault("an access of another block's shared memory by an instruction for its own");
  return w.block().shared;
}

using Transfer = void (*)(Warp& w, std::size_t lane, std::uint64_t address, std::uint32_t* words, int bytes);

void load_global(Warp& w, std::size_t, std::uint64_t address, std::uint32_t* words, int bytes) {
  w.cluster().memory.load(address, words, bytes);
}
void store_global(Warp& w, std::size_t, std::uint64_t address, std::uint32_t* words, int bytes) {
  w.cluster().memory.store(address, words, bytes);
}
void load_shared(Warp& w, std::size_t, std::uint64_t address, std::uint32_t* words, int bytes) {
  own_shared(w, std::uint32_t(address)).load(std::uint32_t(address) & offset_mask, words, bytes);
}
void store_shared(Warp& w, std::size_t, std::uint64_t address, std::uint32_t* words, int bytes) {
  own_shared(w, std::uint32_t(address)).store(std::uint32_t(address) & offset_mask, words, bytes);
}
bool is_shared(std::uint64_t address) { return (address & ~std::uint64_t(0xffffffff)) == generic_shared; }
void load_generic(Warp& w, std::size_t lane, std::uint64_t address, std::uint32_t* words, int bytes) {
  if (!is_shared(address)) return load_global(w, lane, address, words, bytes);
  shared_at(w, std::uint32_t(address)).load(std::uint32_t(address) & offset_mask, words, bytes);
}
void store_generic(Warp& w, std::size_t lane, std::uint64_t address, std::uint32_t* words, int bytes) {
  if (!is_shared(address)) return store_global(w, lane, address, words, bytes);
  shared_at(w, std::uint32_t(address)).store(std::uint32_t(address) & offset_mask, words, bytes);
}
void load_local(Warp& w, std::size_t lane, std::uint64_t address, std::uint32_t* words, int bytes) {
  for (int word = 0; word < bytes / 4; ++word)
    words[word] = w.local().load(lane, address + 4 * std::uint64_t(word));
}
void store_local(Warp& w, std::size_t lane, std::uint64_t address, std::uint32_t* words, int bytes) {
  for (int word = 0; word < bytes / 4; ++word)
    w.local().store(lane, address + 4 * std::uint64_t(word), words[word]);
}

/// Of an address that .E says has 64 bits, the general register is a pair, also where it is not written so.
Operand address_of(Form& form, bool extended) {
  Operand at = form.address();
  if (extended && !at.uniform_wide) at.wide = true;
  return at;
}

Action load(Form& form, Transfer transfer) {
  take_hints(form);
  bool const extended = form.take("E");
  Width const width = width_of(form);
  Operand const to = form.result(), at = address_of(form, extended);
  if (width.bytes < 4 && transfer == load_local) throw Fault("local memory by bytes");
  return [=](Warp& w, Mask mask) {
    U64 const address = w.registers().address(at);
    U32 rows[4] = {};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (!has(mask, lane)) continue;
      std::uint32_t words[4] = {};
      transfer(w, lane, address[lane], words, width.bytes);
      for (std::size_t word = 0; word < 4; ++word) rows[word][lane] = words[word];
    }
    for (int word = 0; word < width.words(); ++word) w.registers().set(to, mask, rows[word], word);
  };
}

Action store(Form& form, Transfer transfer) {
  take_hints(form);
  bool const extended = form.take("E");
  Width const width = width_of(form);
  Operand const at = address_of(form, extended), from = form.of(Operand::Sort::general);
  if (width.bytes < 4 && transfer == store_local) throw Fault("local memory by bytes");
  return [=](Warp& w, Mask mask) {
    U64 const address = w.registers().address(at);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (!has(mask, lane)) continue;
      std::uint32_t words[4] = {};
      for (int word = 0; word < width.words(); ++word) words[word] = w.registers().raw(from, word)[lane];
      transfer(w, lane, address[lane], words, width.bytes);
    }
  };
}

/// LDC: at an offset that a register may add to.
Action load_constant(Form& form) {
  Width const width = width_of(form);
  Operand const to = form.result(), from = form.of(Operand::Sort::constant);
  Operand const added{.sort = Operand::Sort::general, .index = from.index};
  return [=](Warp& w, Mask mask) {
    U32 const index = w.registers().u32(added);
    U32 rows[4] = {};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (!has(mask, lane)) continue;
      std::uint32_t words[4] = {};
      w.cluster().constants.load(from.bits + index[lane], words, width.bytes);
      for (std::size_t word = 0; word < 4; ++word) rows[word][lane] = words[word];
    }
    for (int word = 0; word < width.words(); ++word) w.registers().set(to, mask, rows[word], word);
  };
}

/// ATOMG, ATOM of global memory, and REDG: a word is changed, and the register takes what it was.
Action change(Form& form, bool fetches) {
  take_hints(form);
  bool const extended = form.take("E");
  auto const kind = form.take_one({"ADD", "OR", "AND"});
  if (!kind) throw Fault("unknown kind of ATOMG or REDG");
  if (fetches && form.predicate().index != true_predicate) throw Fault("unknown kind of ATOMG");
  Operand const to = fetches ? form.result() : Operand{}, at = address_of(form, extended), with = form.u32();
  char const first = kind->front();
  return [=](Warp& w, Mask mask) {
    U64 const address = w.registers().address(at);
    U32 const given = w.registers().u32(with);
    U32 before{};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      if (!has(mask, lane)) continue;
      std::uint32_t& word = w.cluster().memory.word(address[lane]);
      before[lane] = word;
      word = first == 'O' ? word | given[lane] : *kind == "AND" ? word & given[lane] : word + given[lane];
    }
    w.registers().set(to, mask, before);
  };
}

}  // namespace

Operations const& memory_operations() {
  static Operations const all = {{"LDG", [](Form& form) { return load(form, load_global); }},
                                 {"STG", [](Form& form) { return store(form, store_global); }},
                                 {"LDS", [](Form& form) { return load(form, load_shared); }},
                                 {"STS", [](Form& form) { return store(form, store_shared); }},
                                 {"LD", [](Form& form) { return load(form, load_generic); }},
                                 {"ST", [](Form& form) { return store(form, store_generic); }},
                                 {"LDL", [](Form& form) { return load(form, load_local); }},
                                 {"STL", [](Form& form) { return store(form, store_local); }},
                                 {"LDC", load_constant},
                                 {"ULDC", load_constant},
                                 {"ATOMG", [](Form& form) { return change(form, true); }},
                                 {"ATOM", [](Form& form) { return change(form, true); }},
                                 {"REDG", [](Form& form) { return change(form, false); }}};
  return all;
}

}  // namespace skipper::sass
