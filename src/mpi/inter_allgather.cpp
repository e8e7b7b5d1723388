#include "mpi/inter_allgather.hpp"

#include <cstdlib>
#include <limits>
#include <string_view>
#include <vector>

#include "mpi/attached.hpp"
#include "mpi/failure.hpp"
#include "mpi/intergroup_request.hpp"
#include "mpi/local_copy.hpp"
#include "mpi/slots.hpp"

namespace rondo::mpi {
namespace {

/// Of so many blocks of this description.
Slot slot_of(Data const& data, int blocks) {
  if (data.count > 0 && blocks > std::numeric_limits<int>::max() / data.count) throw MpiFailure(MPI_ERR_COUNT);
  int const count = data.count * blocks;
  return slots({data.buffer, 1, &count, nullptr, &data.type}).front();
}

Slot bytes_at(std::vector<std::byte>& memory) {
  if (memory.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) throw MpiFailure(MPI_ERR_COUNT);
  return {{absolute(memory.data()), static_cast<int>(memory.size()), MPI_BYTE},
          Bytes(static_cast<std::int64_t>(memory.size()))};
}

std::vector<std::byte> room_for(Slot const& slot) {
  return std::vector<std::byte>(static_cast<std::size_t>(slot.bytes.value));
}

/// A communicator of senders and receivers, freed with this object.
class Direction {
 public:
  Direction(MPI_Comm both, bool is_sender) : comm_(create_intergroup_comm(both, is_sender)) {
    char const* const algorithm = std::getenv("RONDO_INTER_ALLGATHER");
    if (algorithm != nullptr && *algorithm != '\0') home()->options.set("algorithm", algorithm);
  }
  ~Direction() { MPI_Comm_free(&comm_); }
  Direction(Direction const&) = delete;
  Direction& operator=(Direction const&) = delete;
  std::shared_ptr<IntergroupComm> home() const { return Attached<IntergroupComm>::of(comm_); }

 private:
  MPI_Comm comm_;
};

void broadcast(Direction const& direction, std::vector<std::byte>* sent, std::vector<std::byte>* received,
               int senders) {
  std::size_t const block = sent != nullptr ? sent->size() : received->size() / static_cast<std::size_t>(senders);
  IntergroupBlocks const blocks{sent != nullptr ? sent->data() : nullptr,
                                received != nullptr ? received->data() : nullptr, static_cast<int>(block), MPI_BYTE};
  make_request(direction.home(), blocks)->start();
}

}  // namespace

void inter_allgather(InterComm const& inter, Data const& sent, Data const& received) {
  Slot const from = slot_of(sent, 1), into = slot_of(received, inter.remote_size);
  std::vector<std::byte> mine = room_for(from), theirs = room_for(into);
  LocalCopy(from, bytes_at(mine)).run();
  for (bool const first : {true, false}) {
    bool const sends = (inter.local_first == 0) == first;
    Direction const direction(inter.both->comm->handle(), sends);
    broadcast(direction, sends ? &mine : nullptr, sends ? nullptr : &theirs, inter.remote_size);
  }
  LocalCopy(bytes_at(theirs), into).run();
}

}  // namespace rondo::mpi
