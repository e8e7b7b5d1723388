// Checks messages by themselves: partners, rounds, numbers of blocks and sizes, and the links that the schedule
// promises to use and those that the machine has.

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "schedule/verify_state.hpp"

namespace rondo::verification {
namespace {

/// `blocks` are the blocks that are owed in the places which the receive writes.
void report_unmatched_receive(Message const& message, std::span<Packed const> blocks, Findings& findings) {
  std::span const places = message.into;
  findings.add(Fault::unmatched_receive, message.target, message.received, first_of(blocks, findings), [&] {
    std::string const first = places.empty() ? "no place" : name(places[0]);
    std::string const more = places.size() > 1 ? fmt::format(" and {} more", places.size() - 1) : "";
    return fmt::format("the receive from rank {} into {}{} is met by no send{}", message.source.value, first, more,
                       owed_there(blocks, findings));
  });
}

std::string stated_partner(Subject const& subject, Message const& message) {
  if (!subject.schedule.offsets.empty()) return fmt::format("offset number {}", message.stated);
  int const rank = std::max(message.source.value, message.target.value);
  return message.stated == rank ? "the rank itself" : fmt::format("rank {}", message.stated);
}

/// Reports a message whose other end is no rank.
void report_partner(Subject const& subject, Message const& message, std::span<Packed const> blocks,
                    Findings& findings) {
  bool const to = message.target.value < 0;
  findings.add(
      Fault::malformed, to ? message.source : message.target, message.round(), first_of(blocks, findings), [&] {
        return fmt::format("malformed: a message {} {}, which is no other rank{}", to ? "to" : "from",
                           stated_partner(subject, message),
                           to && !blocks.empty() ? "," + with(blocks, findings) : owed_there(blocks, findings));
      });
}

/// Reports the first difference between the two ends of a message.
void check_size(Subject const& subject, Message const& message, std::span<Packed const> blocks, Findings& findings) {
  if (message.from.size() != message.into.size()) {
    auto const beyond = blocks.subspan(std::min<std::size_t>(blocks.size(), message.into.size()));
    findings.add(Fault::size_mismatch, message.target, message.received, first_of(beyond, findings), [&] {
      return fmt::format("the message from rank {} carries {} and is received into {}{}", message.source.value,
                         counted(blocks.size(), "block"), counted(message.into.size(), "place"),
                         beyond.empty() ? "" : ": no place for " + name_all(beyond, findings));
    });
    return;
  }
  Layout const& sender = subject.program(message.source).layout();
  Layout const& receiver = subject.program(message.target).layout();
  for (std::size_t i = 0; i < message.from.size(); ++i) {
    auto const sent = size_of(sender, message.from[i]);
    auto const received = size_of(receiver, message.into[i]);
    if (!sent || !received || *sent == *received) continue;
    findings.add(Fault::size_mismatch, message.target, message.received, content_of(blocks[i], findings), [&] {
      return fmt::format("{} is sent by rank {} as {} and received into {} of {}",
                         name_all(blocks.subspan(i, 1), findings), message.source.value, print(*sent),
                         name(message.into[i]), print(*received));
    });
    return;
  }
}

}  // namespace

/// The size of a slot; unset if the slot does not exist.
std::optional<Bytes> size_of(Layout const& layout, Place place) {
  auto const buffer = static_cast<std::size_t>(place.buffer());
  if (buffer >= layout.buffers.size() || !layout.holds(place)) return std::nullopt;
  std::vector<Bytes> const& sizes = layout.buffers[buffer].sizes;
  if (sizes.empty()) return layout.block;
  return place.slot() < sizes.size() ? std::optional(sizes[place.slot()]) : std::nullopt;
}

std::optional<Content> first_of(std::span<Packed const> blocks, Findings const& findings) {
  auto const first = std::find_if(blocks.begin(), blocks.end(), is_content);
  return first == blocks.end() ? std::nullopt : content_of(*first, findings);
}

/// The first block of a message, and how many more it has.
std::string name_all(std::span<Packed const> blocks, Findings const& findings) {
  auto const first = std::find_if(blocks.begin(), blocks.end(), is_content);
  if (first == blocks.end()) return blocks.empty() ? "no block" : counted(blocks.size(), "unknown block");
  std::string const more = blocks.size() > 1 ? fmt::format(" and {} more", blocks.size() - 1) : "";
  return name(*first, findings) + more;
}

std::string with(std::span<Packed const> blocks, Findings const& findings) {
  return blocks.empty() ? "" : " with " + name_all(blocks, findings);
}

std::string owed_there(std::span<Packed const> blocks, Findings const& findings) {
  bool const any_owed = std::any_of(blocks.begin(), blocks.end(), is_content);
  return any_owed ? fmt::format("; {} is owed there", name_all(blocks, findings)) : "";
}

/// Reports what is wrong with a message that has no partner or differs at its ends.
void report_message(Subject const& subject, Message const& message, std::span<Packed const> blocks,
                    Findings& findings) {
  if (message.source.value < 0 || message.target.value < 0) {
    report_partner(subject, message, blocks, findings);
  } else if (message.received == 0) {
    findings.add(Fault::unmatched_send, message.source, message.sent, first_of(blocks, findings), [&] {
      return fmt::format("the message to rank {} with {} is met by no receive", message.target.value,
                         name_all(blocks, findings));
    });
  } else if (message.sent == 0) {
    report_unmatched_receive(message, blocks, findings);
  } else {
    if (message.sent != message.received) {
      findings.add(Fault::round_mismatch, message.target, message.received, first_of(blocks, findings), [&] {
        return fmt::format("the message from rank {} with {} is sent in round {}", message.source.value,
                           name_all(blocks, findings), message.sent);
      });
    }
    check_size(subject, message, blocks, findings);
  }
}

namespace {

void report(Message const& message, std::span<Packed const> blocks, char const* fault, Findings& findings) {
  findings.add(Fault::links, message.source, message.sent, first_of(blocks, findings), [&] {
    return fmt::format("the message to rank {}{} {}", message.target.value, with(blocks, findings), fault);
  });
}

/// Whether a link of this kind joins two ranks of the torus.
bool joined(Torus const& torus, Links links, Rank a, Rank b) {
  if (links == Links::any) return true;
  if (links == Links::unit) return torus.distance(a, b) == 1;
  std::vector<int> const from = torus.coordinates(a);
  std::vector<int> const to = torus.coordinates(b);
  int differing = 0;
  for (std::size_t j = 0; j < from.size(); ++j) differing += from[j] != to[j] ? 1 : 0;
  return differing == 1;
}

/// If rank 0 stands for all, a message that rank 0 receives comes from a rank that does what rank 0 does. This is the
/// message as rank 0 sends it, with its blocks as they look from there.
Message as_sent(Subject const& subject, Message message, std::vector<Packed>& blocks) {
  if (message.source == Rank(0)) return message;  // met by no receive
  Torus const& torus = *subject.schedule.torus;
  std::vector<int> const away = torus.coordinates(message.source);
  for (Packed& block : blocks) {
    if (is_block(block)) block = pack({torus.subtract(unpack(block).origin, away), unpack(block).block});
  }
  message.source = Rank(0);
  message.target = torus.subtract(Rank(0), away);
  return message;
}

bool keeps_promise(Schedule const& schedule, Message const& message) {
  Links const links = schedule.promises.links;
  if (links == Links::any || !schedule.torus || schedule.torus->size() != schedule.ranks) return true;
  return joined(*schedule.torus, links, message.source, message.target);
}

constexpr char const* no_such_link = "takes a link that the machine does not have";

/// Calls visit(message) for each send of a rank.
template <typename Visit>
void each_send(Subject const& subject, Rank rank, Visit const& visit) {
  Program const& program = subject.program(rank);
  for (int round = 1; round <= program.rounds(); ++round) {
    for (Transfer const& send : program.sends(round)) {
      if (auto const target = subject.partner(rank, send)) visit(Message{rank, *target, round, 0, {}, {}, false});
    }
  }
}

/// Whether the machine joins every rank to the ranks at the offsets that rank 0 sends to.
bool machine_joins_all(Subject const& subject) {
  Torus const& torus = *subject.schedule.torus;
  std::set<Rank> targets;
  each_send(subject, Rank(0), [&](Message const& message) { targets.insert(message.target); });
  return std::all_of(targets.begin(), targets.end(), [&](Rank target) {
    std::vector<int> const offset = torus.coordinates(target);
    for (int r = 0; r < torus.size(); ++r) {
      if (!subject.allowed.linked(Rank(r), torus.add(Rank(r), offset))) return false;
    }
    return true;
  });
}

}  // namespace

/// Checks one message.
void check_links(Subject const& subject, Message const& message, std::span<Packed const> blocks, Findings& findings) {
  if (message.target.value < 0) return;  // no rank, which is reported
  bool const representative = subject.scope == Scope::representative;
  // A link joins its ends in both directions, and a promise about links looks the same from every rank of the torus.
  if (!keeps_promise(subject.schedule, message)) {
    bool const unit = subject.schedule.promises.links == Links::unit;
    char const* const fault = unit ? "is not along a unit link, as the schedule promises"
                                   : "is not along one dimension, as the schedule promises";
    std::vector<Packed> carried(blocks.begin(), blocks.end());
    report(representative ? as_sent(subject, message, carried) : message, carried, fault, findings);
  }
  if (representative || !subject.allowed.linked || subject.allowed.linked(message.source, message.target)) return;
  report(message, blocks, no_such_link, findings);
}

/// If one rank stands for all, a machine that looks different from other ranks needs a check of every message.
void check_machine_for_all(Subject const& subject, Findings& findings) {
  if (subject.scope != Scope::representative || !subject.allowed.linked || machine_joins_all(subject)) return;
  for (int r = 0; r < subject.schedule.ranks; ++r) {
    each_send(subject, Rank(r), [&](Message const& message) {
      if (!subject.allowed.linked(message.source, message.target)) report(message, {}, no_such_link, findings);
    });
  }
}

}  // namespace rondo::verification

/// Checks only links, which is much cheaper than a proof.
std::optional<rondo::Violation> rondo::first_missing_link(Schedule const& schedule, Collective const& collective,
                                                          MachineLimits const& allowed) {
  if (schedule.promises.links == Links::any && !allowed.linked) return std::nullopt;
  using namespace verification;
  Subject const subject{schedule, collective, allowed, Scope::every_rank, schedule.rounds()};
  Findings findings;
  // Every rank of the torus sees a promise in the same way, so one rank is enough. A machine may look different
  // from each rank.
  int const ranks = schedule.isomorphic() && !allowed.linked ? 1 : schedule.ranks;
  for (int r = 0; r < ranks; ++r) {
    each_send(subject, Rank(r), [&](Message const& message) { check_links(subject, message, {}, findings); });
  }
  std::vector<Violation> faults = std::move(findings).take();
  if (faults.empty()) return std::nullopt;
  return std::move(faults.front());
}
