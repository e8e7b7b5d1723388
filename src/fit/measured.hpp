#pragma once

// Reads the file that rondo-measure writes (src/mpi_library/measure), and makes a machine with flow timing from it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fit/machine.hpp"
#include "fit/sharing.hpp"

namespace rondo::fit {

/// The measurements of a file: times of messages in one direction, between two hosts and within one, alone and several
/// at once, and CPU times of calls. Lines of collectives are only for comparison and are not read.
struct Measured {
  Samples between, inside;                     ///< either may be empty, but not both
  std::vector<PairsTime> pairs, inside_pairs;  ///< of several messages at once
  std::optional<Seconds> post, take = {};      ///< of a send, and of a receive whose message is there
  std::optional<double> join = {};             ///< seconds a byte
};

/// Whether a text is a file of rondo-measure.
bool is_measured(std::string_view text);
/// Throws InputError "FILE:LINE:COLUMN: expected ..., got ..." as read_samples does.
Measured read_measured(std::string_view text, std::string const& file);

/// The parameters of flow timing. Latency and bandwidth, in as many pieces as pay, come from the messages between
/// hosts, or from those within a host if all ranks share one. o_send, o_recv and reduce come from the calls, whose
/// times are subtracted from those of the messages. intra_latency and intra_bandwidth come from the messages within a
/// host. The bandwidths of the NIC and of the memory come from several messages at once (fit/sharing.hpp). The NIC has
/// the machine's bandwidth, so that a piece for all sizes limits a single message if it is slower. A parameter that was
/// not measured is left out. Throws NotConverged.
FittedMachine fit_measured(Measured const& measured, Origin const& origin);

}  // namespace rondo::fit
