// Handlers of signals, one table for each rank: all ranks are one process, and the C library has one table for them
// all. A handler is called if its rank raises the signal or sends it to its own process. Signals that come from
// elsewhere do what they do to a process without handlers: a fault ends the simulation, which is then reported as a
// crash.

#include <smpi/smpi_helpers_internal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "mpi_library/smpi_shim/c_library.hpp"

namespace {

/// What this rank has asked for, by signal.
std::array<struct sigaction, NSIG> actions{};

bool may_be_handled(int signal) { return signal > 0 && signal < NSIG && signal != SIGKILL && signal != SIGSTOP; }

/// Alarms count real seconds, and the simulation has its own clock.
void refuse_alarms(int signal, struct sigaction const& action) {
  bool const is_alarm = signal == SIGALRM || signal == SIGVTALRM || signal == SIGPROF;
  if (!is_alarm || action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) return;
  std::fprintf(stderr, "rondo: a handler of %s: expected a program without alarms, which count real time\n",
               sigabbrev_np(signal));
  std::abort();
}

/// Does what this rank has asked for; returns false if that is the default. `sender` is the rank's own process.
bool delivered(int signal, pid_t sender) {
  struct sigaction const action = actions[static_cast<std::size_t>(signal)];
  if (action.sa_handler == SIG_DFL) return false;
  if (action.sa_handler == SIG_IGN) return true;
  if ((static_cast<unsigned>(action.sa_flags) & SA_RESETHAND) != 0) actions[static_cast<std::size_t>(signal)] = {};
  if ((static_cast<unsigned>(action.sa_flags) & SA_SIGINFO) == 0) {
    action.sa_handler(signal);
    return true;
  }
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = SI_USER;
  info.si_pid = sender;
  info.si_uid = getuid();
  action.sa_sigaction(signal, &info, nullptr);
  return true;
}

bool is_child(pid_t process) {
  siginfo_t info;
  return process > 0 && waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

}  // namespace

extern "C" {

RONDO_OWN int sigaction(int signal, struct sigaction const* action, struct sigaction* before) noexcept {
  if (!may_be_handled(signal)) {
    errno = EINVAL;
    return -1;
  }
  struct sigaction& own = actions[static_cast<std::size_t>(signal)];
  if (action != nullptr) refuse_alarms(signal, *action);
  struct sigaction const replaced = own;
  if (action != nullptr) own = *action;
  if (before != nullptr) *before = replaced;
  return 0;
}

RONDO_OWN sighandler_t signal(int signal, sighandler_t handler) noexcept {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = handler;
  return sigaction(signal, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

RONDO_OWN int raise(int signal) noexcept {
  if (may_be_handled(signal) && delivered(signal, smpi_getpid())) return 0;
  return c_library_function<int(int)>("raise")(signal);
}

/// A rank has a number of its own where SMPI's helpers stand for getpid, and a program may have taken one from another
/// rank. No such number may reach the system, where it belongs to a stranger. Children that the program has started do.
RONDO_OWN int kill(pid_t process, int signal) noexcept {
  if (is_child(process)) return c_library_function<int(pid_t, int)>("kill")(process, signal);
  if (process != 0 && process != getpid() && process != smpi_getpid()) {
    errno = ESRCH;
    return -1;
  }
  return signal == 0 ? 0 : raise(signal);
}

}  // extern "C"
