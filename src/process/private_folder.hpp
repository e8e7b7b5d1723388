#pragma once

#include <string>

namespace rondo {

/// A folder that nobody else can enter or foresee, which goes with all that is in it.
class PrivateFolder {
 public:
  /// In the folder for temporary files (TMPDIR, else /tmp). Throws InputError, which names it, where it cannot be made.
  PrivateFolder();
  PrivateFolder(PrivateFolder const&) = delete;
  PrivateFolder& operator=(PrivateFolder const&) = delete;
  ~PrivateFolder();

  std::string const& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace rondo
