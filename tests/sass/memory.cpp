// See memory.h.
#include "sass/memory.h"

#include <cstring>
#include <sstream>

namespace skipper::sass {
namespace {

std::string hexadecimal(std::uint64_t number) {
  std::ostringstream out;
  out << "0x" << std::hex << number;
  return out.str();
}

void demand_aligned(std::uint64_t address, int bytes) {
  if (address % std::uint64_t(bytes) != 0)
    throw Fault(std::to_string(bytes) + " bytes at " + hexadecimal(address) + ", which is not aligned");
}

}  // namespace

std::byte* GlobalMemory::at(std::uint64_t address, int bytes, bool writes) const {
  for (Array const& array : arrays_) {
    std::uint64_t const offset = address - std::uint64_t(reinterpret_cast<std::uintptr_t>(array.data));
    if (offset >= array.bytes || array.bytes - offset < std::uint64_t(bytes)) continue;
    demand_aligned(address, bytes);
    if (writes && !array.writable) throw Fault("stores to " + array.name + ", which is read only");
    return static_cast<std::byte*>(array.data) + offset;
  }
  throw Fault(std::string(writes ? "stores " : "loads ") + std::to_string(bytes) + " bytes at " +
              hexadecimal(address) + ", outside all arrays");
}

void GlobalMemory::load(std::uint64_t address, void* to, int bytes) const {
  std::memcpy(to, at(address, bytes, false), std::size_t(bytes));
}

void GlobalMemory::store(std::uint64_t address, void const* from, int bytes) {
  std::memcpy(at(address, bytes, true), from, std::size_t(bytes));
  stores_.push_back({std::uintptr_t(address), bytes});
}

std::uint32_t& GlobalMemory::word(std::uint64_t address) {
  return *reinterpret_cast<std::uint32_t*>(at(address, 4, true));
}

std::size_t SharedMemory::place(std::uint32_t offset, int bytes, char const* what) const {
  demand_aligned(offset, bytes);
  std::size_t const size = bytes_, at = std::size_t(offset) - begin;
  if (offset < begin || at + std::size_t(bytes) > size)
    throw Fault(what + std::to_string(bytes) + " bytes at " + hexadecimal(offset) +
                " of shared memory, which has " + hexadecimal(begin) + " to " + hexadecimal(begin + size));
  return at;
}

void SharedMemory::load(std::uint32_t offset, void* to, int bytes) const {
  std::size_t const at = place(offset, bytes, "loads ");
  std::memcpy(to, reinterpret_cast<std::byte const*>(words_.data()) + at, std::size_t(bytes));
}

void SharedMemory::store(std::uint32_t offset, void const* from, int bytes) {
  std::size_t const at = place(offset, bytes, "stores ");
  std::memcpy(reinterpret_cast<std::byte*>(words_.data()) + at, from, std::size_t(bytes));
}

Constants::Constants(std::string const& given) : bytes_(arguments, '\0') { bytes_ += given; }

void Constants::set(std::size_t offset, std::uint32_t word) {
  std::memcpy(&bytes_.at(offset), &word, sizeof word);
}

void Constants::load(std::uint64_t offset, void* to, int bytes) const {
  demand_aligned(offset, bytes);
  if (offset >= bytes_.size() || bytes_.size() - offset < std::size_t(bytes))
    throw Fault("reads constant " + hexadecimal(offset) + " of " + hexadecimal(bytes_.size()));
  std::memcpy(to, bytes_.data() + offset, std::size_t(bytes));
}

}  // namespace skipper::sass
