#pragma once

// Reads the file that rondo-measure writes (src/mpi_library/measure), and makes a machine with flow timing from it.
// Messages at the same time share the NIC of a host, or the memory within one. In the file several pairs of ranks
// exchange messages at once; the time of one of them shows the bandwidth of all.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "fit/machine.hpp"

namespace rondo::fit {

/// The time of a message in one direction while `pairs` messages of this size are under way in the same direction.
struct PairsTime {
  std::int64_t pairs = 1;
  std::int64_t bytes = 0;
  Seconds time;
};

struct SharedBandwidth {
  BytesPerSecond value{0};
  bool filled = false;     ///< otherwise the value is only what the most pairs used, and there may be more
  double worst_error = 0;  ///< the largest |predicted / measured - 1| of a row
};

/// The measurements of a file: times of messages in one direction, between two hosts and within one, alone and several
/// at once, and CPU times of calls. Lines of collectives are only for comparison and are not kept.
struct Measured {
  Samples between, inside;                     ///< at least one of them has messages of two sizes
  std::vector<PairsTime> pairs, inside_pairs;  ///< of several messages at once, between hosts and within one
  std::optional<Seconds> post, take = {};      ///< of a send, and of a receive whose message is there
  std::optional<double> join = {};             ///< of a reduction, in seconds a byte
};

/// Whether a text is a file of rondo-measure: one of its lines is the header.
bool is_measured(std::string_view text);
/// Reads the lines after the header; empty lines and those that begin with # are skipped. If several lines measure
/// the same CPU time, the last one counts. Throws InputError "FILE:LINE:COLUMN: expected ..., got ..." as read_samples
/// does, and "FILE: expected messages ..." if neither kind of message was measured at two sizes.
Measured read_measured(std::string_view text, std::string const& file);

/// The parameters of flow timing. Latency and bandwidth, in as many pieces as pay, come from the messages between
/// hosts, or from those within a host if all ranks share one. o_send, o_recv and reduce come from the calls, whose
/// times are subtracted from those of the messages. intra_latency and intra_bandwidth come from the messages within a
/// host. The bandwidths of the NIC and of the memory come from several messages at once (fit/measured.hpp). The NIC has
/// the machine's bandwidth, so that a piece for all sizes limits a single message if it is slower. A parameter that was
/// not measured is left out. o_send and o_recv are also left out if some message took no longer than both calls; the
/// times of messages are used whole then. Throws NotConverged.
FittedMachine fit_measured(Measured const& measured, Origin const& origin);

}  // namespace rondo::fit
