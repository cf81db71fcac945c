# skipper_precompiled(<target> <group>): the headers that most files of the group begin with, parsed once; without the warnings that
# gcc then has about std::string, because it forgets that precompiled headers are the system's. Not where a compiler cache is in
# use, which does better with plain files, and sees what a file forgot to include.
option(SKIPPER_PRECOMPILED "parse common headers once" OFF)
if(SKIPPER_PRECOMPILED AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # No collection of garbage below 400 MB, which few files reach: it saves part of a build (bench/results/h200-choices.md).
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=400000>)
endif()

set(precompiled_library <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <complex> <cstring> <functional> <limits> <map>
  <memory> <mutex> <numeric> <optional> <set> <sstream> <string> <thread> <unordered_map> <vector>)
set(precompiled_test ${precompiled_library} <filesystem> <fstream> <random> <gtest/gtest.h>)

# MACROS: the target has definitions of its own. gcc takes no headers that were precompiled without them, or with others.
function(skipper_precompiled target group)
  if(NOT SKIPPER_PRECOMPILED OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  if("MACROS" IN_LIST ARGN AND NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    return()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE
      -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  set(headers ${precompiled_${group}})
  get_target_property(optimisation ${target} SKIPPER_OPTIMISATION)
  if(optimisation)  # gcc crashes on headers that were precompiled with other optimisation
    string(APPEND group _${optimisation})
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")  # -fPIE, where libraries are -fPIC
    string(APPEND group _program)
  endif()
  get_property(owner GLOBAL PROPERTY skipper_precompiled_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${headers})
    set_property(GLOBAL PROPERTY skipper_precompiled_${group} ${target})
  endif()
endfunction()

# skipper_bundled(<target>): its sources several at a time, where the build is for tests, so that what their headers declare and
# instantiate is compiled once a bundle. So names in unnamed namespaces must differ within a folder. Files
# with options of their own, and those named by skipper_unbundled(<source>...), are compiled by themselves.
function(skipper_bundled target)
  if(NOT SKIPPER_TESTS OR NOT SKIPPER_PRECOMPILED OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 30)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # it takes what bundles include for headers
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()
function(skipper_unbundled)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
