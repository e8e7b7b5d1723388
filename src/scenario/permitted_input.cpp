// Paths are compared after all symbolic links are followed. The list of permitted compiler flags names what is
// harmless. All other flags are refused, since a compiler has flags that start programs (-wrapper, -fplugin), read
// any file (@file) or write elsewhere (-o).

#include "scenario/permitted_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.hpp"
#include "base/permissions.hpp"
#include "base/places.hpp"
#include "scenario/load.hpp"

namespace rondo::scenario {
namespace {

namespace fs = std::filesystem;

/// Whether a path lies below a folder; both must be free of links and dots.
bool lies_below(fs::path const& path, fs::path const& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// The path after all links have been followed. Parts that do not exist stay as they are.
fs::path real(fs::path const& path) {
  std::error_code error;
  fs::path const result = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? fs::path() : result;
}

/// The folders of the data that comes with Rondo: the installed ones beside this program, and those of the build.
std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  for (fs::path const& data : {places::prefix() / places::installed_data, fs::path(places::built_data)}) {
    for (char const* each : {"platforms", "scenarios"}) folders.push_back(data / each);
  }
  return folders;
}

InputError not_permitted(Place const& name, std::string_view what) {
  return name.error(fmt::format(
      "expected a {} below the scenario's folder, or below that of --allow-path DIR, where links lead too, got {}",
      what, shown(name.value)));
}

}  // namespace

/// Whether the file lies below the scenario's folder, a folder of --allow-path, or a folder that comes with Rondo.
bool is_permitted(std::string const& path, std::string const& scenario) {
  std::vector<fs::path> folders = own_folders();
  folders.emplace_back(fs::path(scenario).parent_path());
  for (std::string const& each : permissions().folders) folders.emplace_back(each);
  fs::path const file = real(path);
  return !file.empty() && std::any_of(folders.begin(), folders.end(), [&](fs::path const& folder) {
    fs::path const base = real(folder.empty() ? "." : folder);
    return !base.empty() && lies_below(file, base);
  });
}

std::string named_file(Place const& name) {
  std::string path = resolve(folder_of(name.file), name.text());
  if (!is_permitted(path, name.file)) throw not_permitted(name, "file");
  note_input(path);
  return path;
}

namespace {

/// Throws InputError unless a path is permitted that is a part of `name`. `what` is "file" or "folder". Other programs
/// read the path as it is written: like them, this follows links before "..".
void expect_permitted_path(Place const& name, std::string const& path, std::string_view what) {
  if (!is_permitted((fs::path(folder_of(name.file)) / path).string(), name.file)) throw not_permitted(name, what);
}

bool is_plain(char c) {
  bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || std::string_view("_-+=.").find(c) != std::string_view::npos;
}
bool all_plain(std::string_view text) { return std::all_of(text.begin(), text.end(), is_plain); }
bool no_control(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}
/// Whether a text has no characters of patterns. smpicc, a shell script, would expand them to names of files.
bool no_pattern(std::string_view text) { return text.find_first_of("*?[\\") == std::string_view::npos; }

bool is_any_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}
bool contains_any_of(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

/// A kind of flag: how it begins, and which texts may follow.
struct FlagKind {
  std::string_view begins;
  bool (*is_fine)(std::string_view rest);
};

/// Whether the rest of a flag is an ordinary path. After "=" and "$SYSROOT" the compiler would put another folder.
bool is_path(std::string_view rest) {
  return !rest.empty() && no_pattern(rest) && rest.front() != '=' && rest.front() != '$';
}
/// Flags such as -Wall, but not -Wl and the like, which pass words to other tools.
bool is_warning(std::string_view rest) { return rest.size() > 1 && all_plain(rest); }
/// Features of the compiler itself; all that start, load, read or write something else are refused.
bool is_feature(std::string_view rest) {
  return !rest.empty() && all_plain(rest) &&
         !contains_any_of(rest, {"plugin", "use-ld", "offload", "dump", "module", "self-test", "profile", "lto", "path",
                                 "dir", "integrated", "opt-info", "file"});
}
bool is_machine(std::string_view rest) {
  return !rest.empty() && all_plain(rest) && !contains_any_of(rest, {"llvm", "linker"});
}
bool is_debugging(std::string_view rest) {
  return is_any_of(rest,
                   {"", "0", "1", "2", "3", "gdb", "gdb0", "gdb1", "gdb2", "gdb3", "dwarf", "dwarf-4", "dwarf-5"});
}

/// A flag begins with one of these, and its rest passes the test.
constexpr std::array flag_kinds{FlagKind{"-D", [](std::string_view rest) { return !rest.empty(); }},
                                FlagKind{"-U", [](std::string_view rest) { return !rest.empty() && all_plain(rest); }},
                                FlagKind{"-I", is_path},
                                FlagKind{"-L", is_path},
                                FlagKind{"-l", [](std::string_view rest) { return !rest.empty() && all_plain(rest); }},
                                FlagKind{"-O", all_plain},
                                FlagKind{"-std=", all_plain},
                                FlagKind{"-W", is_warning},
                                FlagKind{"-f", is_feature},
                                FlagKind{"-m", is_machine},
                                FlagKind{"-g", is_debugging}};

/// Whether the word after -include is a header, named as in a source.
bool is_header(std::string_view name) {
  return !name.empty() && is_plain(name[0]) && name[0] != '-' && no_control(name) && no_pattern(name) &&
         name.find("..") == std::string_view::npos && name.ends_with(".h");
}

bool is_harmless(std::string_view flag) {
  if (!no_control(flag)) return false;
  if (is_any_of(flag, {"-w", "-pedantic", "-pedantic-errors", "-ansi", "-pthread", "-pipe"})) return true;
  return std::any_of(flag_kinds.begin(), flag_kinds.end(), [&](FlagKind const& known) {
    return flag.starts_with(known.begins) && known.is_fine(flag.substr(known.begins.size()));
  });
}

}  // namespace

/// Throws InputError for the first flag that is not permitted. Folders of -I and -L, and headers of -include, must be
/// permitted paths like all files that a scenario names.
void expect_compiler_flags(Place const& flags) {
  for (std::size_t i = 0; i < flags.value.size(); ++i) {
    Json const& flag = flags.value[i];
    if (flag == "-include" && i + 1 < flags.value.size() &&
        is_header(flags.value[i + 1].get_ref<std::string const&>())) {
      ++i;
      expect_permitted_path(flags.item(static_cast<int>(i)), flags.value[i].get<std::string>(), "file");
      continue;
    }
    std::string const word = flag.get<std::string>();
    if (is_harmless(word)) {
      if (word.starts_with("-I") || word.starts_with("-L")) {
        expect_permitted_path(flags.item(static_cast<int>(i)), word.substr(2), "folder");
      }
      continue;
    }
    throw error_at(
        flags.file, child(flags.pointer, std::to_string(i)),
        fmt::format("expected a flag of one word that defines, includes, optimizes, warns or links a library "
                    "(-D, -U, -I, -L, -l, -O, -g, -std=, -W, -f, -m) and names no program, got {}",
                    shown(flag)));
  }
}

}  // namespace rondo::scenario
