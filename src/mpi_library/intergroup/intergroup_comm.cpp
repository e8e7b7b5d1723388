// Makes communicators of two groups, in which the senders come first, and the options of their collectives. All ranks
// vote on their arguments before a request is made, because a rank with a wrong argument would leave the others
// waiting.

#include "mpi_library/intergroup/intergroup_comm.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "generate/generate.hpp"
#include "mpi/runtime/failure.hpp"
#include "mpi/runtime/operation.hpp"
#include "mpi/runtime/slots.hpp"
#include "mpi_library/calls/agreement.hpp"
#include "mpi_library/calls/attached.hpp"
#include "mpi_library/calls/guarded.hpp"
#include "mpi_library/calls/progress.hpp"

namespace rondo::mpi {

namespace {

/// Sets the option to the value with this name. Throws MpiFailure with MPI_ERR_ARG if no value has it.
template <typename Enum>
void set_value(Enum& option, std::string_view name) {
  std::optional<Enum> const value = value_of<Enum>(name);
  if (!value) throw MpiFailure(MPI_ERR_ARG);
  option = *value;
}

/// Reads the extents of a torus; unset for an empty text. Throws MpiFailure: MPI_ERR_ARG for any other text without
/// extents, MPI_ERR_DIMS for a torus with too many ranks.
std::optional<Torus> torus_in(std::string_view text) {
  auto const extents = extents_in(text);
  if (!extents) throw MpiFailure(MPI_ERR_ARG);
  if (extents->empty()) return std::nullopt;
  try {
    return Torus(*extents);
  } catch (InputError const&) {
    throw MpiFailure(MPI_ERR_DIMS);
  }
}

}  // namespace

void set_option(problem::Intergroup& problem, std::string_view option, std::string_view value) {
  if (option == "algorithm") {
    set_value(problem.algorithm, value);
  } else if (option == "allgather") {
    set_value(problem.allgather, value);
  } else if (option == "broadcast") {
    set_value(problem.broadcast, value);
  } else if (option == "building_blocks") {
    set_value(problem.building_blocks, value);
  } else if (option == "torus") {
    problem.torus = torus_in(value);
  } else {
    throw MpiFailure(MPI_ERR_ARG);
  }
}

/// Senders get the lower ranks of the ordered communicator, as schedules number them.
std::shared_ptr<IntergroupComm> intergroup_of(MPI_Comm comm, bool is_sender, int code) {
  expect_intra(comm);
  int const ranks = size_of(comm), rank = rank_in(comm);
  auto ordered = std::make_unique<SubComm>(comm, 0, is_sender ? rank : ranks + rank);
  // Errors on it become MpiFailures. The handler that it inherits may abort the program.
  MPI_Comm_set_errhandler(ordered->handle(), MPI_ERRORS_RETURN);
  check(agree(ordered->handle(), {code, {}}));
  int const mine = is_sender ? 1 : 0;
  int senders = 0;
  check(PMPI_Allreduce(&mine, &senders, 1, MPI_INT, MPI_SUM, ordered->handle()));
  if (senders == 0 || senders == ranks) throw MpiFailure(MPI_ERR_GROUP);
  IntergroupComm content{std::move(ordered), {Groups(senders, ranks - senders), Bytes(0)}};
  content.rank = Rank(rank_in(content.ordered->handle()));
  return std::make_shared<IntergroupComm>(std::move(content));
}

/// The state is an attribute of a duplicate of the communicator.
MPI_Comm create_intergroup_comm(MPI_Comm comm, bool is_sender, int code) {
  auto content = intergroup_of(comm, is_sender, code);
  MPI_Comm result = MPI_COMM_NULL;
  check(MPI_Comm_dup(comm, &result));
  Attached<IntergroupComm>::attach(result, std::move(content));
  return result;
}

namespace {

/// All requests of a communicator share this tag: start() is blocking, so only one is active at a time.
constexpr int request_tag = 0;

bool uses_mpi_collectives(problem::Intergroup const& problem) {
  return problem.building_blocks == problem::BuildingBlocks::mpi;
}

/// Throws MpiFailure if the algorithm cannot serve these groups.
void check_algorithm(IntergroupComm const& comm_state) {
  if (uses_mpi_collectives(comm_state.problem) && !has_building_blocks(comm_state.problem.algorithm))
    throw MpiFailure(MPI_ERR_ARG);
  // Groups of these sizes are not possible with the algorithm or the torus: an error of dimensions.
  try {
    expect_groups(comm_state.problem);
  } catch (InputError const&) {
    throw MpiFailure(MPI_ERR_DIMS);
  }
}

bool has_size_per_sender(IntergroupBlocks const& blocks) { return blocks.sizes == IntergroupBlocks::Sizes::per_sender; }

/// The size of each sender's block, or the one size of all blocks, from this rank's arguments. Throws MpiFailure for a
/// wrong argument.
std::vector<Bytes> stated_sizes(IntergroupComm const& comm_state, IntergroupBlocks const& blocks) {
  if (!blocks.wanted || (has_size_per_sender(blocks) && blocks.counts == nullptr)) throw MpiFailure(MPI_ERR_ARG);
  bool const receives = comm_state.problem.groups.is_receiver(comm_state.rank);
  void const* const buffer = receives ? blocks.receive : blocks.send;
  int const size_count = has_size_per_sender(blocks) ? comm_state.problem.groups.senders() : 1;
  std::vector<Bytes> sizes;
  for (int i = 0; i < size_count; ++i) {
    int const& count = has_size_per_sender(blocks) ? blocks.counts[i] : blocks.count;
    sizes.push_back(slots({buffer, 1, &count, nullptr, &blocks.type}).front().bytes);
    // A sender reads only its own block, so its buffer may be null if only other senders' blocks have bytes.
    bool const touches_buffer = receives || size_count == 1 || i == comm_state.rank.value;
    if (buffer == nullptr && touches_buffer && sizes.back().value > 0) throw MpiFailure(MPI_ERR_ARG);
  }
  if (!dense(blocks.type)) throw MpiFailure(MPI_ERR_TYPE);
  return sizes;
}

/// The sizes of the blocks, as this rank states them; valid only if vote.code is no error. Adds to the vote everything
/// in which all ranks must agree: sizes, algorithm and options.
problem::BlockSizes stated_arguments(IntergroupComm const& comm_state, IntergroupBlocks const& blocks, Vote& vote) {
  problem::BlockSizes result(Bytes(0));
  vote.code = guarded([&] {
    std::vector<Bytes> const sizes = stated_sizes(comm_state, blocks);
    check_algorithm(comm_state);
    // Building blocks of MPI exist for blocks of one size only.
    if (has_size_per_sender(blocks) && uses_mpi_collectives(comm_state.problem)) throw MpiFailure(MPI_ERR_ARG);
    result = has_size_per_sender(blocks) ? problem::BlockSizes(Bytes(1), sizes) : problem::BlockSizes(sizes.front());
    vote.arguments.add(has_size_per_sender(blocks) ? 1 : 0);
    for (Bytes const size : sizes) vote.arguments.add(size.value);
  });
  problem::Intergroup const& options = comm_state.problem;
  for (std::int64_t const word :
       {static_cast<std::int64_t>(options.algorithm), static_cast<std::int64_t>(options.allgather),
        static_cast<std::int64_t>(options.broadcast), static_cast<std::int64_t>(options.building_blocks)}) {
    vote.arguments.add(word);
  }
  for (int const extent : options.torus ? options.torus->extents() : std::vector<int>{}) vote.arguments.add(extent);
  return result;
}

/// A request that Rondo carries out by a schedule of its own.
class ScheduledRequest : public IntergroupRequest {
 public:
  ScheduledRequest(std::shared_ptr<IntergroupComm> comm_state, IntergroupBlocks const& blocks, Schedule const& schedule)
      : comm_state_(std::move(comm_state)),
        intermediate_(static_cast<std::size_t>(layout(schedule).bytes(Buffer::intermediate).value)),
        operation_(rounds(schedule, blocks), comm_state_->ordered->handle(), request_tag) {}

  void start() override {
    Progress& progress = Progress::of_this_process();
    progress.start(operation_);
    progress.wait(operation_);
  }

 private:
  Layout const& layout(Schedule const& schedule) const { return schedule.program(comm_state_->rank).layout(); }
  /// The rounds of this rank, with the addresses of the caller's buffers.
  Rounds rounds(Schedule const& schedule, IntergroupBlocks const& blocks) {
    SlotOffsets const offsets(layout(schedule));
    // const_cast: no operation writes to the send buffer, but Buffers has one pointer type for all three.
    return {schedule, comm_state_->rank,
            Buffers{{static_cast<std::byte*>(const_cast<void*>(blocks.send)), static_cast<std::byte*>(blocks.receive),
                     intermediate_.data()},
                    &layout(schedule),
                    &offsets}};
  }

  std::shared_ptr<IntergroupComm> comm_state_;
  std::vector<std::byte> intermediate_;
  // Declared last: the rounds of the operation point into intermediate_.
  Operation operation_;
};

/// A request that MPI's own collectives and MPI_Send carry out [Kang19, Section V]
/// (mpi/runtime/library_intergroup.hpp).
template <typename Algorithm>
class MpiCollectivesRequest : public IntergroupRequest {
 public:
  MpiCollectivesRequest(std::shared_ptr<IntergroupComm> comm_state, IntergroupBlocks const& blocks, Bytes block)
      : comm_state_(std::move(comm_state)),
        block_(block),
        algorithm_(comm_state_->problem.groups, comm_state_->ordered->handle()),
        scratch_(scratch(comm_state_->problem.groups, comm_state_->rank, block)),
        // A rank is a sender or a receiver, so one buffer serves as `block` or as `gathered`.
        memory_{static_cast<std::byte const*>(blocks.send), static_cast<std::byte*>(blocks.receive), scratch_.data(),
                scratch_.data()} {}

  void start() override { algorithm_.run(memory_, block_); }

 private:
  /// A receiver needs scratch memory for one block, a sender for p blocks.
  static std::vector<std::byte> scratch(Groups const& groups, Rank rank, Bytes block) {
    return std::vector<std::byte>(
        static_cast<std::size_t>((groups.is_receiver(rank) ? 1 : groups.senders()) * block.value));
  }

  std::shared_ptr<IntergroupComm> comm_state_;
  Bytes block_;
  Algorithm algorithm_;
  std::vector<std::byte> scratch_;
  LibraryMemory memory_;
};

}  // namespace

/// Chooses the kind of request.
std::unique_ptr<IntergroupRequest> make_request(std::shared_ptr<IntergroupComm> const& comm_state,
                                                IntergroupBlocks const& blocks) {
  Vote vote;
  problem::BlockSizes const sizes = stated_arguments(*comm_state, blocks, vote);
  // All ranks agree before any of them goes on. Otherwise a rank with a wrong argument would leave the others waiting.
  check(agree(comm_state->ordered->handle(), vote));
  if (!uses_mpi_collectives(comm_state->problem)) {
    problem::Intergroup problem = comm_state->problem;
    problem.sizes = sizes;
    return std::make_unique<ScheduledRequest>(comm_state, blocks, generate::generate(problem));
  }
  if (comm_state->problem.algorithm == problem::IntergroupAlgorithm::group_allgather) {
    return std::make_unique<MpiCollectivesRequest<LibraryGroupAllgather>>(comm_state, blocks, sizes.block);
  }
  return std::make_unique<MpiCollectivesRequest<LibraryRootGathering>>(comm_state, blocks, sizes.block);
}

}  // namespace rondo::mpi
