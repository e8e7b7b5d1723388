#pragma once

// Runs the built rondo as a user does.

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "folder.hpp"

namespace rondo::test {

/// Whether script(1) can make a terminal; without /dev/pts, as in a bare chroot, nobody can.
inline bool has_terminals() {
  int const terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal >= 0) ::close(terminal);
  return terminal >= 0;
}

inline std::string content_of(std::filesystem::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Ran {
  int exit_code;
  std::string out, err;
};

/// `words` are shell words behind the name of the program; `before` goes in front of it (ulimit, env).
inline Ran rondo(std::string const& words, std::string const& before = "") {
  Folder const folder;
  std::string const out = (folder.path() / "out").string();
  std::string const err = (folder.path() / "err").string();
  std::string const line = before + " " + RONDO_BINARY + " " + words + " >" + out + " 2>" + err + " </dev/null";
  int const status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(out), content_of(err)};
}

/// A script of bash, where $rondo is the program and $work a folder of its own.
inline Ran shell(std::string const& script, Folder const& work) {
  std::string const file = work.write("script.sh", script);
  std::string const out = (work.path() / "out").string();
  std::string const err = (work.path() / "err").string();
  std::string const line = std::string("rondo=") + RONDO_BINARY + " work=" + work.path().string() +
                           " timeout 120 bash " + file + " >" + out + " 2>" + err + " </dev/null";
  int const status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content_of(out), content_of(err)};
}

}  // namespace rondo::test
