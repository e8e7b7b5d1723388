// Checks messages by themselves: partners, rounds, numbers of blocks and sizes.

#include <algorithm>

#include "schedule/verify_cells.hpp"

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

}  // namespace rondo::verification
