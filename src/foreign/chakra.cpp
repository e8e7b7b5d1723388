// Reads Chakra traces (chakra.hpp). A node becomes a task. A node may depend on nodes that come later in the file, so
// requirements are resolved at the end.

#include "foreign/chakra.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "foreign/protobuf.hpp"

namespace rondo::chakra {

namespace {

using protobuf::Field;
using protobuf::Fields;
using protobuf::WireType;

/// The types of nodes in et_def.proto.
enum NodeType : std::uint64_t {
  invalid = 0,
  metadata = 1,
  memory_load = 2,
  memory_store = 3,
  computation = 4,
  send_node = 5,
  receive_node = 6,
  collective = 7,
  checkpoint = 10,
};
/// The numbers of the fields of a Node.
enum NodeField : std::uint32_t {
  id_field = 1,
  name_field,
  type_field,
  data_field = 5,
  duration_field = 7,
  inputs_field = 8,
  attribute_field = 10
};

/// The resources of a rank, each of which does one calculation at a time. `none` is for calculations that take no time;
/// nothing waits for them.
enum Processor : std::uint8_t { cpu = 0, accelerator = 1, memory = 2, none = 3 };

constexpr std::uint64_t most_amount = std::numeric_limits<std::int64_t>::max();
/// GOAL has 32 bits for a tag, and the greatest number of 32 bits means "any tag".
constexpr std::uint64_t most_tag = 0xffff'fffe;
constexpr std::uint64_t nanoseconds = 1000;  ///< of a microsecond

/// The value of an attribute.
struct Number {
  std::uint64_t amount = 0;
  bool negative = false;
  bool is_integer = true;

  std::string text() const {
    if (!is_integer) return "a value of another type";
    return fmt::format("{}{}", negative ? "-" : "", amount);
  }
};

Number signed_number(std::int64_t value) {
  auto const bits = static_cast<std::uint64_t>(value);
  return value < 0 ? Number{0 - bits, true} : Number{bits};
}

std::int64_t unzigzag(std::uint64_t value) { return static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1))); }

/// The value of an attribute, if it is an integer of any of the format's types.
Number number_of(Field const& field) {
  constexpr std::array<WireType, 11> types{WireType::varint,  WireType::varint,  WireType::varint,  WireType::varint,
                                           WireType::varint,  WireType::varint,  WireType::fixed32, WireType::fixed64,
                                           WireType::fixed32, WireType::fixed64, WireType::varint};
  std::uint32_t const kind = (field.number - 7) / 2;
  bool const is_integer = field.number >= 7 && field.number % 2 == 1 && kind < types.size();
  if (!is_integer || types[kind] != field.type) return {0, false, false};
  switch (field.number) {
    case 7:
      return signed_number(static_cast<std::int32_t>(field.value));
    case 9:
    case 25:
      return signed_number(static_cast<std::int64_t>(field.value));
    case 15:
    case 17:
      return signed_number(unzigzag(field.value));
    case 23:
      return signed_number(static_cast<std::int32_t>(field.value));
    default:
      return {field.value};
  }
}

/// A node with the fields that its message sets.
struct Node {
  std::uint64_t id = 0, type = 0, duration = 0;
  std::string_view name;
  std::vector<std::uint64_t> on;
  std::string_view inputs;
  std::optional<Number> size, source, target, tag, on_cpu, collective;
  std::optional<std::string> group;
};

/// Reads the trace of one rank and adds its tasks to the graph.
class RankReader {
 public:
  RankReader(TaskGraph& graph, std::string const& name, int ranks, Collectives& collectives)
      : graph_(graph), name_(name), ranks_(ranks), rank_(graph.ranks()), collectives_(collectives) {}

  /// Reads the messages of one rank's file.
  void run(std::string_view bytes) {
    Fields messages(bytes, 0, name_);
    if (bytes.starts_with("\x1f\x8b")) messages.fail(0, "expected a trace as it is, got one that gzip has packed");
    read_head(messages);
    while (messages.more()) add(node_of(messages.message()));
    resolve();
    graph_.first.push_back(static_cast<std::uint32_t>(graph_.tasks.size()));
  }

 private:
  struct Dependency {
    std::uint32_t task = 0;
    std::uint64_t on = 0;
  };

  [[noreturn]] void fail(Node const& node, std::string const& what) const {
    throw InputError(fmt::format("{}: node {} (\"{}\"): {}", name_, node.id, excerpt(node.name), what));
  }

  /// Checks the head of a trace: GlobalMetadata has only texts, whereas a Node begins with a number, its id.
  void read_head(Fields& messages) const {
    if (!messages.more())
      messages.fail(0, "expected GlobalMetadata, which a trace begins with, got the end of the file");
    Field const head = messages.message();
    Fields fields(head, name_);
    while (fields.more()) {
      Field const field = fields.field();
      if ((field.number == 1 || field.number == 2) && field.type != WireType::bytes) {
        messages.fail(head.at, "expected GlobalMetadata, which a trace begins with, got another message");
      }
    }
  }

  Node node_of(Field const& message) const {
    Node node;
    Fields fields(message, name_);
    while (fields.more()) read_field(node, fields.field());
    std::sort(node.on.begin(), node.on.end());
    node.on.erase(std::unique(node.on.begin(), node.on.end()), node.on.end());
    return node;
  }

  void read_field(Node& node, Field const& field) const {
    switch (field.number) {
      case id_field:
        node.id = varint_of(field, name_, "the id of a node");
        break;
      case name_field:
        node.name = text_of(field, name_, "the name of a node");
        break;
      case type_field:
        node.type = varint_of(field, name_, "the type of a node");
        break;
      // Control dependencies (4) hold no node back here, as in Chakra's own feeder. Converters write the surrounding
      // call there, which ends after the node itself, and nodes that are not in the file.
      case data_field:
        read_dependencies(node, field);
        break;
      case duration_field:
        node.duration = varint_of(field, name_, "the duration of a node");
        break;
      case inputs_field:
        read_inputs(node, field);
        break;
      case attribute_field:
        read_attribute(node, field);
        break;
      default:
        break;
    }
  }

  /// Writers may pack the ids of a list into one field, or repeat the field.
  void read_dependencies(Node& node, Field const& field) const {
    if (field.type != WireType::bytes) {
      node.on.push_back(varint_of(field, name_, "the id of a node that is waited for"));
      return;
    }
    Fields packed(field, name_);
    while (packed.more()) node.on.push_back(packed.varint());
  }

  /// Takes the values of a node's inputs as a text.
  void read_inputs(Node& node, Field const& field) const {
    static_cast<void>(text_of(field, name_, "the inputs of a node"));
    Fields fields(field, name_);
    while (fields.more()) {
      Field const each = fields.field();
      if (each.number == 1) node.inputs = text_of(each, name_, "the values of inputs");
    }
  }

  /// Reads an attribute: a name and a value.
  void read_attribute(Node& node, Field const& field) const {
    static_cast<void>(text_of(field, name_, "an attribute"));
    std::string_view name;
    Number value;
    value.is_integer = false;
    Fields fields(field, name_);
    while (fields.more()) {
      Field const each = fields.field();
      if (each.number == 1) name = text_of(each, name_, "the name of an attribute");
      if (each.number > 2) value = number_of(each);
      if (name == "pg_name" && each.number == 29) node.group = text_of(each, name_, "the name of a process group");
    }
    if (name == "comm_size") node.size = value;
    if (name == "comm_src") node.source = value;
    if (name == "comm_dst") node.target = value;
    if (name == "comm_tag") node.tag = value;
    if (name == "is_cpu_op") node.on_cpu = value;
    if (name == "comm_type") node.collective = value;
  }

  /// Adds the task of a node.
  void add(Node const& node) {
    std::uint32_t const task = next_task(graph_);
    if (!tasks_.try_emplace(node.id, task).second) fail(node, "expected an id of its own, another node has the same");
    graph_.tasks.push_back(task_of(node));
    if (node.type == collective && node.collective) add_collective(node, task);
    if (node.type == metadata && node.inputs.find("pg_name") != std::string_view::npos) {
      collectives_.groups.emplace_back(node.inputs);
    }
    graph_.lines.nodes.push_back(node.id);
    for (std::uint64_t const on : node.on) dependencies_.push_back({task, on});
  }

  void add_collective(Node const& node, std::uint32_t task) const {
    constexpr std::uint64_t barrier = 9;
    CollectiveNode each{rank_, task};
    each.type = wanted(node, node.collective, "comm_type", barrier);
    bool const is_empty = each.type == barrier && !node.size;
    each.bytes = is_empty ? 0 : static_cast<std::int64_t>(wanted(node, node.size, "comm_size", most_amount));
    each.group = node.group;
    collectives_.nodes.push_back(std::move(each));
  }

  Task task_of(Node const& node) const {
    switch (node.type) {
      case invalid:
      case metadata:
        return {.cpu = none};
      case computation:
        return {.cpu = is_on_cpu(node) ? cpu : accelerator, .amount = duration_of(node)};
      case send_node:
        return transfer(node, TaskKind::send, node.target, "comm_dst", node.source, "comm_src");
      case receive_node:
        return transfer(node, TaskKind::receive, node.source, "comm_src", node.target, "comm_dst");
      case collective:
        if (node.collective) return {.cpu = none};
        return {.cpu = is_on_cpu(node) ? cpu : accelerator, .amount = duration_of(node)};
      default:
        if (node.type > checkpoint) {
          fail(node, fmt::format("expected the type of a node, a number from 0 to {}, got {}",
                                 static_cast<int>(checkpoint), node.type));
        }
        return {.cpu = memory, .amount = duration_of(node)};
    }
  }

  /// A node without this attribute runs on the CPU, as in ASTRA-sim's feeder.
  bool is_on_cpu(Node const& node) const { return !node.on_cpu || wanted(node, node.on_cpu, "is_cpu_op", 1) == 1; }

  /// Traces count microseconds, task graphs nanoseconds.
  std::int64_t duration_of(Node const& node) const {
    if (node.duration > most_amount / nanoseconds) {
      fail(node, fmt::format("duration_micros: expected at most {}, got {}", most_amount / nanoseconds, node.duration));
    }
    return static_cast<std::int64_t>(node.duration * nanoseconds);
  }

  /// An integer within its range. Throws InputError with the name of the attribute.
  std::uint64_t wanted(Node const& node, std::optional<Number> const& value, char const* what,
                       std::uint64_t most) const {
    bool const fits = value && value->is_integer && !value->negative && value->amount <= most;
    if (fits) return value->amount;
    fail(node, fmt::format("{}: expected an integer from 0 to {}, got {}", what, most, value ? value->text() : "none"));
  }

  /// The task of a send or a receive. If the trace names the rank itself too, it must be this rank.
  Task transfer(Node const& node, TaskKind kind, std::optional<Number> const& peer, char const* peer_name,
                std::optional<Number> const& self, char const* self_name) const {
    auto const last = static_cast<std::uint64_t>(ranks_ - 1);
    Task task{.kind = kind};
    task.peer = static_cast<std::int32_t>(wanted(node, peer, peer_name, last));
    task.amount = static_cast<std::int64_t>(wanted(node, node.size, "comm_size", most_amount));
    if (node.tag) task.tag = static_cast<std::uint32_t>(wanted(node, node.tag, "comm_tag", most_tag));
    if (self && wanted(node, self, self_name, last) != static_cast<std::uint64_t>(rank_)) {
      fail(node, fmt::format("{}: expected {}, the rank that the trace is of, got {}", self_name, rank_, self->text()));
    }
    return task;
  }

  /// Enters the dependencies after all nodes have been read, because a node may stand before those that it depends on.
  void resolve() {
    for (Dependency const& each : dependencies_) {
      auto const found = tasks_.find(each.on);
      if (found == tasks_.end()) {
        throw InputError(
            fmt::format("{}: node {}: expected to wait for nodes of the file, it waits for {}, which is none", name_,
                        graph_.lines.nodes[each.task], each.on));
      }
      graph_.requirements.push_back({each.task, found->second, Until::finish});
    }
  }

  TaskGraph& graph_;
  std::string const& name_;
  int ranks_;
  int rank_;
  Collectives& collectives_;
  std::unordered_map<std::uint64_t, std::uint32_t> tasks_;
  std::vector<Dependency> dependencies_;
};

}  // namespace

void add_rank(TaskGraph& graph, std::string_view bytes, std::string const& name, int ranks, Collectives& collectives) {
  RankReader(graph, name, ranks, collectives).run(bytes);
}

}  // namespace rondo::chakra
