// Resolves the peers, bytes and durations of a schedule's transfers, writes its messages into flat arrays, and matches
// each receive with a message. In a broken schedule, a transfer without a valid peer gets the peer `nobody`.

#include "engine/native/messages.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/ids.hpp"
#include "engine/native/part_order.hpp"

namespace rondo::native {

namespace {

int wrapped(std::int64_t value, int extent) {
  auto const remainder = static_cast<int>(value % extent);
  return remainder < 0 ? remainder + extent : remainder;
}

}  // namespace

Peers::Peers(Schedule const& schedule)
    : schedule_(schedule), relative_(!schedule.offsets.empty()), ranks_(schedule.ranks) {}

/// The offset that a relative peer stands for; empty if the schedule has no such offset.
std::span<int const> Peers::offset(Transfer const& transfer) const {
  if (!schedule_.torus || transfer.peer < 0) return {};
  auto const d = static_cast<std::size_t>(schedule_.torus->dimensions());
  auto const first = static_cast<std::size_t>(transfer.peer) * d;
  if (d == 0 || first + d > schedule_.offsets.size()) return {};
  return std::span(schedule_.offsets).subspan(first, d);
}

std::int32_t Peers::resolve(std::int32_t rank, Transfer const& transfer) const {
  auto const peer_offset = offset(transfer);
  if (peer_offset.empty() || rank >= schedule_.torus->size()) return nobody;
  return schedule_.torus->add(Rank(rank), peer_offset).value;
}

/// Ranks are numbered row-major. The coordinates of the partners of ranks 0, 1, ... therefore run through each
/// dimension from `shift` to its end and then from 0, and the last dimension varies fastest.
void Peers::all(Transfer const& transfer, std::vector<std::int32_t>& into) const {
  auto const peer_offset = offset(transfer);
  into.assign(1, 0);
  if (peer_offset.empty() || schedule_.torus->size() != schedule_.ranks) {
    into.assign(static_cast<std::size_t>(schedule_.ranks), nobody);
    return;
  }
  std::vector<std::int32_t> longer;
  for (std::size_t j = 0; j < peer_offset.size(); ++j) {
    int const extent = schedule_.torus->extent(static_cast<int>(j));
    int const shift = wrapped(peer_offset[j], extent);
    longer.clear();
    for (std::int32_t const prefix : into) {
      for (int x = shift; x < extent; ++x) longer.push_back(prefix * extent + x);
      for (int x = 0; x < shift; ++x) longer.push_back(prefix * extent + x);
    }
    into.swap(longer);
  }
}

std::int32_t Peers::ahead(Transfer const& transfer) const {
  auto const peer_offset = offset(transfer);
  return peer_offset.empty() ? nobody : schedule_.torus->add(Rank(0), peer_offset).value;
}

std::int32_t Peers::behind(Transfer const& transfer) const {
  auto const peer_offset = offset(transfer);
  return peer_offset.empty() ? nobody : schedule_.torus->subtract(Rank(0), peer_offset).value;
}

Sizes::Sizes(Program const& program)
    : program_(&program),
      uniform_(std::all_of(program.layout().buffers.begin(), program.layout().buffers.end(),
                           [](BufferLayout const& buffer) { return buffer.sizes.empty(); })),
      block_(program.layout().block.value) {}

/// The sizes of slots differ, so the bytes are summed slot by slot. A slot past the listed sizes of its buffer adds
/// nothing. In a buffer of one size each slot adds a block.
std::int64_t Sizes::sum(Transfer const& transfer) const {
  std::int64_t total = 0;
  for (Place const place : program_->places(transfer)) {
    auto const buffer = static_cast<std::size_t>(place.buffer());
    if (buffer >= buffer_count) continue;
    auto const& sizes = program_->layout().buffers[buffer].sizes;
    if (sizes.empty()) {
      total += block_;
    } else if (place.slot() < sizes.size()) {
      total += sizes[place.slot()].value;
    }
  }
  return total;
}

Costs::Costs(Platform const& platform)
    : platform_(platform),
      paths_(platform),
      uniform_(platform.ranks_per_host == 1 && !has_file_numbers(platform) &&
               (platform.hop_latency == Seconds(0) || std::holds_alternative<FullyConnected>(platform.topology) ||
                std::holds_alternative<PlatformFile>(platform.topology))),
      plain_(uniform_ && platform.pieces.empty() && platform.nics == 1 && platform.flow.handshake == Seconds(0)),
      latency_(platform.latency),
      envelope_(platform.envelope.value),
      bandwidth_(platform.bandwidth) {}

namespace {

/// How many sends and receives a program posts in all its rounds.
struct Posts {
  std::size_t sends = 0, receives = 0;
  explicit Posts(Program const& program) {
    for (int i = 1; i <= program.rounds(); ++i) {
      sends += program.sends(i).size();
      receives += program.receives(i).size();
    }
  }
};

/// Numbers sends and receives rank by rank. Arrays index them with 32 bits.
void number_posts(Schedule const& schedule, Messages& messages) {
  std::vector<Posts> posts(schedule.programs.begin(), schedule.programs.end());
  std::uint64_t sends = 0, receives = 0;
  for (std::int32_t rank = 0; rank <= schedule.ranks; ++rank) {
    messages.first_send.push_back(static_cast<std::uint32_t>(sends));
    messages.first_receive.push_back(static_cast<std::uint32_t>(receives));
    if (rank == schedule.ranks) break;
    Posts const& count = posts[at(&schedule.program(Rank(rank)) - schedule.programs.data())];
    sends += count.sends;
    receives += count.receives;
  }
  if (std::max(sends, receives) >= nothing) {
    throw InputError("the event queue of the native engine carries at most 4294967294 messages");
  }
}

/// Writes the messages of one rank after the other.
class Writer {
 public:
  Writer(Schedule const& schedule, Platform const& platform, Messages& messages)
      : peers_(schedule), costs_(platform), kinds_(messages), messages_(messages) {}

  /// Appends the messages of a rank.
  void write(std::int32_t rank, Program const& program, Sizes const& size) {
    std::size_t m = messages_.first_send[at(rank)];
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& send : program.sends(round)) {
        std::int32_t const target = peers_(rank, send);
        std::int64_t const bytes = size(send);
        Seconds const duration = costs_(rank, target == nobody ? rank : target, bytes);
        messages_.source[m] = rank;
        messages_.target[m] = target;
        messages_.kind.push_back(kinds_(duration, costs_.size(bytes)));
        ++m;
        messages_.bytes += bytes;
      }
    }
  }

 private:
  Peers peers_;
  Costs costs_;
  Kinds kinds_;
  Messages& messages_;
};

/// Messages sorted by target, then by source, then in posting order. A counting sort by target suffices, because
/// messages are numbered by source already.
struct ByTarget {
  std::vector<std::uint32_t> first;  ///< by target: its first entry in `message`; one more entry at the end
  Column<std::uint32_t> message;

  ByTarget(Messages const& messages, std::size_t ranks) : first(ranks + 1, 0), message(messages.source.size()) {
    for (std::int32_t const target : messages.target) {
      if (target != nobody) ++first[at(target) + 1];
    }
    for (std::size_t r = 0; r < ranks; ++r) first[r + 1] += first[r];
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t m = 0; m < messages.target.size(); ++m) {
      if (messages.target[m] != nobody) message[next[at(messages.target[m])]++] = m;
    }
  }
};

}  // namespace

/// All messages of a schedule, by source and in the order of posting. Messages of one duration and size class are of
/// one kind.
Messages read_messages(Schedule const& schedule, Platform const& platform) {
  Messages messages;
  number_posts(schedule, messages);
  std::size_t const count = messages.first_send.back();
  messages.source.resize(count);
  messages.target.resize(count);
  messages.kind.reserve(count);
  std::vector<Sizes> const sizes(schedule.programs.begin(), schedule.programs.end());
  Writer writer(schedule, platform, messages);
  for (std::int32_t rank = 0; rank < schedule.ranks; ++rank) {
    Program const& program = schedule.program(Rank(rank));
    writer.write(rank, program, sizes[at(&program - schedule.programs.data())]);
  }
  return messages;
}

/// The messages of rank 0, which stands for all ranks of the schedule. Each target is the partner of rank 0.
Messages messages_of_one(Schedule const& schedule, Platform const& platform) {
  Messages messages;
  Program const& program = schedule.programs.front();
  Peers const peers(schedule);
  Sizes const size(program);
  Costs const cost(platform);
  Kinds kinds(messages);
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& send : program.sends(round)) {
      std::int32_t const target = peers.ahead(send);
      std::int64_t const bytes = size(send);
      messages.source.push_back(0);
      messages.target.push_back(target);
      messages.kind.push_back(kinds(cost(0, target, bytes), cost.size(bytes)));
      messages.bytes += bytes;
    }
  }
  return messages;
}

/// The sources and targets of the messages as ranks instead of parts, because the parts of a rank share its ports.
/// Kinds, durations and bytes stay empty. Unset if there are no parts.
std::optional<Messages> messages_between_ranks(Messages const& messages, Parts const* parts) {
  if (parts == nullptr) return std::nullopt;
  Messages result;
  // Parts are numbered by rank, so the messages of a rank are consecutive.
  for (std::size_t part = 0; part < parts->count(); ++part) {
    while (std::ssize(result.first_send) <= parts->rank_of[part]) {
      result.first_send.push_back(messages.first_send[part]);
      result.first_receive.push_back(messages.first_receive[part]);
    }
  }
  result.first_send.resize(at(parts->ranks) + 1, messages.first_send.back());
  result.first_receive.resize(at(parts->ranks) + 1, messages.first_receive.back());
  for (std::size_t m = 0; m < messages.source.size(); ++m) {
    result.source.push_back(parts->rank_of[at(messages.source[m])]);
    result.target.push_back(messages.target[m] == nobody ? nobody : parts->rank_of[at(messages.target[m])]);
  }
  return result;
}

/// Matches receives with messages in posting order. While the receives of a target are matched, next[s] is the place in
/// `sent.message` of the first message from s to this target that is not matched yet.
Column<std::uint32_t> match(Schedule const& schedule, Messages const& messages) {
  auto const ranks = at(schedule.ranks);
  Peers const peers(schedule);
  ByTarget const sent(messages, ranks);
  std::vector<std::uint32_t> next(ranks, 0);  // by source: its next message to the target at hand
  Column<std::uint32_t> result(messages.first_receive.back(), nothing);
  std::size_t receive = 0;
  for (std::size_t target = 0; target < ranks; ++target) {
    std::uint32_t const begin = sent.first[target];
    std::uint32_t const end = sent.first[target + 1];
    for (std::uint32_t i = end; i-- > begin;) next[at(messages.source[sent.message[i]])] = i;
    Program const& program = schedule.program(Rank(static_cast<std::int32_t>(target)));
    for (int round = 1; round <= program.rounds(); ++round) {
      for (Transfer const& transfer : program.receives(round)) {
        std::int32_t const source = peers(static_cast<std::int32_t>(target), transfer);
        if (source != nobody) {
          // A source that sends nothing to this target still points at a message of another source or of an earlier
          // target.
          std::uint32_t& i = next[at(source)];
          bool const is_matched = i >= begin && i < end && messages.source[sent.message[i]] == source;
          if (is_matched) result[receive] = sent.message[i++];
        }
        ++receive;
      }
    }
  }
  return result;
}

}  // namespace rondo::native
