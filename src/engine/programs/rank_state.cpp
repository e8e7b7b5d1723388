// Saves and restores the state of libraries when another rank goes on (rank_state.hpp). Streams, the working directory,
// the mask of new files, the locale and the Fortran library cost time at each switch, so they are handled only if
// the names and libraries that the program imports show that it can use them. Standard input is handled if rank 0 has
// one. All other state is always handled.

#include "engine/programs/rank_state.hpp"

#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>
#include <iostream>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// From the C++ ABI: the exceptions that a thread is handling are the first two words of these globals.
namespace __cxxabiv1 {
extern "C" __cxa_eh_globals* __cxa_get_globals() noexcept;
}

namespace rondo {

/// The types of the members of RankStates::State.
namespace rank_state {

/// The exceptions that a rank is handling, as the C++ library stores them for a thread.
struct Exceptions {
  void* caught;
  unsigned int uncaught;
};
/// The format of a stream, and its buffer.
class Stream {
 public:
  Stream() = default;
  Stream& operator=(Stream const& other) {
    format_.copyfmt(other.format_);
    buffer_ = other.buffer_;
    return *this;
  }
  void save_state(std::ostream& stream) {
    format_.copyfmt(stream);
    buffer_ = stream.rdbuf();
  }
  void restore_state(std::ostream& stream) const {
    if (buffer_ != stream.rdbuf()) stream.rdbuf(buffer_);
    stream.copyfmt(format_);
  }

 private:
  std::ios format_{nullptr};
  std::streambuf* buffer_ = nullptr;
};

}  // namespace rank_state

namespace {

using namespace rank_state;

Exceptions& exceptions() { return *reinterpret_cast<Exceptions*>(__cxxabiv1::__cxa_get_globals()); }

/// A static object of the C library, to which one of its functions returns a pointer.
struct StaticBuffer {
  std::byte* first;
  std::size_t size;
};

/// The bytes that asctime promises to write for a year with four digits.
constexpr std::size_t asctime_size = 26;

/// The static buffers of the C library in which functions return results.
std::array<StaticBuffer, 2> const& static_buffers() {
  static auto const all = [] {
    std::time_t const zero = 0;
    std::tm* const time = std::gmtime(&zero);  // localtime returns the same object
    std::tm const sample = *time;
    return std::array{StaticBuffer{reinterpret_cast<std::byte*>(time), sizeof *time},
                      StaticBuffer{reinterpret_cast<std::byte*>(std::asctime(&sample)), asctime_size}};
  }();
  return all;
}

constexpr std::size_t buffers_size = sizeof(std::tm) + asctime_size;

std::array<std::ostream*, 3> streams() { return {&std::cout, &std::cerr, &std::clog}; }

bool calls_any(ProgramImage const& image, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return image.calls(name); });
}

/// Where an address of a library's file lies in memory.
std::byte* pointer_to(dl_phdr_info const& library, ElfW(Addr) address) {
  return reinterpret_cast<std::byte*>(library.dlpi_addr + address);  // NOLINT(performance-no-int-to-ptr)
}

/// The environment as a list that ends with a null pointer.
std::vector<char*> entries_of(char** environment) {
  std::vector<char*> entries;
  for (char** each = environment; each != nullptr && *each != nullptr; ++each) entries.push_back(*each);
  entries.push_back(nullptr);
  return entries;
}

}  // namespace

/// A library of which each rank has its own variables, though it is loaded once.
class RankStates::Library {
 public:
  explicit Library(char const* name) : name_(name) {}

  bool is_found() const { return variables_.data() != nullptr; }
  /// Looks for the library among the loaded ones. Its variables then belong to the rank that loaded it.
  void find();
  /// Sets the variables that are zero at first to zero, and runs the constructors again. A variable with another
  /// initial value keeps its present value.
  void begin();
  std::span<std::byte> variables() const { return variables_; }
  /// The library's memory for each thread, which it finds by the number of a key (pthread_getspecific).
  void* thread_memory() const { return has_key_ ? pthread_getspecific(key_) : nullptr; }
  void set_thread_memory(void* value) const {
    if (has_key_ && pthread_getspecific(key_) != value) pthread_setspecific(key_, value);
  }

 private:
  static int visit(dl_phdr_info* info, std::size_t, void* self);
  void read_segments(dl_phdr_info const& info);
  void read_constructors(dl_phdr_info const& info, ElfW(Addr) section);

  std::string_view name_;
  std::span<std::byte> variables_;  ///< its writable memory, except the part that only the loader writes (RELRO)
  std::span<std::byte> zeros_;      ///< the part of it that is zero at first
  std::vector<void (*)(int, char**, char**)> constructors_;
  pthread_key_t key_ = 0;
  bool has_key_ = false;
};

/// The dynamic linker calls this for each loaded library.
int RankStates::Library::visit(dl_phdr_info* info, std::size_t, void* self) {
  auto* const library = static_cast<Library*>(self);
  std::string_view const path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  std::string_view const file = path.substr(path.rfind('/') + 1);
  if (!file.starts_with(library->name_)) return 0;
  library->read_segments(*info);
  return 1;
}

void RankStates::Library::find() { dl_iterate_phdr(visit, this); }

/// Reads the program headers: the writable segment holds the variables, and the dynamic section names the constructors.
void RankStates::Library::read_segments(dl_phdr_info const& info) {
  ElfW(Addr) fixed_end = 0;
  for (auto const& segment : std::span(info.dlpi_phdr, info.dlpi_phnum)) {
    if (segment.p_type == PT_GNU_RELRO) fixed_end = segment.p_vaddr + segment.p_memsz;
    if (segment.p_type == PT_DYNAMIC) read_constructors(info, segment.p_vaddr);
  }
  for (auto const& segment : std::span(info.dlpi_phdr, info.dlpi_phnum)) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    ElfW(Addr) const first = std::max(segment.p_vaddr, fixed_end);
    ElfW(Addr) const end = segment.p_vaddr + segment.p_memsz;
    ElfW(Addr) const zeros = segment.p_vaddr + segment.p_filesz;
    variables_ = {pointer_to(info, first), static_cast<std::size_t>(end - first)};
    zeros_ = {pointer_to(info, zeros), static_cast<std::size_t>(end - zeros)};
  }
}

/// Reads the dynamic section at this address, which names the array of constructors.
void RankStates::Library::read_constructors(dl_phdr_info const& info, ElfW(Addr) section) {
  ElfW(Addr) array = 0;
  std::size_t size = 0;
  auto const* entry = reinterpret_cast<ElfW(Dyn) const*>(pointer_to(info, section));
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_INIT_ARRAY) array = entry->d_un.d_ptr;
    if (entry->d_tag == DT_INIT_ARRAYSZ) size = entry->d_un.d_val;
  }
  auto const* const first = reinterpret_cast<void (*const*)(int, char**, char**)>(pointer_to(info, array));
  constructors_.assign(first, first + size / sizeof *first);
}

/// A constructor of the library creates a key and gets the lowest free number; a process has at most 1024 keys. The
/// library stores the number in its variables, so it must be the same for all ranks. begin() therefore deletes the key
/// of the last rank, and creates keys until it gets this number again. That occupies lower numbers that others have
/// freed meanwhile. begin() then frees the number, so the constructor gets it.
void RankStates::Library::begin() {
  if (has_key_) pthread_key_delete(key_);
  pthread_key_t next = 0;
  while (pthread_key_create(&next, nullptr) == 0 && has_key_ && next < key_) continue;
  pthread_key_delete(next);
  std::fill(zeros_.begin(), zeros_.end(), std::byte(0));
  for (auto const constructor : constructors_) constructor(0, nullptr, environ);
  key_ = next;
  has_key_ = true;
}

/// The saved state of one rank.
struct RankStates::State {
  bool begun = false;              ///< whether the rank has run
  std::vector<char*> environment;  ///< ends with a null pointer; `environ` points to it while the rank runs
  int error_number = 0;            ///< errno
  Exceptions thrown{};
  std::array<char, 128> generator{};  ///< of random, as large as the C library's own, until the rank sets another one
  char* current_generator = nullptr;  ///< the one that random uses; null: the rank has not run
  std::array<unsigned short, 3> generator48{};    ///< of drand48
  std::array<std::byte, buffers_size> buffers{};  ///< the contents of static_buffers(), one after the other
  std::array<Stream, 3> streams{};                ///< of streams(), in this order
  std::string folder;                             ///< empty: not saved, or unknown
  std::string locale;
  mode_t mask = 0;
  std::vector<std::byte> fortran;  ///< the variables of libgfortran; empty: not saved
  void* fortran_thread_memory = nullptr;
};

/// Standard input. Rank 0 reads it. All other ranks find an empty one: on the descriptor (which Fortran reads), in C
/// and in C++. It must be a file, because hide() moves its position to the end.
class RankStates::StandardInput {
 public:
  ~StandardInput() {
    if (empty_ != nullptr) std::fclose(empty_);
  }

  /// Gives the next rank an empty standard input, as mpirun does for all ranks except 0.
  void hide() {
    place_ = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
    ::lseek(STDIN_FILENO, 0, SEEK_END);
    stdin = empty_;
    state_ = std::cin.rdstate();
    std::cin.rdbuf(&nothing_);
  }
  /// Gives rank 0 its standard input back, at the place where it stopped reading.
  void show() {
    ::lseek(STDIN_FILENO, place_, SEEK_SET);
    stdin = whole_;
    std::cin.rdbuf(buffer_);
    std::cin.clear(state_);
  }

 private:
  struct Nothing : std::streambuf {};

  std::FILE* whole_ = stdin;                         ///< of rank 0
  std::FILE* empty_ = std::fopen("/dev/null", "r");  ///< of all other ranks
  Nothing nothing_;                                  ///< the buffer of std::cin for all other ranks
  std::streambuf* buffer_ = std::cin.rdbuf();        ///< the buffer of std::cin for rank 0
  std::ios::iostate state_ = std::ios::goodbit;      ///< of std::cin, saved by hide()
  off_t place_ = 0;                                  ///< the position of the descriptor, saved by hide()
};

RankStates::RankStates(int ranks, ProgramImage const& image, Input input)
    : kinds_{.streams = calls_any(image, {"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"}),
             .folder = calls_any(
                 image, {"chdir", "fchdir", "_gfortran_chdir_i4", "_gfortran_chdir_i8", "_gfortran_chdir_i4_sub",
                         "_gfortran_chdir_i8_sub", "_ZNSt10filesystem12current_pathERKNS_7__cxx114pathE",
                         "_ZNSt10filesystem12current_pathERKNS_7__cxx114pathERSt10error_code"}),
             .mask =
                 calls_any(image, {"umask", "_gfortran_umask_i4", "_gfortran_umask_i4_sub", "_gfortran_umask_i8_sub"}),
             .locale = calls_any(image, {"setlocale"}),
             .fortran = image.needs("libgfortran.so")},
      first_(std::make_unique<State>()),
      states_(std::make_unique<State[]>(static_cast<std::size_t>(ranks))) {
  if (input == Input::of_rank_0) input_ = std::make_unique<StandardInput>();
  if (kinds_.fortran) fortran_ = std::make_unique<Library>("libgfortran.so");
  static_buffers();  // The first call writes to the buffers, so it must come before any rank runs.
}

RankStates::~RankStates() = default;

/// Saves what belongs to a rank before another rank runs.
void RankStates::save_state(State& state) const {
  state.error_number = errno;
  // setenv moves the C library's memory for the environment, which all ranks share. So a rank keeps a list of its own.
  if (environ != state.environment.data()) state.environment = entries_of(environ);
  state.thrown = exceptions();
  std::byte* into = state.buffers.data();
  for (StaticBuffer const& each : static_buffers()) into = std::copy_n(each.first, each.size, into);
  for (std::size_t i = 0; kinds_.streams && i < state.streams.size(); ++i) state.streams[i].save_state(*streams()[i]);
  if (kinds_.folder) {
    std::array<char, PATH_MAX> path{};
    state.folder = ::getcwd(path.data(), path.size()) == nullptr ? "" : path.data();
  }
  if (kinds_.mask) {
    state.mask = ::umask(0);
    ::umask(state.mask);
  }
  if (kinds_.locale) state.locale = std::setlocale(LC_ALL, nullptr);
  if (fortran_ && fortran_->is_found()) {
    auto const variables = fortran_->variables();
    state.fortran.assign(variables.begin(), variables.end());
    state.fortran_thread_memory = fortran_->thread_memory();
  }
}

/// Restores what belongs to a rank before it goes on. errno comes last, because the calls before may change it.
void RankStates::restore_state(State& state) const {
  environ = state.environment.data();
  exceptions() = state.thrown;
  std::byte const* from = state.buffers.data();
  for (StaticBuffer const& each : static_buffers()) {
    std::copy_n(from, each.size, each.first);
    from += each.size;
  }
  for (std::size_t i = 0; kinds_.streams && i < state.streams.size(); ++i)
    state.streams[i].restore_state(*streams()[i]);
  if (kinds_.folder && !state.folder.empty() && ::chdir(state.folder.c_str()) != 0) {
    throw std::runtime_error("the working directory of a rank is gone: " + state.folder);
  }
  if (kinds_.mask) ::umask(state.mask);
  if (kinds_.locale && state.locale != std::setlocale(LC_ALL, nullptr)) std::setlocale(LC_ALL, state.locale.c_str());
  if (!state.fortran.empty()) {
    std::copy(state.fortran.begin(), state.fortran.end(), fortran_->variables().begin());
    fortran_->set_thread_memory(state.fortran_thread_memory);
  }
  errno = state.error_number;
}

/// Setting the generator of the next rank returns that of the last rank, so the two are exchanged.
void RankStates::exchange_generators(State& last, State& next) {
  bool const is_new = next.current_generator == nullptr;
  last.current_generator =
      is_new ? initstate(1, next.generator.data(), next.generator.size()) : setstate(next.current_generator);
  if (is_new) next.current_generator = next.generator.data();
  unsigned short const* const before = seed48(next.generator48.data());
  std::copy_n(before, last.generator48.size(), last.generator48.begin());
}

/// Gives a rank the state of a process that starts.
void RankStates::begin(State& state) const {
  state.begun = true;
  state.environment = first_->environment;
  state.buffers = first_->buffers;
  state.folder = first_->folder;
  state.locale = first_->locale;
  state.mask = first_->mask;
  for (std::size_t i = 0; kinds_.streams && i < state.streams.size(); ++i) state.streams[i] = first_->streams[i];
}

/// Saves the state of the rank that ran last and restores that of this rank.
void RankStates::enter(Rank rank) {
  if (owner_ == rank.value) return;
  State& last = owner_ < 0 ? *first_ : states_[static_cast<std::size_t>(owner_)];
  save_state(last);
  State& next = states_[static_cast<std::size_t>(rank.value)];
  if (!next.begun) begin(next);
  if (input_ && owner_ == 0) input_->hide();
  if (input_ && owner_ < 0 && rank != Rank(0)) input_->hide();
  if (input_ && owner_ >= 0 && rank == Rank(0)) input_->show();
  exchange_generators(last, next);
  restore_state(next);
  owner_ = rank.value;
}

/// libgfortran keeps the units of files in its own variables. The library is found when the first rank is loaded.
void RankStates::loaded(void* copy) {
  if (!fortran_) return;
  if (!fortran_->is_found()) fortran_->find();
  if (!fortran_->is_found()) return;
  fortran_->begin();
  flush_units_ = reinterpret_cast<void (*)(void const*)>(::dlsym(copy, "_gfortran_flush_i4"));
}

void RankStates::flush() {
  if (flush_units_ != nullptr) flush_units_(nullptr);
  for (std::ostream* const each : streams()) each->flush();
  std::fflush(nullptr);
}

}  // namespace rondo
