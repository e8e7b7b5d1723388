// Functions of the C library that keep something from call to call, with a memory of the program's own: each rank has
// its own copy of a program's variables, but one C library for all.

#include <arpa/inet.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <search.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include "mpi_library/smpi_shim/c_library.hpp"

namespace {

/// The state that glibc has for rand and random before a program sets a seed.
class Generator {
 public:
  Generator() { initstate_r(1, table_.data(), table_.size(), &data_); }
  random_data* operator()() { return &data_; }

 private:
  std::array<char, 128> table_{};
  random_data data_{};
};

random_data* generator() {
  static Generator own;
  return own();
}

std::int32_t drawn() {
  std::int32_t number = 0;
  random_r(generator(), &number);
  return number;
}

drand48_data generator48{};

/// The next number from the C library's reentrant function.
/// Draws by one of the functions of the drand48 family, each of which has a form with a state of its own.
template <typename Number>
Number drawn(int (*next)(drand48_data*, Number*)) {
  Number number = 0;
  next(&generator48, &number);
  return number;
}
template <typename Number>
Number drawn(int (*next)(unsigned short*, drand48_data*, Number*), unsigned short* state) {
  Number number = 0;
  next(state, &generator48, &number);
  return number;
}

// Where smpirun privatizes by mmap, all ranks have a copy of what the variables held when the first rank began, and the
// destructors of all ranks run on one address. So nothing here owns memory that it would free: lists stay allocated.

/// The environment of this rank. It is a list of its own, which is in place while a function of the environment runs,
/// and until another rank puts its own list there. The C library has one memory for lists of all ranks, so that nothing
/// must be left in it.
class Environment {
 public:
  Environment() {
    if (own_ == nullptr) take();
    environ = own_;
  }
  Environment(Environment const&) = delete;
  Environment& operator=(Environment const&) = delete;
  ~Environment() {
    if (environ == own_) return;
    take();
    environ = own_;
  }

 private:
  /// Copies the environment of the process for this rank, so that setenv at one rank does not change the others.
  static void take() {
    std::size_t count = 0;
    while (environ != nullptr && environ[count] != nullptr) ++count;
    char** const entries = new char*[count + 1];
    std::copy_n(environ, count, entries);
    entries[count] = nullptr;
    own_ = entries;
  }

  static char** own_;
};

char** Environment::own_ = nullptr;

/// Calls the C library's function on the environment of this rank. `name` is a function that returns the name of the
/// function, so that each name has an `own`.
template <typename Function, typename Name, typename... Arguments>
auto with_environment(Name const& name, Arguments... arguments) {
  static Function* const own = c_library_function<Function>(name());
  Environment const here;
  return own(arguments...);
}

/// The answer of a function of the databases of users, groups and hosts, with its memory.
template <typename Entry>
struct Answer {
  Entry entry{};
  std::vector<char> memory = std::vector<char>(1024);

  /// Asks again with more memory until the memory is enough.
  template <typename Ask>
  Entry* by(Ask const& ask) {
    for (;;) {
      Entry* found = nullptr;
      int const code = ask(&entry, memory.data(), memory.size(), &found);
      if (code != ERANGE) {
        if (code != 0) errno = code;
        return found;
      }
      memory.resize(2 * memory.size());
    }
  }
};

}  // namespace

extern "C" {

RONDO_OWN void srandom(unsigned int seed) noexcept { srandom_r(seed, generator()); }

RONDO_OWN long random() noexcept { return drawn(); }

RONDO_OWN char* initstate(unsigned int seed, char* table, std::size_t size) noexcept {
  char* const before = reinterpret_cast<char*>(generator()->state - 1);
  return initstate_r(seed, table, size, generator()) == 0 ? before : nullptr;
}

RONDO_OWN char* setstate(char* table) noexcept {
  char* const before = reinterpret_cast<char*>(generator()->state - 1);
  return setstate_r(table, generator()) == 0 ? before : nullptr;
}

RONDO_OWN void srand(unsigned int seed) noexcept { srandom_r(seed, generator()); }

RONDO_OWN int rand() noexcept { return drawn(); }

RONDO_OWN double drand48() noexcept { return drawn(drand48_r); }
RONDO_OWN double erand48(unsigned short state[3]) noexcept { return drawn(erand48_r, state); }
RONDO_OWN long lrand48() noexcept { return drawn(lrand48_r); }
RONDO_OWN long nrand48(unsigned short state[3]) noexcept { return drawn(nrand48_r, state); }
RONDO_OWN long mrand48() noexcept { return drawn(mrand48_r); }
RONDO_OWN long jrand48(unsigned short state[3]) noexcept { return drawn(jrand48_r, state); }

RONDO_OWN void srand48(long seed) noexcept { srand48_r(seed, &generator48); }

RONDO_OWN unsigned short* seed48(unsigned short state[3]) noexcept {
  seed48_r(state, &generator48);
  return generator48.__old_x;
}

RONDO_OWN void lcong48(unsigned short constants[7]) noexcept { lcong48_r(constants, &generator48); }

RONDO_OWN char* strtok(char* text, char const* separators) noexcept {
  static char* rest = nullptr;
  return strtok_r(text, separators, &rest);
}

RONDO_OWN std::tm* localtime(std::time_t const* time) noexcept {
  static std::tm result;
  tzset();
  return localtime_r(time, &result);
}

RONDO_OWN std::tm* gmtime(std::time_t const* time) noexcept {
  static std::tm result;
  return gmtime_r(time, &result);
}

RONDO_OWN char* asctime(std::tm const* time) noexcept {
  static std::array<char, 128> text;
  return asctime_r(time, text.data());
}

RONDO_OWN char* ctime(std::time_t const* time) noexcept {
  std::tm const* const local = localtime(time);
  return local == nullptr ? nullptr : asctime(local);
}

RONDO_OWN char* getenv(char const* name) noexcept {
  return with_environment<char*(char const*)>([] { return "getenv"; }, name);
}

RONDO_OWN int setenv(char const* name, char const* value, int replace) noexcept {
  return with_environment<int(char const*, char const*, int)>([] { return "setenv"; }, name, value, replace);
}

RONDO_OWN int unsetenv(char const* name) noexcept {
  return with_environment<int(char const*)>([] { return "unsetenv"; }, name);
}

RONDO_OWN int putenv(char* entry) noexcept {
  return with_environment<int(char*)>([] { return "putenv"; }, entry);
}

RONDO_OWN int clearenv() noexcept {
  return with_environment<int()>([] { return "clearenv"; });
}

}  // extern "C"

namespace {
hsearch_data table{};
}

extern "C" {

RONDO_OWN int hcreate(std::size_t size) noexcept { return hcreate_r(size, &table); }

RONDO_OWN void hdestroy() noexcept { hdestroy_r(&table); }

RONDO_OWN ENTRY* hsearch(ENTRY item, ACTION action) noexcept {
  ENTRY* found = nullptr;
  return hsearch_r(item, action, &found, &table) != 0 ? found : nullptr;
}

RONDO_OWN char* inet_ntoa(in_addr address) noexcept {
  static std::array<char, INET_ADDRSTRLEN> text;
  return const_cast<char*>(inet_ntop(AF_INET, &address, text.data(), text.size()));
}

/// Each rank has an answer of its own, since the C library's is overwritten by the next call.
RONDO_OWN hostent* gethostbyname(char const* name) {
  static Answer<hostent>& answer = *new Answer<hostent>;
  return answer.by([&](hostent* entry, char* memory, std::size_t size, hostent** found) {
    int why = 0;
    int const code = gethostbyname_r(name, entry, memory, size, found, &why);
    if (*found == nullptr && code != ERANGE) h_errno = why;
    return code;
  });
}

RONDO_OWN passwd* getpwnam(char const* name) {
  static Answer<passwd>& answer = *new Answer<passwd>;
  return answer.by([&](auto... memory) { return getpwnam_r(name, memory...); });
}

RONDO_OWN passwd* getpwuid(uid_t user) {
  static Answer<passwd>& answer = *new Answer<passwd>;
  return answer.by([&](auto... memory) { return getpwuid_r(user, memory...); });
}

RONDO_OWN group* getgrnam(char const* name) {
  static Answer<group>& answer = *new Answer<group>;
  return answer.by([&](auto... memory) { return getgrnam_r(name, memory...); });
}

RONDO_OWN group* getgrgid(gid_t id) {
  static Answer<group>& answer = *new Answer<group>;
  return answer.by([&](auto... memory) { return getgrgid_r(id, memory...); });
}

}  // extern "C"
