# cmake -DROOT=.. -DOUT=.. -P source_hashes.cmake: a file with one hash of everything that decides what a plan is, and one of
# everything that decides what its kernels are.
function(hash_of variable)
  set(sources)
  foreach(folder IN LISTS ARGN)
    file(GLOB_RECURSE found ${ROOT}/src/${folder}/*.h ${ROOT}/src/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  list(SORT sources)
  foreach(source IN LISTS sources)
    file(SHA256 ${source} hash)
    string(APPEND all ${hash})
  endforeach()
  string(SHA256 hash "${all}")
  string(SUBSTRING ${hash} 0 16 hash)
  set(${variable} ${hash} PARENT_SCOPE)
endfunction()

hash_of(planner plan base)
hash_of(recorder kernel ir trace)
file(WRITE ${OUT} "// Made by cmake/source_hashes.cmake.
#include \"gpu/jit.h\"
namespace skipper::gpu {
char const* const planner_hash = \"${planner}\";
char const* const recorder_hash = \"${recorder}\";
}  // namespace skipper::gpu
")
