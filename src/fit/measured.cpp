// Reads the rows of rondo-measure. The times of messages contain the CPU times of the calls. These were measured
// separately, and are subtracted before the network is fitted. The bandwidth that several messages share is fitted to
// their times by the loss that forgives outliers.

#include "fit/measured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "fit/lines.hpp"
#include "fit/robust.hpp"

namespace rondo::fit {
namespace {

/// One size, and the bandwidth of a message of it alone.
struct OneSize {
  double bytes, alone;
  double start;  ///< the time of a message without its bytes

  double time(double pairs, double shared) const { return start + bytes * std::max(1 / alone, pairs / shared); }
  /// The shared bandwidth by which a row takes its time.
  double shared_in(PairsTime const& row) const {
    double const pairs = static_cast<double>(row.pairs);
    double const flowing = row.time.value - start;
    double const most = pairs * alone;
    return flowing > 0 ? std::clamp(pairs * bytes / flowing, alone, most) : most;
  }
};

double loss(OneSize const& size, std::vector<PairsTime> const& rows, double shared) {
  double sum = 0;
  for (PairsTime const& row : rows) {
    sum += robust_loss(std::log(size.time(static_cast<double>(row.pairs), shared) / row.time.value));
  }
  return sum;
}

/// The bandwidth C that P messages of n bytes share. They take a + n max(1/b, P/C), where b is the bandwidth of one
/// message alone, which takes a + n/b. C is the one of the values that single rows give, from b to P b, that meets all
/// rows best (fit/robust.hpp). `rows` have one size. They must include the row of one pair and a row of several.
SharedBandwidth shared_bandwidth(std::vector<PairsTime> const& rows, BytesPerSecond alone) {
  auto const one = std::ranges::find(rows, 1, &PairsTime::pairs);
  double const bytes = static_cast<double>(one->bytes);
  // At most the whole time is the bytes', whatever other rows say of the bandwidth.
  double const bandwidth = std::max(alone.value, bytes / one->time.value);
  OneSize const size{bytes, bandwidth, one->time.value - bytes / bandwidth};
  double best = 0, least = HUGE_VAL;
  for (PairsTime const& row : rows) {
    if (row.pairs == 1) continue;
    double const shared = size.shared_in(row), here = loss(size, rows, shared);
    if (here < least) best = shared, least = here;
  }
  SharedBandwidth result{BytesPerSecond(best)};
  for (PairsTime const& row : rows) {
    double const pairs = static_cast<double>(row.pairs);
    // A difference of less than 5 % is no sign of sharing.
    result.filled = result.filled || best < 0.95 * pairs * bandwidth;
    result.worst_error = std::max(result.worst_error, std::abs(size.time(pairs, best) / row.time.value - 1));
  }
  return result;
}

using Json = nlohmann::ordered_json;

constexpr std::string_view header = "measured,ranks,bytes,algorithm,us";

/// Adds the time of messages at once between pairs of ranks. The file has the number of ranks, two for each pair.
void add_pairs(Cell const& ranks, std::int64_t bytes, Seconds time, Place const& place, std::vector<PairsTime>& rows) {
  rows.push_back({count_of(ranks, "a number of ranks", 2, place) / 2, bytes, time});
}

/// Reads one line after the header. Lines of collectives are checked but not kept, because no machine follows from
/// them. Throws InputError for an unknown measurement, and unless the time is greater than 0.
void read_row(Line const& line, std::string const& file, Measured& result) {
  Place const place{file, line.number};
  auto const cells = cells_of(line.text, ',');
  if (cells.size() != 5) place.refuse(fmt::format("5 cells as in {}", header), fmt::format("{}", cells.size()));
  std::int64_t const bytes = count_of(cells[2], "a size in bytes", 0, place);
  Seconds const time(1e-6 * number_of(cells[4], "a time", place));
  if (time <= Seconds(0)) place.refuse(cells[4], "a time of more than 0");
  constexpr std::string_view known[] = {"between", "inside",  "pairs", "inside_pairs", "post",      "take",
                                        "join",    "barrier", "bcast", "allreduce",    "allgather", "alltoall"};
  std::string_view const what = cells[0].text;
  if (std::ranges::find(known, what) == std::end(known)) {
    place.refuse(cells[0], "a measurement of rondo-measure, such as between or inside");
  }
  if (what == "between") result.between.all.push_back({bytes, time});
  if (what == "inside") result.inside.all.push_back({bytes, time});
  if (what == "pairs") add_pairs(cells[1], bytes, time, place, result.pairs);
  if (what == "inside_pairs") add_pairs(cells[1], bytes, time, place, result.inside_pairs);
  if (what == "post") result.post = time;
  if (what == "take") result.take = time;
  if (what == "join" && bytes > 0) result.join = time.value / static_cast<double>(bytes);
}

/// Whether the samples have at least two sizes, as a fit of latency and bandwidth needs. False if there are none.
bool has_two_sizes(Samples const& samples) {
  return std::ranges::any_of(samples.all, [&](Sample const& each) { return each.bytes != samples.all.front().bytes; });
}

/// The samples minus the CPU times at both ends; nothing if some sample is not longer than these times.
std::optional<Samples> without_calls(Samples samples, Seconds calls) {
  for (Sample& each : samples.all) {
    each.time = each.time - calls;
    if (each.time <= Seconds(0)) return std::nullopt;
  }
  return samples;
}

std::string text_of(Seconds time) { return print(Seconds(in_four_digits(time.value))); }
std::string text_of(BytesPerSecond bandwidth) { return print(BytesPerSecond(in_four_digits(bandwidth.value))); }

/// The rows with the largest message size. None unless one of these rows has a single pair and another has several.
std::vector<PairsTime> of_largest(std::vector<PairsTime> rows) {
  if (rows.empty()) return rows;
  std::int64_t const largest = std::ranges::max(rows, {}, &PairsTime::bytes).bytes;
  std::erase_if(rows, [&](PairsTime const& each) { return each.bytes != largest; });
  auto const [least, most] = std::ranges::minmax(rows, {}, &PairsTime::pairs);
  if (least.pairs != 1 || most.pairs == 1) rows.clear();
  return rows;
}

/// The result of the fit as a sentence for /machine/source. `what` is the part that the messages share.
std::string sentence(SharedBandwidth const& shared, std::vector<PairsTime> const& rows, char const* what) {
  std::int64_t const most = std::ranges::max(rows, {}, &PairsTime::pairs).pairs;
  std::string const size = print(Bytes(rows.front().bytes)), bandwidth = text_of(shared.value);
  if (!shared.filled) {
    return fmt::format("{} messages of {} at once did not fill {}: it carries at least {}.", most, size, what,
                       bandwidth);
  }
  return fmt::format("By up to {} messages of {} at once, {} carries {}; the times are met within {:.1f} %.", most,
                     size, what, bandwidth, 100 * shared.worst_error);
}

/// The bandwidth of a message of this size between hosts: that of the first piece that includes the size, else the
/// machine's.
std::string bandwidth_of(Json const& machine, std::int64_t bytes) {
  for (Json const& piece : machine.value("pieces", Json::array())) {
    if (bytes <= parse_bytes(piece["up_to"].get<std::string>()).value) return piece["bandwidth"];
  }
  return machine["bandwidth"];
}

/// Gives the NIC the bandwidth that all messages share, and keeps that of a single message in a piece for all sizes. If
/// the messages together are no faster than a single one, only the source gets a sentence.
void set_nic(Json& machine, std::vector<PairsTime> const& rows, std::vector<std::string>& source) {
  SharedBandwidth const nic = shared_bandwidth(rows, parse_bandwidth(bandwidth_of(machine, rows.front().bytes)));
  source.push_back(sentence(nic, rows, "the NIC"));
  std::string const of_messages = machine["bandwidth"];
  if (parse_bandwidth(text_of(nic.value)) <= parse_bandwidth(of_messages)) return;
  Json& pieces = machine["pieces"];
  std::string const all_sizes = print(Bytes(largest_message));
  if (pieces.empty() || pieces.back()["up_to"] != all_sizes) {
    pieces.push_back({{"up_to", all_sizes}, {"latency", machine["latency"]}, {"bandwidth", of_messages}});
  }
  // The default of intra_bandwidth is that of the NIC.
  if (!machine.contains("intra_bandwidth")) machine["intra_bandwidth"] = of_messages;
  machine["bandwidth"] = text_of(nic.value);
}

/// Gives a host a memory that all of its messages share. The machine must have an intra_bandwidth.
void set_memory(Json& machine, std::vector<PairsTime> const& rows, std::vector<std::string>& source) {
  SharedBandwidth const memory = shared_bandwidth(rows, parse_bandwidth(machine["intra_bandwidth"].get<std::string>()));
  source.push_back(sentence(memory, rows, "the memory of a host"));
  machine["island"] = {{"kind", "memory"}, {"bandwidth", text_of(memory.value)}};
}

}  // namespace

bool is_measured(std::string_view text) {
  return std::ranges::any_of(lines_of(text), [](Line const& line) { return line.text == header; });
}

Measured read_measured(std::string_view text, std::string const& file) {
  Measured result;
  bool begun = false;
  for (Line const& line : lines_of(text)) {
    if (line.text == header) begun = true;
    if (!begun || line.text == header || line.text.starts_with('#') || fields_of(line.text).empty()) continue;
    read_row(line, file, result);
  }
  if (has_two_sizes(result.between) || has_two_sizes(result.inside)) return result;
  throw InputError(
      fmt::format("{}: expected messages \"between\" hosts or \"inside\" one, of at least two sizes, got none", file));
}

FittedMachine fit_measured(Measured const& measured, Origin const& origin) {
  bool const between = has_two_sizes(measured.between);
  bool const within = between && has_two_sizes(measured.inside);
  Samples const& messages = between ? measured.between : measured.inside;
  std::optional<Samples> rest, inside_rest;
  if (measured.post && measured.take) {
    rest = without_calls(messages, *measured.post + *measured.take);
    if (within) inside_rest = without_calls(measured.inside, *measured.post + *measured.take);
    if (within && !inside_rest) rest.reset();
  }
  FittedMachine result = fit_linear(rest ? *rest : messages, origin);
  Json machine = Json::parse(result.json);
  machine["timing"] = "flow";
  if (rest) machine["flow"] = {{"o_send", text_of(*measured.post)}, {"o_recv", text_of(*measured.take)}};
  if (measured.join) machine["reduce"] = fmt::format("{}ns/B", in_four_digits(1e9 * *measured.join));
  if (!between) result.source.push_back("All ranks shared a host: these are messages within it.");
  if (measured.post && measured.take && !rest) {
    result.source.push_back("Calls took longer than the fastest message: o_send and o_recv are left out.");
  }
  if (within) {
    FittedMachine const inside = fit_one_piece(rest ? *inside_rest : measured.inside, origin);
    Json const memory = Json::parse(inside.json);
    machine["intra_latency"] = memory["latency"];
    machine["intra_bandwidth"] = memory["bandwidth"];
    result.source.push_back("Within a host: " + inside.source.at(1));
  }
  auto const pairs = of_largest(measured.pairs), inside_pairs = of_largest(measured.inside_pairs);
  if (between && !pairs.empty()) set_nic(machine, pairs, result.source);
  if (within && !inside_pairs.empty()) set_memory(machine, inside_pairs, result.source);
  if (!between && !inside_pairs.empty()) {
    result.source.push_back("Each rank of the machine has a host: the times of several messages at once are not used.");
  }
  machine["source"] = result.source;
  result.json = machine.dump(2) + "\n";
  return result;
}

}  // namespace rondo::fit
