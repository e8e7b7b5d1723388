#pragma once

// Makes the text of a machine, as scenarios and platforms/ have it, from samples. The text contains the parameters
// and, in `source`, where they come from, how certain they are and what the data could not determine.

#include <cstdint>
#include <string>
#include <vector>

#include "fit/robust.hpp"
#include "fit/samples.hpp"

namespace rondo::fit {

/// Rondo reads no sizes of more bytes, so no message is larger.
constexpr std::int64_t largest_message = std::int64_t{1} << 62;

struct FittedMachine {
  Fitted fitted;
  std::vector<std::string> source;  ///< the sentences of the machine about itself, one an entry
  std::string json;                 ///< a machine object, with a line end
};

/// The parts of a machine's text that do not come from the fit.
struct Origin {
  std::string file;
  int hosts = 2;  ///< of the fully connected machine that is written
};

/// Linear timing, time = latency + bytes / bandwidth, divided into as many pieces of sizes as pay (fit/pieces.hpp). A
/// larger message takes at least as much time as a smaller one, unless most runs show the opposite at a boundary; then
/// `source` says so. Throws NotConverged.
FittedMachine fit_linear(Samples const& samples, Origin const& origin);

/// The same with a single piece.
FittedMachine fit_one_piece(Samples const& samples, Origin const& origin);

/// LogGP with time a byte on the CPU, as Rondo's engine and LogGOPSim carry it out: a message of s bytes takes
/// L + 2 o + (s-1) max(G, O), a further one follows max(g + (s-1) G, o + (s-1) max(G, O)) later, by the NICs or the
/// receiver's CPU, and a send holds its CPU for o + (s-1) O [Hoefler07, Hoefler10]. From Netgauge's round trips:
/// PRTT(1,0,s) is twice the first, the second is (PRTT(n,0,s) - PRTT(1,0,s)) / (n-1), the third (PRTT(n,d,s) -
/// PRTT(1,0,s)) / (n-1) - d. S, from which on messages wait for their receiver, cannot be seen in these; it is
/// LogGOPSim's 65535 bytes. Throws NotConverged.
FittedMachine fit_loggp(std::vector<RoundTrips> const& trips, Origin const& origin);

}  // namespace rondo::fit
