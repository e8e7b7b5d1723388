#pragma once

// An MPI program as smpicc and smpicxx build it: a shared object that has a main, which every rank calls.

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// A program in memory. Every copy of it that is loaded has its own variables, because names are looked up in the copy
/// first (DF_SYMBOLIC). This includes names that are otherwise unique in a process (STB_GNU_UNIQUE), which C++ uses for
/// inline variables and in templates.
class ProgramImage {
 public:
  /// Throws InputError, without the name of the file, if it is no such program for this machine.
  explicit ProgramImage(std::string const& path);
  /// Takes the content of such a file.
  explicit ProgramImage(std::vector<std::byte> content);

  /// A function that the program calls, that SMPI does not supply, and that librondo_mpi would supply; empty if there
  /// is none.
  std::string const& lacks() const { return lacks_; }

  /// Whether it takes a function or variable of this name from a library.
  bool calls(std::string_view name) const;
  /// Whether it is linked with a shared library whose name begins like this.
  bool needs(std::string_view library) const;
  /// Whether librondo_mpi is part of it.
  bool has_library() const { return has_library_; }

  /// Throws std::system_error when the file cannot be written.
  void write(std::string const& path) const;

 private:
  std::vector<std::byte> bytes_;
  std::string lacks_;
  std::set<std::string, std::less<>> called_;
  std::vector<std::string> needed_;
  bool has_library_ = false;
};

}  // namespace rondo
