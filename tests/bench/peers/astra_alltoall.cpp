// An all-to-all on ASTRA-sim's analytical network with congestion, all chunks sent at time 0.
// astra_alltoall NETWORK.yml BYTES: prints the time of the last chunk in nanoseconds.

#include <cstdlib>
#include <iostream>

#include "common/EventQueue.h"
#include "common/NetworkParser.h"
#include "congestion_aware/Chunk.h"
#include "congestion_aware/Helper.h"

using namespace NetworkAnalytical;
using namespace NetworkAnalyticalCongestionAware;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  auto const events = std::make_shared<EventQueue>();
  Topology::set_event_queue(events);
  auto const topology = construct_topology(NetworkParser(argv[1]));
  int const ranks = topology->get_npus_count();
  for (int i = 1; i < ranks; ++i) {
    for (int source = 0; source < ranks; ++source) {
      auto const route = topology->route(source, (source + i) % ranks);
      topology->send(std::make_unique<Chunk>(
          std::atoll(argv[2]), route, [](void*) {}, nullptr));
    }
  }
  while (!events->finished()) events->proceed();
  std::cout << events->get_current_time() << "\n";
  return 0;
}
