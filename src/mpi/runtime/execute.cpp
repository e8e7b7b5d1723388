#include "mpi/runtime/execute.hpp"

#include <cstring>
#include <vector>

#include "mpi/runtime/failure.hpp"

namespace rondo::mpi {

namespace {

/// Schedules match in posting order, as MPI does within one tag.
constexpr int tag = 0;

void copy_blocks(Program const& program, int round, Buffers const& buffers) {
  for (Copy const& copy : program.copies(round)) {
    auto const from = buffers.slot(copy.from);
    if (!from.empty()) std::memcpy(buffers.slot(copy.into).data(), from.data(), from.size());
  }
}

}  // namespace

void execute(Schedule const& schedule, Rank rank, MessageDescriptors const& descriptors, Buffers const* buffers,
             MPI_Comm comm, int& round) {
  Program const& program = schedule.program(rank);
  std::vector<MPI_Request> requests;
  if (buffers != nullptr) copy_blocks(program, 0, *buffers);
  for (round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& transfer : program.receives(round)) {
      MessageDescriptor const& descriptor = descriptors.receive(program, transfer);
      int const source = schedule.peer(rank, transfer).value;
      check(MPI_Irecv(descriptor.address, descriptor.count, descriptor.type, source, tag, comm,
                      &requests.emplace_back()));
    }
    for (Transfer const& transfer : program.sends(round)) {
      MessageDescriptor const& descriptor = descriptors.send(program, transfer);
      int const target = schedule.peer(rank, transfer).value;
      auto const send = descriptor.synchronous ? &MPI_Issend : &MPI_Isend;
      check(send(descriptor.address, descriptor.count, descriptor.type, target, tag, comm, &requests.emplace_back()));
    }
    // SMPI's MPI_Waitall looks at every request after each completion: s^2 work for s requests.
    for (MPI_Request& request : requests) check(MPI_Wait(&request, MPI_STATUS_IGNORE));
    requests.clear();
    if (buffers != nullptr) copy_blocks(program, round, *buffers);
  }
}

}  // namespace rondo::mpi
