// Lists functions whose state all ranks would share. A program that calls one is refused, because its results could be
// wrong. A program that handles signals is refused only if it also sends them or waits for them.

#include "engine/programs/shared_state.hpp"

#include <fmt/format.h>

#include <string_view>

#include "base/error.hpp"
#include "engine/programs/program_image.hpp"

namespace rondo {

namespace {

/// Functions with the same shared state, and its name.
struct Shared {
  char const* what;  ///< the state that all ranks would share
  std::vector<std::string_view> functions;
};

/// librondo_mpi supplies these functions with a state for each rank. A program that is linked with it does not take
/// them from the C library.
std::vector<Shared> const& supplied() {
  static std::vector<Shared> const all{
      {"the string that it cuts", {"strtok"}},
      {"the generator's constants", {"lcong48"}},
      {"the table", {"hcreate", "hdestroy", "hsearch"}},
      {"the answer", {"gethostbyname", "getpwnam", "getpwuid", "getgrnam", "getgrgid", "inet_ntoa"}}};
  return all;
}

/// Functions whose state nothing makes private.
std::vector<Shared> const& never_private() {
  static std::vector<Shared> const all{
      {"the standard streams", {"freopen", "freopen64", "dup2", "dup3"}},
      {"the C++ locale", {"_ZNSt6locale6globalERKS_"}},
      {"the key", {"setkey", "encrypt"}},
      {"the place in the list",
       {"getpwent", "getgrent", "gethostent", "getnetent", "getprotoent", "getservent", "getspent", "getutent",
        "getutxent", "getusershell", "getnetgrent", "getaliasent", "getfsent", "getttyent"}},
      {"the answer",
       {"ecvt",          "fcvt",         "qecvt",          "qfcvt",         "l64a",          "getdate",    "getspnam",
        "gethostbyaddr", "getnetbyname", "getprotobyname", "getservbyname", "getservbyport", "ether_ntoa", "fgetpwent",
        "fgetgrent",     "getmntent",    "ptsname",        "ttyname",       "getlogin",      "crypt"}},
      {"the standard input's line editor", {"readline"}},
  };
  return all;
}

/// The first of these functions that the program calls; empty if it calls none.
std::string_view first_called(ProgramImage const& image, std::vector<std::string_view> const& names) {
  for (std::string_view const name : names) {
    if (image.calls(name)) return name;
  }
  return "";
}

/// Throws InputError with the function and what the user can do instead.
void refuse(ProgramImage const& image, std::vector<Shared> const& all, char const* advice) {
  for (Shared const& shared : all) {
    if (auto const name = first_called(image, shared.functions); !name.empty()) {
      throw InputError(fmt::format("it calls {}, and all ranks would share {}{}", name, shared.what, advice));
    }
  }
}

/// The handlers of signals belong to the process, so it would be undefined which rank's handler is called.
void refuse_handled_signals(ProgramImage const& image) {
  auto const handles =
      first_called(image, {"signal", "sigaction", "sigset", "bsd_signal", "__sysv_signal", "ssignal",
                           "_gfortran_signal_func", "_gfortran_signal_func_int", "_gfortran_signal_sub",
                           "_gfortran_signal_sub_int", "_gfortran_alarm_sub_i4"});
  auto const sends = first_called(image, {"raise", "kill", "killpg", "tgkill", "pthread_kill", "sigqueue", "alarm",
                                          "ualarm", "setitimer", "timer_create", "sigsuspend", "pause", "sigwait",
                                          "_gfortran_alarm_sub_i4", "_gfortran_kill_i4", "_gfortran_kill_i4_sub"});
  if (handles.empty() || sends.empty()) return;
  throw InputError(
      fmt::format("it calls {} and {}, and all ranks would share the handlers of signals", handles, sends));
}

}  // namespace

void refuse_what_ranks_would_share(ProgramImage const& image) {
  refuse(image, supplied(), ": librondo_mpi has one for each rank; link it as docs/mpi.md says");
  refuse(image, never_private(), "");
  refuse_handled_signals(image);
}

}  // namespace rondo
