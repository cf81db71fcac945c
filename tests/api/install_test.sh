#!/usr/bin/env bash
# install_test.sh BUILD CXX [FLAG]: installs the build into a temporary prefix, moves it, and builds a user's project
# against it in C++ and C, by find_package and by pkg-config. FLAG is for builds under sanitizers.
set -euo pipefail
build=$1 cxx=$2 flag=${3:-}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
say() { echo "install_test: $*"; }

cmake --install "$build" --prefix "$here/first" >"$here/log" || { cat "$here/log"; exit 1; }
mv "$here/first" "$here/moved"  # an installed tree may be moved
prefix=$here/moved

mkdir "$here/user"
cat >"$here/user/main.cpp" <<'CPP'
#include <skipper/skipper.h>
int main() {
  std::vector<std::complex<float>> in(60, 1.0f), out(60);
  skipper::Plan({60}).execute(in.data(), out.data());
  return std::abs(out[0] - 60.0f) < 1e-3f && std::abs(out[7]) < 1e-3f ? 0 : 1;
}
CPP
cat >"$here/user/main.c" <<'C'
#include <skipper/skipper_c.h>
int main(void) {
  double in[2] = {3, 4}, out[2] = {0, 0};
  skipper_plan* plan;
  if (skipper_plan_create_text(&plan, "c2c f64 forward 1", 0, 1)) return 1;
  if (skipper_execute(plan, in, out)) return 2;
  skipper_plan_destroy(plan);
  return out[0] == 3 && out[1] == 4 ? 0 : 3;
}
C
cat >"$here/user/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
find_package(skipper 0.1 REQUIRED)
add_executable(user main.cpp)
target_link_libraries(user PRIVATE skipper::skipper)
CMAKE

CXXFLAGS=$flag cmake -S "$here/user" -B "$here/user/build" -DCMAKE_PREFIX_PATH="$prefix" \
  -DCMAKE_CXX_COMPILER="$cxx" >"$here/log" 2>&1 || { cat "$here/log"; exit 1; }
cmake --build "$here/user/build" >"$here/log" 2>&1 || { cat "$here/log"; exit 1; }
"$here/user/build/user"
say "find_package: good"

"$prefix/bin/skipper" --version >/dev/null
say "program: good"

command -v pkg-config >/dev/null || { say "pkg-config is missing, so its file is not tested"; exit 0; }
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name skipper.pc)")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags --libs skipper)
# shellcheck disable=SC2086
"$cxx" -std=c++20 $flag "$here/user/main.cpp" $flags -o "$here/by_pkg_config" && "$here/by_pkg_config"
if command -v gcc >/dev/null; then
  # shellcheck disable=SC2086
  gcc -std=c99 -Wall -Wextra -Wpedantic -Werror $flag "$here/user/main.c" $flags -o "$here/c_by_pkg_config"
  "$here/c_by_pkg_config"
fi
say "pkg-config: good"
