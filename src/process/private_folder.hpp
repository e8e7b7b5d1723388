#pragma once

#include <string>

namespace rondo {

/// A folder that nobody else can enter or foresee. Its name is known before it is there, so that whoever chose the name
/// can remove the folder also where the process that made it was killed. It goes with all that is in it.
class PrivateFolder {
 public:
  /// Chooses a name in the folder for temporary files (TMPDIR, else /tmp), and makes nothing yet.
  PrivateFolder();
  PrivateFolder(PrivateFolder const&) = delete;
  PrivateFolder& operator=(PrivateFolder const&) = delete;
  ~PrivateFolder() { remove(); }

  std::string const& path() const { return path_; }
  /// Makes the folder, for this user alone. 0, or the error's number as errno has it.
  int make() const noexcept;
  /// Removes it, if it is there, however deep it is and whatever modes a program has given to what is in it.
  void remove() const noexcept;
  /// Throws an InputError that names TMPDIR and says with which error the folder could not be made.
  [[noreturn]] static void refuse(int error);

 private:
  std::string path_;
};

}  // namespace rondo
