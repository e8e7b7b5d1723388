#include "mpi_library/intergroup/request.hpp"

#include <utility>
#include <vector>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/operation.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/progress.hpp"

namespace rondo::mpi {

namespace {

using Algorithm = problem::IntergroupAlgorithm;

/// All requests of a communicator share this tag: start() is blocking, so only one is active at a time.
constexpr int request_tag = 0;

bool by_library(problem::Intergroup const& problem) { return problem.building_blocks == problem::BuildingBlocks::mpi; }

void check_algorithm(IntergroupComm const& home) {
  if (by_library(home.problem) && !has_building_blocks(home.problem.algorithm)) throw MpiFailure(MPI_ERR_ARG);
  try {
    expect_groups(home.problem);
  } catch (InputError const&) {
    throw MpiFailure(MPI_ERR_DIMS);
  }
}

bool varying(IntergroupBlocks const& blocks) { return blocks.sizes == IntergroupBlocks::Sizes::a_sender; }

/// The bytes of each sender's block, or of all blocks, as this rank describes them.
std::vector<Bytes> described(IntergroupComm const& home, IntergroupBlocks const& blocks) {
  if (!blocks.wanted || (varying(blocks) && blocks.counts == nullptr)) throw MpiFailure(MPI_ERR_ARG);
  bool const receives = home.problem.groups.is_receiver(home.rank);
  void const* const used = receives ? blocks.receive : blocks.send;
  int const number = varying(blocks) ? home.problem.groups.senders() : 1;
  std::vector<Bytes> sizes;
  for (int i = 0; i < number; ++i) {
    int const& count = varying(blocks) ? blocks.counts[i] : blocks.count;
    sizes.push_back(slots({used, 1, &count, nullptr, &blocks.type}).front().bytes);
    bool const used_here = receives || number == 1 || i == home.rank.value;
    if (used == nullptr && used_here && sizes.back().value > 0) throw MpiFailure(MPI_ERR_ARG);
  }
  if (!dense(blocks.type)) throw MpiFailure(MPI_ERR_TYPE);
  return sizes;
}

/// The sizes of the blocks that this rank describes. They are valid only if its vote has no error.
problem::BlockSizes read(IntergroupComm const& home, IntergroupBlocks const& blocks, Vote& vote) {
  problem::BlockSizes result(Bytes(0));
  vote.code = guarded([&] {
    std::vector<Bytes> const sizes = described(home, blocks);
    check_algorithm(home);
    if (varying(blocks) && by_library(home.problem)) throw MpiFailure(MPI_ERR_ARG);
    result = varying(blocks) ? problem::BlockSizes(Bytes(1), sizes) : problem::BlockSizes(sizes.front());
    vote.said.add(varying(blocks) ? 1 : 0);
    for (Bytes const size : sizes) vote.said.add(size.value);
  });
  problem::Intergroup const& options = home.problem;
  for (std::int64_t const word :
       {static_cast<std::int64_t>(options.algorithm), static_cast<std::int64_t>(options.allgather),
        static_cast<std::int64_t>(options.broadcast), static_cast<std::int64_t>(options.building_blocks)}) {
    vote.said.add(word);
  }
  for (int const extent : options.torus ? options.torus->extents() : std::vector<int>{}) vote.said.add(extent);
  return result;
}

class Scheduled : public IntergroupRequest {
 public:
  Scheduled(std::shared_ptr<IntergroupComm> home, IntergroupBlocks const& blocks, Schedule const& schedule)
      : home_(std::move(home)),
        intermediate_(static_cast<std::size_t>(layout(schedule).bytes(Buffer::intermediate).value)),
        operation_(rounds(schedule, blocks), home_->ordered->handle(), request_tag) {}

  void start() override {
    Progress& progress = Progress::of_this_process();
    progress.start(operation_);
    progress.wait(operation_);
  }

 private:
  Layout const& layout(Schedule const& schedule) const { return schedule.program(home_->rank).layout(); }
  Rounds rounds(Schedule const& schedule, IntergroupBlocks const& blocks) {
    SlotOffsets const offsets(layout(schedule));
    // The operation only reads this buffer.
    return {schedule, home_->rank,
            Buffers{{static_cast<std::byte*>(const_cast<void*>(blocks.send)), static_cast<std::byte*>(blocks.receive),
                     intermediate_.data()},
                    &layout(schedule),
                    &offsets}};
  }

  std::shared_ptr<IntergroupComm> home_;
  std::vector<std::byte> intermediate_;
  Operation operation_;
};

template <typename Library>
class ByLibrary : public IntergroupRequest {
 public:
  ByLibrary(std::shared_ptr<IntergroupComm> home, IntergroupBlocks const& blocks, Bytes block)
      : home_(std::move(home)),
        block_(block),
        library_(home_->problem.groups, home_->ordered->handle()),
        room_(room(home_->problem.groups, home_->rank, block)),
        memory_{static_cast<std::byte const*>(blocks.send), static_cast<std::byte*>(blocks.receive), room_.data(),
                room_.data()} {}

  void start() override { library_.run(memory_, block_); }

 private:
  static std::vector<std::byte> room(Groups const& groups, Rank rank, Bytes block) {
    return std::vector<std::byte>(
        static_cast<std::size_t>((groups.is_receiver(rank) ? 1 : groups.senders()) * block.value));
  }

  std::shared_ptr<IntergroupComm> home_;
  Bytes block_;
  Library library_;
  std::vector<std::byte> room_;
  LibraryMemory memory_;
};

}  // namespace

std::unique_ptr<IntergroupRequest> make_request(std::shared_ptr<IntergroupComm> const& home,
                                                IntergroupBlocks const& blocks) {
  Vote vote;
  problem::BlockSizes const sizes = read(*home, blocks, vote);
  check(agree(home->ordered->handle(), vote));
  if (!by_library(home->problem)) {
    problem::Intergroup problem = home->problem;
    problem.sizes = sizes;
    return std::make_unique<Scheduled>(home, blocks, generate::generate(problem));
  }
  if (home->problem.algorithm == Algorithm::group_allgather) {
    return std::make_unique<ByLibrary<LibraryGroupAllgather>>(home, blocks, sizes.block);
  }
  return std::make_unique<ByLibrary<LibraryRootGathering>>(home, blocks, sizes.block);
}

}  // namespace rondo::mpi
