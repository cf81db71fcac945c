#!/usr/bin/env bash
# install_test.sh BUILD CXX [FLAG]: installs the build into a temporary prefix, moves it, and builds users' projects
# against it in C++, C and Fortran, each without the other languages: by find_package and by pkg-config, static and shared.
# Then looks at the manual pages, the completions and what the shared library shows. FLAG is for builds under sanitizers.
set -euo pipefail
build=$1 cxx=$2 flag=${3:-}
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
say() { echo "install_test: $*"; }
quietly() { "$@" >"$here/log" 2>&1 || { cat "$here/log"; say "failed: $*"; exit 1; }; }

quietly cmake --install "$build" --prefix "$here/first"
mv "$here/first" "$here/moved"  # an installed tree may be moved
prefix=$here/moved

mkdir "$here/user"
cat >"$here/user/main.cpp" <<'CPP'
#include <skipper/skipper.h>
int main() {
  std::vector<std::complex<float>> in(60, 1.0f), out(60);
  skipper::Plan({60}).execute(in.data(), out.data());
  try {  // exceptions cross the border of a shared library
    skipper::Plan({0});
    return 1;
  } catch (skipper::Error const& e) {
    if (e.argument() != "axes[0].size") return 2;
  }
  bool const known = !skipper::devices().empty() && !skipper::machine_names().empty();
  return known && std::abs(out[0] - 60.0f) < 1e-3f && std::abs(out[7]) < 1e-3f ? 0 : 3;
}
CPP
cat >"$here/user/main.c" <<'C'
#include <skipper/skipper_c.h>
#if SKIPPER_VERSION < 100 || SKIPPER_VERSION_MAJOR > SKIPPER_VERSION
#error the version is not a number that #if can compare
#endif
int main(void) {
  double in[2] = {3, 4}, out[2] = {0, 0};
  skipper_plan* plan;
  if (skipper_plan_create_text(&plan, "c2c f64 forward 1", 0)) return 1;
  if (skipper_execute(plan, in, out)) return 2;
  skipper_plan_destroy(plan);
  return out[0] == 3 && out[1] == 4 ? 0 : 3;
}
C
cat >"$here/user/main.f90" <<'FORTRAN'
program main
  use skipper
  type(c_ptr) :: plan
  complex(c_double_complex), target :: in(1) = (3, 4), out(1) = 0
  if (skipper_plan_create_text(plan, "c2c f64 forward 1" // c_null_char, skipper_plan_settings()) /= SKIPPER_OK) stop 1
  if (skipper_execute(plan, c_loc(in), c_loc(out)) /= SKIPPER_OK) stop 2
  call skipper_plan_destroy(plan)
  if (out(1) /= in(1)) stop 3
end program
FORTRAN
cat >"$here/user/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
set(BUILD_SHARED_LIBS ON)
find_package(skipper 0.1 REQUIRED)
add_library(main OBJECT main.cpp)  # once for both
target_link_libraries(main PRIVATE skipper::skipper)
add_executable(user_static light.cpp $<TARGET_OBJECTS:main>)
target_link_libraries(user_static PRIVATE skipper::static)
add_executable(user_shared light.cpp $<TARGET_OBJECTS:main>)
target_link_libraries(user_shared PRIVATE skipper::skipper)
CMAKE
cat >"$here/user/light.cpp" <<'CPP'
#include <skipper/skipper_c.h>
static_assert(SKIPPER_VERSION >= 100 && __cplusplus >= 202002L, "each library brings its headers and their C++");
CPP

export CXXFLAGS=$flag
quietly cmake -S "$here/user" -B "$here/user/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER="$cxx"
quietly cmake --build "$here/user/build"
quietly "$here/user/build/user_static"
quietly "$here/user/build/user_shared"
say "find_package: good"

# A project of one language that is not C++: nothing of C++ may be needed to find, compile or link.
# In a quick round Fortran's links but the default library, and C the others.
only() {  # only LANGUAGE SOURCE..
  local language=$1 where=$here/only_$1 kinds='skipper static shared'
  shift
  if [ "${SKIPPER_QUICK:-0}" != 0 ]; then
    if [ "$language" = C ]; then kinds='static shared'; else kinds=skipper; fi
  fi
  mkdir "$where"
  cat >"$where/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES $language)
find_package(skipper 0.1 REQUIRED)
foreach(kind $kinds)
  add_executable(user_\${kind} $*)
  target_link_libraries(user_\${kind} skipper::\${kind})
  set_target_properties(user_\${kind} PROPERTIES Fortran_MODULE_DIRECTORY \${kind})
endforeach()
CMAKE
  quietly env CFLAGS="$flag" FFLAGS="$flag" cmake -S "$where" -B "$where/build" -DCMAKE_PREFIX_PATH="$prefix"
  quietly cmake --build "$where/build"
  local kind
  for kind in $kinds; do quietly "$where/build/user_$kind"; done
  say "find_package in $language alone: good"
}
if command -v cc >/dev/null; then only C "$here/user/main.c"; fi
if command -v gfortran >/dev/null; then only Fortran '${skipper_FORTRAN_MODULE}' "$here/user/main.f90"; fi

quietly "$prefix/bin/skipper" --version
quietly "$prefix/bin/skipper" help bench  # by the program beside it
say "programs: good"

complete() {  # complete ANSWER WORD..: by the installed script of the first word
  local answer=$1
  shift
  quietly env PATH="$prefix/bin:$PATH" bash -c '. "$1/$3" && answer=$2 && shift 2 && COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) &&
    "_${1//-/_}" && [ "${COMPREPLY[*]}" = "$answer" ]' bash "$prefix/share/bash-completion/completions" "$answer" "$@"
}
complete --memory-limit skipper fft --memory
complete crossover skipper cro
complete --least skipper compare --le
complete --least skipper-bench compare --le
for name in skipper skipper-bench; do
  quietly test -s "$prefix/share/zsh/site-functions/_${name/-/_}"
  quietly test -s "$prefix/share/fish/vendor_completions.d/$name.fish"
  if command -v zsh >/dev/null; then quietly zsh -n "$prefix/share/zsh/site-functions/_${name/-/_}"; fi
  if command -v fish >/dev/null; then quietly fish --no-execute "$prefix/share/fish/vendor_completions.d/$name.fish"; fi
  quietly grep -q "^.SH COMMANDS" "$prefix/share/man/man1/$name.1"
  if command -v groff >/dev/null; then
    groff -man -ww -Tutf8 "$prefix/share/man/man1/$name.1" 2>"$here/log" >/dev/null
    [ ! -s "$here/log" ] || { cat "$here/log"; say "the manual page $name.1 has faults"; exit 1; }
  fi
done
say "manual pages and completions: good"

library=$(find "$prefix" -name 'libskipper.so')
shown=$(nm -DC --defined-only "$library" | grep -v ' A SKIPPER_')
if strange=$(grep -vE ' [TVWBDR] ((typeinfo|typeinfo name|vtable) for )?skipper(_|::).*SKIPPER_' <<<"$shown") ||
   strange=$(grep -E ' [TVWBDR] skipper::(cpu|gpu|kernel|link|poisson|stream)::' <<<"$shown"); then
  say "the shared library shows what is not public, or without a version:"
  head -5 <<<"$strange"
  exit 1
fi
say "symbols: good, $(wc -l <<<"$shown") shown"

command -v pkg-config >/dev/null || { say "pkg-config is missing, so its file is not tested"; exit 0; }
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name skipper.pc)")
LD_LIBRARY_PATH=$(dirname "$library"):${LD_LIBRARY_PATH:-}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
read -ra shared <<<"$flag $(pkg-config --cflags --libs skipper)"
read -ra static <<<"$flag $(pkg-config --static --cflags --libs skipper | sed 's/-lskipper/-l:libskipper.a/')"
read -ra flags <<<"$flag $(pkg-config --cflags skipper)"
quietly "$cxx" -std=c++20 -c "$here/user/main.cpp" "${flags[@]}" -o "$here/main.o"
quietly "$cxx" "$here/main.o" "${shared[@]}" -o "$here/shared"
quietly "$here/shared"
quietly "$cxx" "$here/main.o" "${static[@]}" -o "$here/static"
quietly env -u LD_LIBRARY_PATH "$here/static"
say "pkg-config: good"

if command -v cc >/dev/null; then
  quietly cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$here/user/main.c" "${static[@]}" -o "$here/from_c"
  quietly env -u LD_LIBRARY_PATH "$here/from_c"
  read -ra as_said <<<"$flag $(pkg-config --static --cflags --libs skipper)"
  mkdir "$here/hidden"
  mv "$(dirname "$library")"/libskipper.so* "$here/hidden"  # as where only the static library was installed
  quietly cc -std=c99 "$here/user/main.c" "${as_said[@]}" -o "$here/from_c_alone"
  quietly env -u LD_LIBRARY_PATH "$here/from_c_alone"
  mv "$here/hidden"/* "$(dirname "$library")"
  say "C: good"
fi
if command -v gfortran >/dev/null; then
  quietly gfortran -J "$here" "$(find "$prefix" -name skipper.f90)" "$here/user/main.f90" "${shared[@]}" -o "$here/fortran"
  quietly "$here/fortran"
  say "Fortran: good"
fi
