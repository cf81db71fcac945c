// The note on NVRTC's version: kept while the file is the same, forgotten when it changes.
#include "gpu/compiler.h"

#include <filesystem>
#include <fstream>

#include "gpu/driver.h"
#include "gpu/fake_driver/fixture.h"

namespace skipper::testing {
namespace {

class Compiler : public FakeDriver {
 protected:
  Compiler() { std::filesystem::create_directories(folder_); }
  std::string library() const { return (folder_ / "libnvrtc.so").string(); }
};

TEST_F(Compiler, IsNotOpenedWhileItsNoteHolds) {
  ASSERT_FALSE(gpu::nvrtc_is_open()) << "this test comes first";
  std::ofstream(library()) << "a library";
  gpu::note_compiler(library(), "12.9");
  EXPECT_EQ(gpu::compiler_version(), "12.9");
  EXPECT_FALSE(gpu::nvrtc_is_open());
  std::ofstream(library()) << "another one";
  EXPECT_EQ(gpu::compiler_version(), "13.0") << "the fake driver's own";
  EXPECT_TRUE(gpu::nvrtc_is_open());
  EXPECT_EQ(gpu::noted_compiler(), "13.0") << "noted anew";
}

TEST_F(Compiler, NoteIsOfOneFileAndOneWayToIt) {
  EXPECT_FALSE(gpu::noted_compiler());
  std::ofstream(library()) << "a library";
  gpu::note_compiler(library(), "12.9");
  EXPECT_EQ(gpu::noted_compiler(), "12.9");
  ::setenv("SKIPPER_NVRTC", "elsewhere.so", 1);
  EXPECT_FALSE(gpu::noted_compiler()) << "it may lie elsewhere now";
  use_fake_driver();
  EXPECT_EQ(gpu::noted_compiler(), "12.9");
  std::filesystem::remove(library());
  EXPECT_FALSE(gpu::noted_compiler());
  gpu::note_compiler(library(), "12.9");
  EXPECT_FALSE(gpu::noted_compiler()) << "of a file that is not there";
}

}  // namespace
}  // namespace skipper::testing
