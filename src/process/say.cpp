// Writes the report of an interrupted command in a signal handler, which may call only functions that are safe there.

#include "process/say.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <utility>

#include "process/descriptor.hpp"

namespace rondo {
namespace {

// Two buffers: the handler reads reports[active_report]. A new report goes to the other buffer before active_report
// changes, so the handler never sees half a text.
std::array<InterruptReport, 2> reports;
volatile std::sig_atomic_t active_report = 0;
volatile std::sig_atomic_t interrupt_exit_code = 0;
volatile pid_t installer = 0;

/// Only the process that installed the handler writes. Its children (simulations) inherit the handler and just exit.
void handle_interrupt(int /*signal*/) {
  if (getpid() == installer) {
    InterruptReport const& report = reports[static_cast<std::size_t>(active_report)];
    write_all(STDOUT_FILENO, report.output);
    write_all(STDERR_FILENO, report.error);
  }
  _exit(interrupt_exit_code);
}

}  // namespace

void install_interrupt_handler(int exit_code) {
  interrupt_exit_code = exit_code;
  installer = getpid();
  std::signal(SIGINT, handle_interrupt);
  std::signal(SIGTERM, handle_interrupt);
}

void set_interrupt_report(InterruptReport report) {
  int const next = 1 - active_report;
  reports[static_cast<std::size_t>(next)] = std::move(report);
  // Without the fence the compiler may store active_report before the report is complete.
  std::atomic_signal_fence(std::memory_order_release);
  active_report = next;
}

}  // namespace rondo
