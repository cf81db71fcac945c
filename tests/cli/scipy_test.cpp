// `skipper fft --kind` gives what scipy.fft gives, for every kind and norm, there and back. Skipped where python3 has
// no SciPy.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "house/files.h"

namespace {

constexpr char const* script = R"py(
import subprocess, sys, itertools, os, tempfile
import numpy as np, scipy.fft as sf
program = sys.argv[1]
os.chdir(tempfile.mkdtemp())
x = np.random.default_rng(1).standard_normal((7, 12))
np.save("in.npy", x)
for family, kind, norm, back in itertools.product("cs", (1, 2, 3, 4), ("backward", "ortho", "forward"), (False, True)):
    words = [program, "fft", "in.npy", "out.npy", "--kind", f"d{family}t{kind}", "--norm", norm]
    subprocess.run(words + ["--inverse"] * back, check=True)
    theirs = getattr(sf, "i" * back + f"d{family}tn")(x, type=kind, norm=norm)
    assert np.allclose(np.load("out.npy"), theirs, rtol=1e-13, atol=1e-13), words
)py";

TEST(Scipy, KindsAndNormsAreTheSame) {
  if (std::system("python3 -c 'import scipy' >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "python3 has no SciPy here";
  house::fs::path const file =
      house::fs::temp_directory_path() / ("skipper-scipy-" + std::to_string(::getpid()) + ".py");
  std::ofstream(file) << script;
  int const status = std::system(("python3 " + file.string() + " " SKIPPER_PROGRAM_DIR "/skipper").c_str());
  house::fs::remove(file);
  EXPECT_EQ(status, 0);
}

}  // namespace
