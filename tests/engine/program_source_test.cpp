// Sources and binaries of programs that are refused, and in which words.

#include "engine/programs/program_source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/permissions.hpp"
#include "engine/programs/program_image.hpp"
#include "folder.hpp"

namespace rondo {
namespace {

/// Why this source is refused, or "accepted".
std::string refusal_of(std::string const& source) {
  permit({Permissions::Programs::started, {}, Seconds(0)});  // as --allow-programs does
  try {
    compiled({{source}, "", {}});
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SmokeUserProgram, a_source_that_cannot_be_compiled_is_refused_with_the_first_error) {
  test::Folder const folder;
  auto const write = [&](char const* name, char const* text) { return folder.write(name, text); };
  EXPECT_NE(
      refusal_of(write("a.c", "int main(void) {\n  return zero;\n}\n")).find("a.c:2:10: error: 'zero' undeclared"),
      std::string::npos);
  EXPECT_NE(
      refusal_of(write("b.c", "int f(void);\nint main(void) { return f(); }\n")).find("undefined reference to `f'"),
      std::string::npos);
  EXPECT_NE(refusal_of(write("c.c", "int f(void) { return 0; }\n")).find("without a main"), std::string::npos);
  EXPECT_EQ(refusal_of(folder.file("d.c")), folder.file("d.c") + ": no such file");
}

TEST(SmokeUserProgram, headers_of_the_c_library_may_follow_that_of_mpi) {
  test::Folder const folder;
  EXPECT_EQ(refusal_of(folder.write("late.c",
                                    "#include <mpi.h>\n#include <malloc.h>\n#include <stdlib.h>\n"
                                    "int main(int c, char** v) { MPI_Init(&c, &v); free(malloc(8));\n"
                                    "  MPI_Finalize(); return 0; }\n")),
            "accepted");
}

TEST(SmokeUserProgram, a_binary_that_smpicc_did_not_build_is_refused) {
  for (auto const& [file, what] : {std::pair{"/bin/sh",
                                             "an executable: compile and link it by smpicc or smpicxx|"
                                             "a file without a main that can be loaded"},
                                   {RONDO_SOURCE_DIR "/README.md", "another file"}}) {
    try {
      ProgramImage image{file};
      ADD_FAILURE() << file;
    } catch (InputError const& error) {
      std::string const said = error.what();
      std::string const start = "expected an MPI program as smpicc builds it, got ";
      ASSERT_EQ(said.substr(0, start.size()), start);
      EXPECT_NE(std::string(what).find(said.substr(start.size())), std::string::npos) << said;
    }
  }
}

}  // namespace
}  // namespace rondo
