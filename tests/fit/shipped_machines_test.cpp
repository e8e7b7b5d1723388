// Every machine that comes with Rondo: in platforms/, in scenarios and in the documentation. On none of them a message
// takes less time for a byte more, by the formula and by the native engine.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "engine/engine.hpp"
#include "folder.hpp"
#include "platform/platform.hpp"
#include "scenario/scenario.hpp"

namespace rondo::fit {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Shipped {
  std::string place;  ///< the file, and the machine's pointer in it
  Platform machine;
};

std::string text_of(fs::path const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A template has "fit 2us" where a machine has "2us"; it is what a fit starts from, and no machine.
bool is_template(json const& machine) { return machine.dump().find("\"fit ") != std::string::npos; }

/// The machines of a value, with their places: what has a topology and is an object.
void append_machines(json const& value, std::string const& place, fs::path const& folder, std::vector<Shipped>& found) {
  if (value.is_object() && value.contains("topology") && value["topology"].is_object() && !is_template(value)) {
    json machine = value;
    if (machine["topology"].contains("path")) {
      fs::path const path = machine["topology"]["path"].get<std::string>();
      if (!fs::exists(folder / path)) return;  // in a document that makes the file by itself
      machine["topology"]["path"] = (folder / path).string();
    }
    rondo::test::Folder const own;
    try {
      found.push_back({place, scenario::load_machine(own.write("m.json", machine.dump()))});
    } catch (std::exception const&) {
      // Parts of a sweep are no machines by themselves, and documents show some that are refused.
    }
  }
  if (value.is_structured()) {
    for (auto const& [key, member] : value.items()) append_machines(member, place + "/" + key, folder, found);
  }
}

/// The JSON in fences of a page of Markdown.
std::vector<std::string> fenced(std::string const& page) {
  std::vector<std::string> texts;
  std::istringstream lines(page);
  std::string line;
  bool inside = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("```")) {
      if (!inside && line.starts_with("```json")) texts.emplace_back();
      inside = !inside && line.starts_with("```json");
    } else if (inside) {
      texts.back() += line + "\n";
    }
  }
  return texts;
}

std::vector<Shipped> shipped() {
  std::vector<Shipped> found;
  fs::path const root = RONDO_SOURCE_DIR;
  for (char const* folder : {"platforms", "scenarios", "docs", "analysis", "python"}) {
    if (!fs::exists(root / folder)) continue;
    for (auto const& entry : fs::recursive_directory_iterator(root / folder)) {
      std::vector<std::string> texts;
      if (entry.path().extension() == ".json") texts = {text_of(entry.path())};
      if (entry.path().extension() == ".md") texts = fenced(text_of(entry.path()));
      for (std::string const& text : texts) {
        json const value = json::parse(text, nullptr, false);
        if (!value.is_discarded()) append_machines(value, entry.path().string(), entry.path().parent_path(), found);
      }
    }
  }
  return found;
}

/// One message from rank 0 to the first rank of another host, received by a rank that waits for it.
Schedule one_message(int ranks, int target, std::int64_t bytes) {
  auto const program = [&](bool sends, bool receives) {
    Layout layout;
    layout.block = Bytes(bytes);
    layout[Buffer::send].slots = layout[Buffer::receive].slots = 1;
    ProgramBuilder builder(layout);
    builder.begin_round();
    Place const from[] = {send_slot(0)};
    Place const into[] = {receive_slot(0)};
    if (sends) builder.send(target, from);
    if (receives) builder.receive(0, into);
    return std::move(builder).finish();
  };
  Schedule schedule;
  schedule.ranks = ranks;
  schedule.programs = {program(false, false), program(true, false), program(false, true)};
  schedule.program_of.assign(static_cast<std::size_t>(ranks), 0);
  schedule.program_of[0] = 1;
  schedule.program_of[static_cast<std::size_t>(target)] = 2;
  schedule.promises.ports = 0;
  return schedule;
}

double engine_time(Platform const& machine, std::int64_t bytes) {
  auto const count = static_cast<int>(ranks(machine));
  int target = 1;
  while (target + 1 < count && host_of(machine, Rank(target)) == host_of(machine, Rank(0))) ++target;
  auto const outcome = simulate_native(one_message(count, target, bytes), machine, {});
  if (!outcome.result) ADD_FAILURE() << outcome.error;
  return outcome.result ? outcome.result->makespan.value : 0;
}

/// The sizes at which something changes: the ends of pieces, of what is sent without its receiver, and of buffers.
std::set<std::int64_t> boundaries(Platform const& machine) {
  std::set<std::int64_t> sizes = {1, 1023};
  for (SizePiece const& piece : machine.pieces) sizes.insert(piece.up_to.value);
  if (machine.timing == TimingModel::flow) sizes.insert(machine.flow.eager.value);
  if (machine.timing == TimingModel::loggp) sizes.insert(machine.loggp.S.value);
  return sizes;
}

TEST(ShippedMachines, never_let_a_byte_more_take_less_time) {
  std::vector<Shipped> const all = shipped();
  int with_pieces = 0;
  for (auto const& [place, machine] : all) {
    EXPECT_TRUE(falling_times(machine).empty()) << place;
    with_pieces += machine.pieces.empty() ? 0 : 1;
    if (std::holds_alternative<PlatformFile>(machine.topology) || ranks(machine) < 2) continue;
    for (std::int64_t const last : boundaries(machine)) {
      if (last > std::int64_t{1} << 40) continue;
      double const time = engine_time(machine, last), behind = engine_time(machine, last + 1);
      EXPECT_GE(behind, time * (1 - 1e-12)) << place << ": " << last << " B";
    }
  }
  EXPECT_GE(all.size(), 100U);
  EXPECT_GE(with_pieces, 5);  // the measured ones
}

TEST(ShippedMachines, falling_times_are_those_that_the_engine_has) {
  Platform machine;  // Leonardo as version 0.3.0 had it
  machine.topology = FullyConnected{2};
  machine.timing = TimingModel::flow;
  machine.latency = Seconds(5.959e-6);
  machine.bandwidth = BytesPerSecond(15.34e9);
  machine.pieces = {{Bytes(16384), Seconds(4.004e-6), BytesPerSecond(7.277e9)},
                    {Bytes(131072), Seconds(2.483e-6), BytesPerSecond(5.158e9)},
                    {Bytes(1048576), Seconds(4.856e-6), BytesPerSecond(15.34e9)}};
  machine.flow = {.o_send = Seconds(0.1602e-6), .o_recv = Seconds(0.1602e-6), .eager = Bytes(8192)};
  auto const found = falling_times(machine);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].last, Bytes(16384));
  EXPECT_EQ(found[1].last, Bytes(131072));
  EXPECT_NEAR(found[1].time.value, 28.2e-6, 0.05e-6);  // by hand: 0.3204 + 2.483 + 131072/5158 us
  EXPECT_NEAR(found[1].behind.value, 13.7e-6, 0.05e-6);
  for (FallingTime const& each : found) {
    EXPECT_NEAR(engine_time(machine, each.last.value) / each.time.value, 1, 1e-9);
    EXPECT_NEAR(engine_time(machine, each.last.value + 1) / each.behind.value, 1, 1e-9);
  }
}

}  // namespace
}  // namespace rondo::fit
