// Checks and changes the shared object of a program. Names that the program defines are made its own, so that each
// loaded copy uses its own variables and not those of the first copy.

#include "engine/programs/program_image.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "engine/programs/shared_state.hpp"
#include "process/descriptor.hpp"

namespace rondo {

namespace {

InputError no_program(std::string const& what) {
  return InputError("expected an MPI program as smpicc builds it, got " + what);
}

constexpr char const* executable = "an executable: compile and link it by smpicc or smpicxx";

/// The beginnings of the names of functions that SMPI declares but does not supply.
constexpr std::string_view lacked_by_smpi[] = {
    "MPI_Dist_graph_", "MPI_Graph_",    "MPI_Graphdims_get", "MPI_Neighbor_",    "MPI_Ineighbor_",
    "MPI_Cart_map",    "MPI_Topo_test", "MPI_Intercomm_",    "MPI_Comm_remote_", "MPI_Comm_idup"};

/// The parts of an ELF file that tell a loader how to look up names. Every position is checked, because the file may be
/// cut short.
class Elf {
 public:
  /// Throws InputError unless the file is a 64-bit ELF file whose tables lie within it.
  explicit Elf(std::vector<std::byte>& bytes) : bytes_(bytes) {
    if (bytes.size() < sizeof header_ || std::memcmp(bytes.data(), ELFMAG, SELFMAG) != 0)
      throw no_program("another file");
    header_ = at<Elf64_Ehdr>(0);
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_type != ET_DYN) throw no_program(executable);
    for (std::size_t i = 0; i < header_.e_shnum; ++i) {
      auto const section = at<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr));
      if (section.sh_type == SHT_DYNSYM) names_ = section;
      if (section.sh_type == SHT_DYNAMIC) dynamic_ = section;
    }
    if (names_.sh_type != SHT_DYNSYM || dynamic_.sh_type != SHT_DYNAMIC) throw no_program(executable);
  }

  /// Whether the file exports a symbol of this name.
  bool defines(std::string_view name) const {
    bool found = false;
    each<Elf64_Sym>(names_, [&](std::size_t, Elf64_Sym const& symbol) {
      found = found || (symbol.st_shndx != SHN_UNDEF && text(names_, symbol.st_name) == name);
    });
    return found;
  }

  /// The names that it takes from libraries.
  std::set<std::string, std::less<>> called() const {
    std::set<std::string, std::less<>> names;
    each<Elf64_Sym>(names_, [&](std::size_t, Elf64_Sym const& symbol) {
      if (symbol.st_shndx == SHN_UNDEF) names.emplace(text(names_, symbol.st_name));
    });
    return names;
  }

  /// The names of the libraries with which it is linked.
  std::vector<std::string> needed() const {
    std::vector<std::string> libraries;
    each<Elf64_Dyn>(dynamic_, [&](std::size_t, Elf64_Dyn const& entry) {
      if (entry.d_tag == DT_NEEDED) libraries.emplace_back(text(dynamic_, entry.d_un.d_val));
    });
    return libraries;
  }

  /// Makes every loaded copy use its own functions and variables (ProgramImage).
  void make_names_own() {
    each<Elf64_Sym>(names_, [&](std::size_t place, Elf64_Sym symbol) {
      if (ELF64_ST_BIND(symbol.st_info) != STB_GNU_UNIQUE) return;
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(symbol.st_info));
      put(place, symbol);
    });
    look_up_in_itself();
  }

 private:
  /// Sets DF_SYMBOLIC in the flags if there are any, else DT_SYMBOLIC in one of the spare entries that linkers leave at
  /// the end.
  void look_up_in_itself() {
    std::optional<std::size_t> flags, end;
    bool spare = false;
    each<Elf64_Dyn>(dynamic_, [&](std::size_t place, Elf64_Dyn const& entry) {
      if (entry.d_tag == DT_FLAGS) flags = place;
      spare = spare || (end && entry.d_tag == DT_NULL);
      if (entry.d_tag == DT_NULL && !end) end = place;
    });
    if (flags) {
      auto entry = at<Elf64_Dyn>(*flags);
      entry.d_un.d_val |= DF_SYMBOLIC;
      put(*flags, entry);
    } else if (spare) {
      Elf64_Dyn entry{};
      entry.d_tag = DT_SYMBOLIC;
      put(*end, entry);
    }
  }

  // A value at a place of the file. Throws InputError beyond its end.
  template <typename T>
  T at(std::size_t place) const {
    T value;
    if (place > bytes_.size() || bytes_.size() - place < sizeof value) throw no_program("a file that is cut short");
    std::memcpy(&value, bytes_.data() + place, sizeof value);
    return value;
  }
  /// Writes a value at a position that at() has checked.
  template <typename T>
  void put(std::size_t place, T const& value) {
    std::memcpy(bytes_.data() + place, &value, sizeof value);
  }

  /// Shows each entry of a section to `visit`, with its place in the file.
  template <typename T, typename Visit>
  void each(Elf64_Shdr const& section, Visit visit) const {
    for (std::size_t i = 0; i < section.sh_size / sizeof(T); ++i) {
      std::size_t const place = section.sh_offset + i * sizeof(T);
      visit(place, at<T>(place));
    }
  }

  /// A name of the section, from the section of texts that belongs to it.
  std::string_view text(Elf64_Shdr const& section, std::size_t offset) const {
    auto const texts = at<Elf64_Shdr>(header_.e_shoff + section.sh_link * sizeof(Elf64_Shdr));
    std::size_t const place = texts.sh_offset + offset;
    if (place >= bytes_.size()) throw no_program("a file that is cut short");
    auto const* const first = reinterpret_cast<char const*>(bytes_.data()) + place;
    return {first, strnlen(first, bytes_.size() - place)};
  }

  std::vector<std::byte>& bytes_;
  Elf64_Ehdr header_{};
  Elf64_Shdr names_{}, dynamic_{};
};

/// The file as bytes.
std::vector<std::byte> content(std::string const& path) {
  std::vector<std::byte> result;
  read_pieces(path, [&](std::string_view piece) {
    auto const bytes = std::as_bytes(std::span(piece));
    result.insert(result.end(), bytes.begin(), bytes.end());
  });
  return result;
}

/// A function that the program calls and that makes SMPI end the program; empty if there is none.
std::string first_that_smpi_lacks(std::set<std::string, std::less<>> const& called) {
  for (std::string const& name : called) {
    for (std::string_view const lacked : lacked_by_smpi) {
      if (name.starts_with(lacked)) return name;
    }
  }
  return "";
}

}  // namespace

/// Throws InputError unless the file has a main function and was linked for SMPI.
ProgramImage::ProgramImage(std::string const& path) : ProgramImage(content(path)) {}

ProgramImage::ProgramImage(std::vector<std::byte> content) : bytes_(std::move(content)) {
  Elf elf(bytes_);
  if (!elf.defines("main") && !elf.defines("user_main_")) throw no_program("a file without a main that can be loaded");
  needed_ = elf.needed();
  if (!needs("libsimgrid")) {
    throw no_program("one that is not linked with SimGrid: link it by smpicc or smpicxx");
  }
  called_ = elf.called();
  has_library_ = elf.defines("rondo_mpi_is_linked");
  lacks_ = first_that_smpi_lacks(called_);
  refuse_what_ranks_would_share(*this);
  elf.make_names_own();
}

bool ProgramImage::calls(std::string_view name) const { return called_.contains(name); }

bool ProgramImage::needs(std::string_view library) const {
  return std::any_of(needed_.begin(), needed_.end(),
                     [&](std::string const& each) { return each.starts_with(library); });
}

/// Writes a copy that can be executed.
void ProgramImage::write(std::string const& path) const {
  int const file = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, S_IRWXU);
  if (file < 0) throw std::system_error(errno, std::generic_category(), path);
  Descriptor output(file);
  if (!write_all(file, bytes_.data(), bytes_.size()) || !output.close())
    throw std::system_error(errno, std::generic_category(), path);
}

}  // namespace rondo
