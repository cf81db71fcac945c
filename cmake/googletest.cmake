# Provides GTest::gtest_main without a download: the installed library, else sources on this machine.
# carried/ is ignored by git; it is for taking GoogleTest to a machine that cannot install anything.
find_package(GTest QUIET)
if(TARGET GTest::gtest_main)
  return()
endif()

foreach(sources /usr/src/googletest ${PROJECT_SOURCE_DIR}/carried/googletest)
  if(EXISTS ${sources}/CMakeLists.txt)
    message(STATUS "GoogleTest: built from ${sources}")
    set(BUILD_GMOCK OFF CACHE BOOL "" FORCE)
    set(INSTALL_GTEST OFF CACHE BOOL "" FORCE)
    # Older GoogleTest asks for a CMake policy version that CMake 4 no longer knows.
    set(CMAKE_POLICY_VERSION_MINIMUM 3.5)
    add_subdirectory(${sources} ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
    unset(CMAKE_POLICY_VERSION_MINIMUM)
    if(NOT TARGET GTest::gtest_main)
      add_library(GTest::gtest_main ALIAS gtest_main)
    endif()
    return()
  endif()
endforeach()

message(FATAL_ERROR
  "GoogleTest was not found: not as an installed library, not in /usr/src/googletest, not in carried/googletest.\n"
  "Install it (scripts/deps.sh, or apt-get install libgtest-dev), copy its sources to carried/googletest, "
  "or build without tests: -DSKIPPER_TESTS=OFF.")
