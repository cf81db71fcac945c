# skipper_precompiled(<target> <group>): the headers that most files of the group begin with, parsed once. Halves the
# time of a build from nothing. Off where a compiler cache is in use, which does better with plain files.
if(CMAKE_CXX_COMPILER_LAUNCHER)
  set(precompile OFF)
else()
  set(precompile ON)
endif()
option(SKIPPER_PRECOMPILED "parse common headers once" ${precompile})

set(precompiled_library <algorithm> <functional> <map> <memory> <optional> <sstream> <string> <vector>)
set(precompiled_test ${precompiled_library} <complex> <fstream> <random> <gtest/gtest.h>)

function(skipper_precompiled target group)
  if(NOT SKIPPER_PRECOMPILED)
    return()
  endif()
  get_property(owner GLOBAL PROPERTY skipper_precompiled_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${precompiled_${group}})
    set_property(GLOBAL PROPERTY skipper_precompiled_${group} ${target})
  endif()
endfunction()
