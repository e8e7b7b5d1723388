// The allgather of an inter-communicator as two broadcasts from group to group, one in each direction.

#include "mpi_library/intergroup/inter_allgather.hpp"

#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/local_copy.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/intergroup/comm.hpp"
#include "mpi_library/intergroup/request.hpp"

namespace rondo::mpi {
namespace {

/// The slot for so many blocks of this description together.
Slot slot_of(Data const& data, int blocks) {
  if (data.count > 0 && blocks > std::numeric_limits<int>::max() / data.count) throw MpiFailure(MPI_ERR_COUNT);
  int const count = data.count * blocks;
  return slots({data.buffer, 1, &count, nullptr, &data.type}).front();
}

Slot bytes_at(std::vector<std::byte>& memory) {
  return {{absolute(memory.data()), static_cast<int>(memory.size()), MPI_BYTE},
          Bytes(static_cast<std::int64_t>(memory.size()))};
}

/// Room for the content of a slot. A message of bytes can be as long as an int can count.
std::vector<std::byte> room_for(Slot const& slot) {
  if (slot.bytes.value > std::numeric_limits<int>::max()) throw MpiFailure(MPI_ERR_COUNT);
  return std::vector<std::byte>(static_cast<std::size_t>(slot.bytes.value));
}

/// Collective. The communicator for one direction: the first group in `both` sends, or the other one.
std::shared_ptr<IntergroupComm> const& direction(InterComm const& inter, bool first) {
  auto& made = inter.both_ways->at(first ? 0 : 1);
  if (made == nullptr) made = intergroup_of(inter.both->comm->handle(), (inter.local_first == 0) == first);
  return made;
}

/// The algorithm that RONDO_INTER_ALLGATHER names.
problem::IntergroupAlgorithm chosen_algorithm() {
  problem::Intergroup chosen{Groups(1, 1), Bytes(0)};
  char const* const algorithm = std::getenv("RONDO_INTER_ALLGATHER");
  if (algorithm != nullptr && *algorithm != '\0') set_option(chosen, "algorithm", algorithm);
  return chosen.algorithm;
}

/// One direction: a rank either sends its block or receives all blocks of the other group.
void broadcast(std::shared_ptr<IntergroupComm> const& home, std::vector<std::byte>* sent,
               std::vector<std::byte>* received, int senders) {
  std::size_t const block = sent != nullptr ? sent->size() : received->size() / static_cast<std::size_t>(senders);
  IntergroupBlocks const blocks{sent != nullptr ? sent->data() : nullptr,
                                received != nullptr ? received->data() : nullptr, static_cast<int>(block), MPI_BYTE};
  make_request(home, blocks)->start();
}

/// The arguments and the environment of a rank, after they have been read.
struct GivenBlocks {
  problem::IntergroupAlgorithm algorithm = chosen_algorithm();
  Slot from, into;
  std::vector<std::byte> mine, theirs;

  GivenBlocks(InterComm const& inter, Data const& sent, Data const& received)
      : from(slot_of(sent, 1)),
        into(slot_of(received, inter.remote_size)),
        mine(room_for(from)),
        theirs(room_for(into)) {
    LocalCopy(from, bytes_at(mine)).run();
  }
};

/// Collective. If some rank has an error, it throws at every rank.
GivenBlocks agreed_blocks(InterComm const& inter, Data const& sent, Data const& received) {
  std::optional<GivenBlocks> result;
  Vote vote;
  vote.code = guarded([&] { result.emplace(inter, sent, received); });
  check(agree(inter.both->comm->handle(), vote));
  return std::move(*result);
}

}  // namespace

/// One direction after the other. Blocks arrive in contiguous memory, and are copied into the caller's buffer at the
/// end.
void inter_allgather(InterComm const& inter, Data const& sent, Data const& received) {
  GivenBlocks blocks = agreed_blocks(inter, sent, received);
  for (bool const first : {true, false}) {
    bool const sends = (inter.local_first == 0) == first;
    auto const& home = direction(inter, first);
    home->problem.algorithm = blocks.algorithm;
    broadcast(home, sends ? &blocks.mine : nullptr, sends ? nullptr : &blocks.theirs, inter.remote_size);
  }
  LocalCopy(bytes_at(blocks.theirs), blocks.into).run();
}

}  // namespace rondo::mpi
