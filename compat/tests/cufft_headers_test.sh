#!/bin/sh
# cufft_headers_test.sh <our headers> <compiler> [<CUDA's headers>]: whether our cufft.h and cufftXt.h compile by themselves, in C
# and in C++, and where NVIDIA's are there, whether every constant has the same value and every function the same prototype.
set -eu
ours=$(cd "$1" && pwd) compiler=$2 cuda=${3:-/usr/local/cuda/include}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for language in c c++; do
  printf '#include <cufftXt.h>\nint main(void) { return CUFFT_SUCCESS; }\n' |
    "$compiler" -x $language -Wall -Wextra -Werror -DSKIPPER_CUFFT_ALONE -I"$ours" -fsyntax-only -
done
[ -e "$cuda/cufftXt.h" ] || { echo "skipped: NVIDIA's cufftXt.h is not in $cuda"; exit 77; }

# A program that prints every constant of ours, compiled with either header.
names=$(grep -hoE '\b(NVFFT|CUFFT|CUDA)_[A-Z0-9_a-z]+' "$ours/cufft.h" "$ours/cufftXt.h" | grep -v "^CUFFT_VER" | sort -u)
{
  printf '#include <cufftXt.h>\n#include <cstdio>\nint main() {\n'
  for name in $names MAJOR_VERSION MINOR_VERSION PATCH_LEVEL; do
    printf '  std::printf("%s %%lld\\n", (long long)(%s));\n' "$name" "$name"
  done
  for type in cufftComplex cufftDoubleComplex cufftXt1dFactors cufftHandle cufftType cudaDataType cudaStream_t; do
    printf '  std::printf("sizeof %s %%zu\\n", sizeof(%s));\n' $type $type
  done
  printf '}\n'
} >"$work/values.cpp"
"$compiler" -DSKIPPER_CUFFT_ALONE -I"$ours" "$work/values.cpp" -o "$work/ours"
"$compiler" -I"$cuda" "$work/values.cpp" -o "$work/theirs"
"$work/ours" >"$work/ours.txt"
"$work/theirs" >"$work/theirs.txt"
[ "$(wc -l <"$work/ours.txt")" -gt 60 ] || { echo "found only $(wc -l <"$work/ours.txt") constants"; exit 1; }
diff -u "$work/theirs.txt" "$work/ours.txt"

# Functions are declared twice: a prototype that differs does not compile, one that NVIDIA lacks is told by its address.
printf '#include "%s/cufftXt.h"\n#define SKIPPER_CUFFT_FUNCTIONS_ONLY\n#include "%s/cufftXt.h"\n' "$cuda" "$ours" >"$work/both.cpp"
"$compiler" -I"$cuda" -fsyntax-only "$work/both.cpp"
{
  printf '#include <cufftXt.h>\nvoid const* all[] = {\n'
  grep -hoE '\bcufft[A-Za-z0-9]+\(' "$ours/cufft.h" "$ours/cufftXt.h" | sort -u | sed 's/(//; s/.*/  (void const*)\&&,/'
  printf '};\n'
} >"$work/functions.cpp"
"$compiler" -I"$cuda" -fsyntax-only "$work/functions.cpp"
# With CUDA's headers at hand, ours takes its types.
printf '#include <cufftXt.h>\ncuComplex* p = static_cast<cufftComplex*>(nullptr);\n' |
  "$compiler" -x c++ -I"$ours" -I"$cuda" -fsyntax-only -
