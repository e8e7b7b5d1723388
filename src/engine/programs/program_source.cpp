// Compiles programs by SMPI's compilers, with librondo_mpi if it is there. The compiler runs under a keeper with a
// timeout:
// it starts other programs, which must not outlive it.

#include "engine/programs/program_source.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/included_files.hpp"
#include "base/permissions.hpp"
#include "base/places.hpp"
#include "engine/answer.hpp"
#include "process/descriptor.hpp"
#include "process/run_in_child.hpp"
#include "process/say.hpp"

namespace rondo {

namespace {

namespace fs = std::filesystem;

/// librondo_mpi, the folder of its headers, and the folder of the module mpi_f08, as installed beside this program, or
/// as built.
struct Library {
  fs::path archive;
  fs::path headers;
  fs::path module_f08;
};

/// The archive and headers of the installation, or of the build folder.
Library library() {
  std::error_code unreadable;
  fs::path const installed = places::prefix() / places::installed_archive, built = places::built_archive;
  if (fs::exists(installed, unreadable))
    return {installed, places::prefix() / places::installed_headers, installed.parent_path() / "rondo/wrappers"};
  return {built, places::built_headers, built.parent_path() / "wrappers"};
}

constexpr std::string_view fortran_compiler = "smpif90";

/// The compiler, by the ending of the file. smpiff and smpif90 each ignore some endings; sources() avoids this.
std::string_view compiler_of(fs::path const& file) {
  std::string const ending = file.extension();
  if (ending == ".c") return "smpicc";
  return ending.starts_with(".f") || ending.starts_with(".F") ? fortran_compiler : "smpicxx";
}

/// Options that add what SMPI's mpi.h, or its mpif.h and modules, lack.
std::vector<std::string> additions(std::string_view compiler, Library const& rondo, fs::path const& output) {
  if (compiler != fortran_compiler) return {"-includerondo/mpi.h"};
  fs::path const headers = rondo.headers / "rondo/fortran";
  std::string const modules = output.parent_path().string();
  return {"-I" + headers.string(), "-I" + modules, "-J" + modules, "-I" + rondo.module_f08.string()};
}

/// A response file for gfortran that lists the sources. If smpif90 sees the names of sources, it makes an empty file
/// beside each of them and leaves it there [3.32].
std::string listed(std::vector<std::string> const& sources, fs::path const& list) {
  std::ofstream file(list);
  for (std::string const& path : sources) {
    for (char const c : path) file << (std::isalnum(static_cast<unsigned char>(c)) != 0 ? "" : "\\") << c;
    file << '\n';
  }
  if (!file.flush()) throw InputError(list.string() + ": cannot be written");
  return "@" + list.string();
}

/// Fortran programs get the source of Rondo's module mpi in front of their own. Their names are passed in a file.
std::vector<std::string> sources(ProgramSource const& source, std::string_view compiler, Library const& rondo,
                                 fs::path const& output) {
  std::vector<std::string> paths;
  std::error_code unreadable;
  if (compiler == fortran_compiler && fs::exists(rondo.archive, unreadable)) {
    paths.push_back(rondo.headers / "rondo/fortran/mpi.f90");
  }
  for (std::string const& path : source.paths) paths.push_back(fs::absolute(path));
  if (compiler == fortran_compiler) return {listed(paths, output.parent_path() / "sources")};
  return paths;
}

/// The command line of the compiler.
std::vector<std::string> command(ProgramSource const& source, fs::path const& output) {
  std::error_code unreadable;
  Library const rondo = library();
  std::string_view const compiler = compiler_of(source.paths.front());
  std::vector<std::string> words{std::string(compiler), "-O2", "-I" + rondo.headers.string()};
  // Disables SMPI's macros for malloc and similar functions, which have no effect here and break <malloc.h>.
  words.emplace_back("-DSMPI_NO_OVERRIDE_MALLOC");
  words.insert(words.end(), source.flags.begin(), source.flags.end());
  if (fs::exists(rondo.archive, unreadable)) {
    std::vector<std::string> const added = additions(compiler, rondo, output);
    words.insert(words.end(), added.begin(), added.end());
  }
  // smpif90's own way to a shared object changes the text of a program and cannot handle several files.
  if (compiler == fortran_compiler) words.emplace_back("-shared");
  std::vector<std::string> const compiled = sources(source, compiler, rondo, output);
  words.insert(words.end(), compiled.begin(), compiled.end());
  fs::path const f08 = rondo.module_f08 / "librondo_f08.a";
  if (compiler == fortran_compiler && fs::exists(f08, unreadable)) words.push_back(f08.string());
  if (fs::exists(rondo.archive, unreadable)) {
    words.insert(words.end(), {"-Wl,--whole-archive", rondo.archive.string(), "-Wl,--no-whole-archive"});
  }
  // SMPI declares MPI's functions weak. A linker that drops unneeded libraries would therefore drop SimGrid.
  words.insert(words.end(),
               {"-Wl,--no-as-needed", "-Wl,-Bsymbolic-functions", "-s", "-lstdc++", "-lm", "-o", output.string()});
  return words;
}

/// In the child: runs the command instead of this process, or prints why it cannot. Temporary files of a compiler that
/// is killed are in the folder too.
void become(std::vector<std::string> words, std::string const& folder, std::string const& temporary) {
  if (!folder.empty() && ::chdir(folder.c_str()) != 0) throw std::system_error(errno, std::generic_category(), folder);
  ::setenv("LC_ALL", "C", 1);
  if (words.front() == fortran_compiler) ::setenv("SMPI_PRETEND_CC", "1", 1);
  ::setenv("TMPDIR", temporary.c_str(), 1);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv.front(), argv.data());
  say("error: {} cannot be run: {}; it comes with SimGrid (libsimgrid-dev)\n", words.front(), std::strerror(errno));
  _exit(127);
}

/// The first line that reports an error in the words of compilers and linkers, else the first line. gfortran writes the
/// place of an error on a line of its own before the error.
std::string first_message(std::string const& printed) {
  std::istringstream lines(printed);
  std::string line, first, place;
  while (std::getline(lines, line)) {
    if (line.find(" pretends to be a regular compiler") != std::string::npos) continue;
    if (first.empty()) first = line;
    if (line.starts_with("Error: ") || line.starts_with("Fatal Error: ")) return place + ' ' + line;
    for (char const* sign : {"error: ", "undefined reference", "fatal: ", "cannot find"}) {
      if (line.find(sign) != std::string::npos) return line;
    }
    if (line.ends_with(':')) place = line;
  }
  return first;
}

/// The compiler runs under a keeper, in a folder of its own. Throws InputError with the compiler's first error.
std::shared_ptr<ProgramImage const> compile(ProgramSource const& source) {
  auto const output = [](std::string const& folder) { return folder + "/program.so"; };
  Seconds const timeout = permissions().compiling;
  ChildEnd end = run_under_keeper(
      {.work = [&](int, std::string const& folder) { become(command(source, output(folder)), source.folder, folder); },
       .harvest = [&](int answer, std::string const& folder) { write_file(answer, output(folder)); }},
      timeout);
  if (end.timed_out) throw InputError(fmt::format("it is not compiled within {}, as --timeout says", print(timeout)));
  if (end.answered_too_much) throw InputError("the program is larger than " + print(Limits().answer));
  if (end.status != 0) throw InputError(excerpt(first_message(end.printed), 400));
  return std::make_shared<ProgramImage const>(std::move(end.answer));
}

/// Throws InputError if there is no such file.
std::string text_of(std::string const& path) {
  if (!fs::is_regular_file(path)) throw InputError(fmt::format("{}: no such file{}", path, nearest_file(path)));
  std::string text;
  read_pieces(path, [&](std::string_view piece) { text += piece; });
  return text;
}

}  // namespace

/// Programs are kept by their content, so a sweep compiles each once, and a changed header compiles again.
std::shared_ptr<ProgramImage const> compiled(ProgramSource const& source) {
  expect_programs_allowed();
  static std::map<std::vector<std::string>, std::shared_ptr<ProgramImage const>> images;
  std::vector<std::string> key = source.flags;
  key.push_back(source.folder);
  for (std::string const& path : source.paths) key.insert(key.end(), {path, text_of(path)});
  auto const any = [](std::string const&) { return true; };
  for (std::string const& path : included_files({source.paths, source.folder, source.flags}, any)) {
    key.insert(key.end(), {path, file_checksum(path)});
  }
  auto& image = images[key];
  if (!image) image = compile(source);
  return image;
}

}  // namespace rondo
