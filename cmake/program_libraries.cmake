# skipper_program_libraries: what the programs are written with: CLI11 reads arguments, nlohmann-json JSON, fmt lays out text.
# Headers only, so that nothing more is needed where a program runs. The library itself uses none of them.
find_path(SKIPPER_CLI11_INCLUDE CLI/CLI.hpp)
find_path(SKIPPER_JSON_INCLUDE nlohmann/json.hpp)
find_path(SKIPPER_FMT_INCLUDE fmt/core.h)
foreach(name CLI11 JSON FMT)
  if(NOT SKIPPER_${name}_INCLUDE)
    message(FATAL_ERROR
      "The programs need the headers of CLI11, nlohmann-json and fmt; those of ${name} were not found.\n"
      "Install them (scripts/deps.sh, or apt-get install libcli11-dev nlohmann-json3-dev libfmt-dev), name their folder in "
      "SKIPPER_${name}_INCLUDE, or build the library alone: -DSKIPPER_PROGRAM=OFF -DSKIPPER_TESTS=OFF.")
  endif()
endforeach()
add_library(skipper_program_libraries INTERFACE)
target_include_directories(skipper_program_libraries SYSTEM INTERFACE
  ${SKIPPER_CLI11_INCLUDE} ${SKIPPER_JSON_INCLUDE} ${SKIPPER_FMT_INCLUDE})
