#pragma once

// What rondo-measure writes (src/mpi_library/measure), and the machine that follows from it.

#include <optional>
#include <string>
#include <string_view>

#include "fit/machine.hpp"

namespace rondo::fit {

/// One way of messages between two hosts and within one, and the CPU times of calls. Lines of collectives are for
/// comparison and not read.
struct Measured {
  Samples between, inside;                 ///< either may be empty, but not both
  std::optional<Seconds> post, take = {};  ///< of a send, and of a receive whose message is there
  std::optional<double> join = {};         ///< seconds a byte
};

/// Whether a text is of that kind.
bool is_measured(std::string_view text);
/// Throws InputError "FILE:LINE:COLUMN: expected ..., got ..." as read_samples does.
Measured read_measured(std::string_view text, std::string const& file);

/// Flow timing: latency and bandwidth, in as many pieces as pay, from the messages between hosts, or within one if all
/// ranks share it; o_send, o_recv and reduce from the calls, which are taken off the messages' times; intra_latency and
/// intra_bandwidth from the messages within a host. What is not measured is left out. Throws NotConverged.
FittedMachine fit_measured(Measured const& measured, Origin const& origin);

}  // namespace rondo::fit
