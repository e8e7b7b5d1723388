// The keys of a machine, except those of its topology (topology.cpp). The parameters of LogGP follow LogGOPSim's names
// (L, o, g, G, O, S); flow timing has its own costs of CPUs.

#include "scenario/arrival_and_noise.hpp"
#include "scenario/enum_names.hpp"
#include "scenario/machine.hpp"

namespace rondo::scenario {

template <>
LogGp usual() {
  LogGp usual{};
  usual.S = Bytes(65535);
  return usual;
}

namespace {

std::vector<std::string> read_lines(Place const& lines) {
  if (lines.value.is_string()) return {lines.text()};
  return lines.value.get<std::vector<std::string>>();
}

Placement read_placement(Place const& placement) {
  if (placement.value.is_array()) return ListPlacement{placement.integers()};
  if (placement.text() == "cyclic") return CyclicPlacement{};
  return BlockPlacement{};
}

Form<std::vector<std::string>> source_form() {
  return {{{"type", {"string", "array"}}, {"title", "a string or a list of strings"}, {"items", {{"type", "string"}}}},
          read_lines};
}

/// Ranges of message sizes with a latency and a bandwidth each, as protocols of MPI libraries cause them.
Form<std::vector<SizePiece>> pieces_form() {
  Form<SizePiece> piece = object(
      R"(an object such as {"up_to": "8KiB", "latency": "1us", "bandwidth": "5GBps"})",
      Table<SizePiece>{
          key("up_to", &SizePiece::up_to, any_size("8KiB"), "the largest payload of the piece", Need::required),
          key("latency", &SizePiece::latency, time("1us"), "the latency of messages of this size", Need::required),
          key("bandwidth", &SizePiece::bandwidth, bandwidth("1GBps"),
              "the bandwidth of a message of this size, at most that of the machine", Need::required)});
  piece.schema.erase("description");
  return {
      {{"type", "array"}, {"title", "a list of pieces"}, {"minItems", 1}, {"maxItems", 32}, {"items", piece.schema}},
      [read = piece.read](Place const& list) {
        std::vector<SizePiece> pieces;
        for (int i = 0; i < std::ssize(list.value); ++i) pieces.push_back(read(list.item(i)));
        return pieces;
      }};
}

Form<Placement> placement_form() {
  return {json_of(R"json({
            "type": ["string", "array"], "title": "\"block\", \"cyclic\" or a list of hosts",
            "allOf": [{"if": {"type": "string"}, "then": {"enum": ["block", "cyclic"]}}],
            "items": {"type": "integer", "minimum": 0, "maximum": 16777215}
          })json"),
          read_placement};
}

/// The connection between the ranks of a host.
Form<Island> island_form() {
  auto const kind = [](IslandKind kind, std::string const& description, std::string const& meaning) {
    return variety<Island, Island>(enum_name(kind), description,
                                   {key("bandwidth", &Island::bandwidth, bandwidth("300GBps"),
                                        meaning + "; a message uses at most intra_bandwidth", Need::required)},
                                   [kind](Island& island, Place const& /*place*/) { island.kind = kind; });
  };
  return one_of<Island>(
      R"(an object such as {"kind": "switch", "bandwidth": "300GBps"})",
      "the connection between the ranks of a host; a memory of intra_bandwidth by default",
      {kind(IslandKind::memory, "a memory, whose bandwidth messages share only under flow timing",
            "the bandwidth of the memory"),
       kind(IslandKind::central_switch, "a switch, with a link from each rank and a link to each rank",
            "the bandwidth of each link"),
       kind(IslandKind::links, "a link for each ordered pair of ranks", "the bandwidth of each link")});
}

/// The disk of each host.
Form<Disk> disk_form() {
  return object(R"(an object such as {"read": "2GBps", "write": "1GBps"})",
                Table<Disk>{
                    key("read", &Disk::read, bandwidth("2GBps"), "the bandwidth of reads", Need::required),
                    key("write", &Disk::write, bandwidth("1GBps"), "the bandwidth of writes", Need::required),
                    key("latency", &Disk::latency, time("100us"), "the time added to each call that reads or writes"),
                });
}

/// The costs of CPUs under flow timing.
Form<FlowCosts> flow_form() {
  Form<Bytes> eager = any_size("8KiB");
  eager.read = [](Place const& place) {
    Bytes const size = place.unit(parse_bytes);
    if (size <= Bytes(std::int64_t{1} << 30)) return size;
    throw place.error("expected a size of at most 1GiB, got " + shown(place.value));
  };
  return object(
      R"(an object such as {"o_send": "300ns"})",
      Table<FlowCosts>{
          key("o_send", &FlowCosts::o_send, time("300ns"), "the CPU time of a send, before its message starts"),
          key("o_recv", &FlowCosts::o_recv, time("300ns"), "the CPU time of a receive, after its message has arrived"),
          key("match", &FlowCosts::match, time("10ns"),
              "the CPU time of each queue entry that an arriving message or a posted receive compares"),
          key("eager", &FlowCosts::eager, eager,
              "the size up to which a message does not wait for its receive; {} by default, at most \"1GiB\""),
          key("ack", &FlowCosts::ack, flag(),
              "whether a synchronous send of a sparse exchange ends one start-up after its receive"),
          key("handshake", &FlowCosts::handshake, time("2us"),
              "the time added to the start-up of messages larger than eager")});
}

/// The parameters of LogGP.
Form<LogGp> loggp_form() {
  return object(
      R"(an object such as {"L": "5us", "o": "1us", "g": "2us", "G": "0.4ns/B"})",
      Table<LogGp>{
          key("L", &LogGp::L, time("2500ns"), "the time from the end of a send's o to the arrival of its first byte",
              Need::required),
          key("o", &LogGp::o, time("1500ns"), "the CPU time of each send and each receive", Need::required),
          key("g", &LogGp::g, time("1us"), "the NIC time of each message, at both ends", Need::required),
          key("G", &LogGp::G, time_per_byte("6ns/B"), "the NIC time of each byte after the first", Need::required),
          key("O", &LogGp::O, time_per_byte("1ns/B"), "the CPU time of each byte after the first"),
          key("S", &LogGp::S, any_size("64KiB"), "the size up to which a sender does not wait for its receiver")});
}

/// The keys of routes, which exist on topologies with several routes between hosts.
Table<Routing> routing_keys() {
  return {
      key("routing", &Routing::rule, word<RoutingRule>(),
          "the routes on a topology with several ways: minimal (one shortest route; by default), valiant (through a "
          "random host), ecmp (a random shortest route), ugal (minimal or valiant, whichever has less load when a "
          "message starts); for each pair of hosts"),
      key("routing_seed", &Routing::seed, seed(), "the seed of random routes"),
      key<Routing>("failed_links", json_of(R"json({
            "type": ["array", "object"], "title": "a list of pairs of routers or an object with a fraction",
            "items": {"type": "array", "title": "a pair of routers", "minItems": 2, "maxItems": 2,
                      "items": {"type": "integer", "minimum": 0, "maximum": 2147483647}},
            "required": ["fraction"], "additionalProperties": false,
            "properties": {
              "fraction": {"type": "number", "minimum": 0, "maximum": 1,
                           "description": "the share of all links between routers"},
              "seed": {"type": "integer", "minimum": 0,
                       "description": "the seed that selects the links; 0 by default"}}
          })json"),
                   "links between routers that carry nothing, in both directions. Routes avoid them; none by default"),
  };
}

/// How hosts reach each other, and what messages cost.
Table<Platform> network_keys() {
  return {
      key("topology", &Platform::topology, topology_form(), "", Need::required),
      key("source", &Platform::source, source_form(), "the origin of the machine's numbers"),
      key("latency", &Platform::latency, without_default(time("1us")), "alpha: the time of a message without bytes"),
      key("hop_latency", &Platform::hop_latency, time("100ns"),
          "the time added for each link of a route after the first"),
      key("bandwidth", &Platform::bandwidth, without_default(bandwidth("1GBps")),
          "1/beta: the bytes per second of each port"),
      key("pieces", &Platform::pieces, pieces_form(),
          "latency and bandwidth of messages between hosts, by ranges of sizes, smallest first. Larger messages use "
          "the "
          "machine's values."),
      key("ports", &Platform::ports, integer(1, 1048576),
          "how many sends, and how many receives, a rank can do at the same time"),
  };
}

/// The ranks and the inside of hosts.
Table<Platform> host_keys() {
  return {
      key("ranks_per_host", &Platform::ranks_per_host, integer(1, 1048576),
          "the ranks of a host. They share its NIC, which has ports * bandwidth"),
      key("placement", &Platform::placement, placement_form(),
          "the host of each rank: rank / ranks_per_host (block, by default), rank mod hosts, or as listed"),
      key("intra_latency", &Platform::intra_latency, time("200ns"),
          "alpha between ranks of one host; latency by default"),
      key("intra_bandwidth", &Platform::intra_bandwidth, bandwidth("4GBps"),
          "1/beta between ranks of one host, which do not use its NIC; bandwidth by default"),
      key("nics", &Platform::nics, integer(1, 256),
          "the NICs of a host, each with ports * bandwidth in each direction"),
      key("nic_of", &Platform::nic_of, word<NicRule>(),
          "the NIC that rank i of the n ranks of a host uses: i * nics / n (block, by default), i mod nics (cyclic), "
          "or "
          "all NICs, with a part of each message on each (striped)"),
      key("stripe_from", &Platform::stripe_from, size("64KiB"),
          "the smallest payload that is striped. Smaller messages use the NIC of block"),
      key("rails", &Platform::rails, flag(), "whether each NIC has its own network, a copy of the topology"),
      key("nic_gap", &Platform::nic_gap, time("5ns"),
          "the least time between two messages that pass a NIC, under flow timing; \"0ns\" by default"),
      key("island", &Platform::island, island_form(), ""),
  };
}

/// What links and programs do, and the costs of the timing models.
Table<Platform> timing_keys() {
  return {
      key("neighbors_only", &Platform::neighbors_only, flag(),
          "on a ring, torus or mesh: refuse schedules with messages to ranks that are not neighbors"),
      key("envelope", &Platform::envelope, size("16B"), "the bytes added to every message"),
      key("reduce", &Platform::reduce, time_per_byte("0.2ns/B"),
          "the CPU time of each byte that a reduction joins, under flow timing"),
      key("disk", &Platform::disk, disk_form(),
          "the disk of each host, for MPI-IO of programs. It moves the data of one call at a time; none by default"),
      key("poll", &Platform::poll, time("100ns"), "the time of a probe or test in a program, on the SMPI engine"),
      key("timing", &Platform::timing, word<TimingModel>(),
          "the cost model of a message: linear (alpha + beta * n, on ports; by default), flow (with CPU time, and "
          "messages that share NICs), or loggp (engine native)"),
      key("flow", &Platform::flow, flow_form(), "the costs of messages under flow timing"),
      key("loggp", &Platform::loggp, loggp_form(),
          "the parameters of loggp timing, instead of latencies, bandwidths and ports"),
      key("noise", &Platform::noise, noise_form(),
          "random times that are added to works and latencies; {} adds none, for a sweep of the whole object"),
  };
}

}  // namespace

/// All keys, in the order of the schema. `links` comes between hosts and routes.
Table<Platform> const& machine_keys() {
  static Table<Platform> const table =
      network_keys() + host_keys() +
      Table<Platform>{key("links", &Platform::links, word<LinkSharing>(),
                          "whether messages that use the same link share its bandwidth"),
                      key("link_bandwidth", &Platform::link_bandwidth, bandwidth("4GBps"),
                          "the bandwidth of each cable of a shared link; bandwidth by default")} +
      within(&Platform::routing, routing_keys()) + timing_keys();
  return table;
}

/// The schema. Some keys require others, which depends on the timing model.
Json machine_schema() {
  Json const keys = object_of("", texts_of(machine_keys()));
  Json schema = json_of(R"json({
    "type": ["object", "string"],
    "title": "an object, or the name of a file that holds one",
    "description": "the machine, or the name of a file with such an object, relative to the scenario's folder",
    "required": [],
    "additionalProperties": false,
    "properties": {},
    "allOf": [
      {"if": {"properties": {"timing": {"const": "loggp"}}, "required": ["timing"]},
       "then": {"required": ["loggp"]},
       "else": {"allOf": [
         {"if": {"properties": {"topology": {"properties": {"kind": {"const": "file"}}, "required": ["kind"]}}, "required": ["topology"]},
          "then": {},
          "else": {"required": ["latency", "bandwidth"]}}]}}
    ]
  })json");
  schema["required"] = keys["required"];
  schema["properties"] = keys["properties"];
  return schema;
}

}  // namespace rondo::scenario
