#pragma once

// A folder for the temporary files of one program that Rondo runs.

#include <string>

namespace rondo {

/// A folder that nobody else can enter and whose name nobody can guess. Its name is chosen before it is made. So the
/// process that chose the name can remove the folder even if the process that made it was killed. Removing it removes
/// everything in it.
class PrivateFolder {
 public:
  /// Chooses a name in the folder for temporary files (TMPDIR, otherwise /tmp), and makes nothing yet.
  PrivateFolder();
  PrivateFolder(PrivateFolder const&) = delete;
  PrivateFolder& operator=(PrivateFolder const&) = delete;
  ~PrivateFolder() { remove(); }

  std::string const& path() const { return path_; }
  /// Makes the folder, accessible to this user alone. Returns 0, or the number of the error as errno has it.
  int make() const noexcept;
  /// Removes the folder, if it exists, however deep its content is and whatever permissions a program has given to it.
  void remove() const noexcept;
  /// Throws an InputError that names TMPDIR and says with which error the folder could not be made.
  [[noreturn]] static void refuse(int error);

 private:
  std::string path_;
};

}  // namespace rondo
