// What was costly to make, cached on disk: compiled kernels and prepared plans, as bytes under a key. A file is named
// after a hash of its key and holds another hash of it and one of its contents, so a collision or a damaged file is
// noticed, discarded and made anew; it is written under another name and renamed, so many processes may share the
// folder. It is its user's or root's: a folder that others may write is no cache, and a file of somebody else is never loaded.
// SKIPPER_CACHE names the folder (empty: no cache), SKIPPER_CACHE_BYTES bounds its size: what was used least recently goes first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace skipper::gpu {

std::optional<std::string> fetch(std::string const& key);
void save(std::string const& key, std::string_view contents);  // does nothing where it cannot write

/// Where the cache is, or empty where there is none.
std::string cache_folder();

/// How large it may grow: 256 MiB, unless the variable says otherwise.
std::int64_t cache_bytes();

/// Why it is not used, or not as the variables say: a sentence each.
std::vector<std::string> cache_faults();

/// 64 bits that tell texts apart; no protection against malice.
std::uint64_t hash(std::string_view text, std::uint64_t seed = 14695981039346656037ull);
std::string hex(std::uint64_t value);

/// Strings one after the other in one, each with its length, and back. Unpacking what was not packed so gives nothing.
void pack(std::string& out, std::string_view part);
std::optional<std::string> unpack(std::string_view& in);

}  // namespace skipper::gpu
