#!/usr/bin/env bash
# subproject_test.sh SOURCE CXX: configures, without compiling, projects that take Skipper in by add_subdirectory, and
# Skipper with parts left out, and looks at which targets, tests and install rules there are.
set -euo pipefail
source=$1 cxx=$2
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
fail() { echo "subproject_test: $*"; exit 1; }
configure() {  # configure FOLDER BUILD OPTION..
  local folder=$1 build=$2
  shift 2
  cmake -S "$folder" -B "$build" -G "Unix Makefiles" -DCMAKE_CXX_COMPILER="$cxx" "$@" >"$here/log" 2>&1
}
demand() { configure "$@" || { cat "$here/log"; fail "cannot be configured: $*"; }; }
targets() {  # the file with the names of all; CMake is asked once
  [ -e "$1/targets" ] || cmake --build "$1" --target help | sed -n 's/^\.\.\. //p' >"$1/targets"
  echo "$1/targets"
}
has() { grep -qx "$2" "$(targets "$1")" || fail "$1 lacks the target $2"; }
lacks() { if grep -x "$2" "$(targets "$1")"; then fail "$1 has the target $2"; fi; }

mkdir "$here/user"
cat >"$here/user/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
add_subdirectory($source skipper)
add_executable(user main.cpp)
target_link_libraries(user PRIVATE skipper::skipper)
get_target_property(linked skipper::skipper TYPE)
file(WRITE \${CMAKE_BINARY_DIR}/facts "\${linked} '\${CMAKE_BUILD_TYPE}' '\${CMAKE_CXX_STANDARD}' '\${CMAKE_RUNTIME_OUTPUT_DIRECTORY}'")
CMAKE
echo 'int main() {}' >"$here/user/main.cpp"

demand "$here/user" "$here/static"
has "$here/static" skipper_library
for target in skipper skipper_cli skipper_shared 'test_.*' 'tests_.*' 'bench_.*'; do lacks "$here/static" "$target"; done
[ "$(cat "$here/static/facts")" = "STATIC_LIBRARY '' '' ''" ] || fail "the parent was changed: $(cat "$here/static/facts")"
if grep -q "file(INSTALL" "$here/static/skipper/cmake_install.cmake"; then fail "a subproject has install rules"; fi
if grep -q "fPIE\|-Wpedantic" "$here/static/CMakeFiles/user.dir/flags.make"; then fail "the parent's flags were changed"; fi

demand "$here/user" "$here/shared" -DBUILD_SHARED_LIBS=ON -DSKIPPER_INSTALL=ON
has "$here/shared" skipper_shared
grep -q "^SHARED_LIBRARY " "$here/shared/facts" || fail "BUILD_SHARED_LIBS gave $(cat "$here/shared/facts")"
grep -q "libskipper.so" "$here/shared/skipper/cmake_install.cmake" || fail "SKIPPER_INSTALL installs nothing"

sed -i 's/LANGUAGES CXX/LANGUAGES C/; s/main.cpp/main.c/' "$here/user/CMakeLists.txt"  # links as C does
echo 'int main(void) { return 0; }' >"$here/user/main.c"
demand "$here/user" "$here/from_c"
grep -qE "libskipper.a .*-l(std)?c\+\+" "$here/from_c/CMakeFiles/user.dir/link.txt" ||
  fail "C is linked without C++'s library: $(cat "$here/from_c/CMakeFiles/user.dir/link.txt")"

demand "$source" "$here/parts" -DSKIPPER_TESTS=OFF -DSKIPPER_PROGRAM=OFF -DSKIPPER_SHARED=OFF
has "$here/parts" skipper_library
for target in skipper skipper_cli skipper_shared; do lacks "$here/parts" "$target"; done
if configure "$source" "$here/parts" -DSKIPPER_STATIC=OFF; then fail "no library at all was accepted"; fi
grep -q "SKIPPER_STATIC and SKIPPER_SHARED" "$here/log" || fail "no library at all was refused without a reason"
echo "subproject_test: good"
