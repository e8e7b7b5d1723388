#include "run/points/record.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "run/families.hpp"
#include "run/points/fields.hpp"

namespace rondo {
namespace {

char const* const collective =
    R"({"kind": "neighbor_allgather", "graph": {"kind": "edges", "ranks": 2, "edges": [[0, 1]]}})";

TEST(Record, has_the_same_names_in_json_and_csv_with_dots_for_nesting) {
  EXPECT_EQ(
      csv_header(),
      "scenario,point,points,collective,algorithm,engine,timing,posting,routing,failed_links,p,block_bytes,rounds,"
      "volume_blocks,volume_"
      "bytes,"
      "messages,"
      "time_s,critical_blocks,total_blocks,received_blocks,redundant_blocks,max_link_bytes,mean_link_bytes,global_link_"
      "bytes,load_time_s,theory.rounds,theory.volume_blocks,"
      "theory.volume_bytes,theory.critical_blocks,theory.total_blocks,theory.received_blocks,theory.messages,"
      "theory.time_s,theory.data_messages,theory.ack_messages,theory.barrier_messages,theory.memory_bytes,"
      "theory.accounted,bound.rounds,"
      "bound.volume_blocks,bound.volume_bytes,bound.critical_blocks,bound.total_blocks,"
      "bound.received_blocks,bound.messages,bound.time_s,bound.volume_in_rounds,bound.links,bound.message_blocks,gap."
      "rounds,gap.volume,"
      "optimal,"
      "delivered,violations,proof,data_messages,ack_messages,barrier_messages,memory_bytes,exchanges,reductions,"
      "reduction_messages,luby_rounds,members,colors,levels,smallest_part,largest_part,friends,iterations,pairing_"
      "rounds,"
      "pairing_messages,max_sends,savable_messages,setup_wall_s,"
      "setup_time_s,setup_messages,setup_note,build_time_s,first_call_time_s,cumulative,"
      "payload,seed,version,wall_s,error,expanded,needs_buffered_sends,after_last_arrival_s,mean_rank_time_s,bound.by,"
      "bound."
      "cut,steps,replications,time_mean_s,time_p50_s,time_p95_s,time_max_s,jobs");
}

TEST(Record, writes_what_is_absent_as_null_and_as_an_empty_cell) {
  Record const record;
  EXPECT_TRUE(to_json(record)["time_s"].is_null());
  EXPECT_TRUE(to_json(record)["theory"]["rounds"].is_null());
  EXPECT_NE(csv_row(record).find(",,,,"), std::string::npos);
}

TEST(Record, quotes_cells_that_hold_commas_or_quotes) {
  Record record;
  record.error = "a \"b\", c";
  EXPECT_NE(csv_row(record).find(",\"a \"\"b\"\", c\","), std::string::npos);
  std::string const row = csv_row(Record{});
  std::string const header = csv_header();
  EXPECT_EQ(std::ranges::count(row, ','), std::ranges::count(header, ','));
}

TEST(Record, keeps_every_bit_of_a_time) {
  Record record;
  record.time_s = 2.6025999999999998e-05;
  EXPECT_EQ(nlohmann::json::parse(to_json(record).dump())["time_s"].get<double>(), 2.6025999999999998e-05);
}

TEST(Record, is_read_back_as_it_was_written) {
  Record record;
  record.scenario = "s.json";
  record.point = 7;
  record.rounds = 6;
  record.time_s = 2.6025999999999998e-05;
  record.theory.volume_blocks = 54;
  record.bound_links = "unit";
  record.delivered = false;
  record.violation_list = {"a", "b"};
  record.seed = std::uint64_t{1} << 63;
  record.expanded = {{"z", 1}, {"a", {2, 3}}};
  auto const json = to_json(record);
  EXPECT_EQ(to_json(record_of(json)), json);
  EXPECT_EQ(to_json(record_of(nlohmann::ordered_json::parse(json.dump()))).dump(), json.dump());
  EXPECT_EQ(csv_row(record_of(json)), csv_row(record));
}

/// Claims read a field by its name, or by these words, which they had before there was a list of fields.
TEST(Fields, are_read_by_claims_under_these_names) {
  std::set<std::string> names;
  for (Field const& field : fields()) {
    if (field.variable.empty()) continue;
    EXPECT_TRUE(field.number) << field.name;
    EXPECT_TRUE(names.insert(field.variable).second) << field.variable;
  }
  std::set<std::string> const expected = {"rounds",
                                          "time",
                                          "volume",
                                          "critical",
                                          "total",
                                          "received",
                                          "redundant",
                                          "bytes",
                                          "messages",
                                          "max_link_bytes",
                                          "mean_link_bytes",
                                          "global_link_bytes",
                                          "load_time",
                                          "failed_links",
                                          "delivered",
                                          "violations",
                                          "data_messages",
                                          "ack_messages",
                                          "barrier_messages",
                                          "memory",
                                          "exchanges",
                                          "reductions",
                                          "reduction_messages",
                                          "luby_rounds",
                                          "members",
                                          "colors",
                                          "levels",
                                          "smallest_part",
                                          "largest_part",
                                          "theory_messages",
                                          "friends",
                                          "iterations",
                                          "pairing_rounds",
                                          "max_sends",
                                          "pairing_messages",
                                          "savable_messages",
                                          "setup_messages",
                                          "setup_time",
                                          "build_time",
                                          "first_call_time",
                                          "cumulative",
                                          "theory_rounds",
                                          "theory_time",
                                          "theory_volume",
                                          "bound_rounds",
                                          "bound_volume",
                                          "bound_critical",
                                          "bound_total",
                                          "bound_messages",
                                          "bound_time",
                                          "needs_buffered_sends",
                                          "after_last_arrival",
                                          "mean_rank_time",
                                          "replications",
                                          "mean",
                                          "p50",
                                          "p95",
                                          "max"};
  EXPECT_EQ(names, expected);
}

TEST(Fields, say_what_they_are_in_one_row_each) {
  for (Field const& field : fields()) {
    EXPECT_FALSE(field.meaning.empty()) << field.name;
    for (std::string const& cell : {field.name, field.unit, field.meaning, field.absent}) {
      EXPECT_EQ(cell.find_first_of("|\n"), std::string::npos) << field.name;
    }
  }
}

/// What is said never to be null has a value in the barest record that is written, the one of a point that failed.
TEST(Fields, that_are_never_null_have_a_value_where_nothing_ran) {
  Record const record = failed_record(testing::parsed({.collective = collective}, "naive"), "s.json", 1, "why");
  for (Field const& field : fields()) {
    if (field.absent.empty()) {
      EXPECT_FALSE(field.json(record).is_null()) << field.name;
    }
  }
}

/// A field that is given a value is null no more, in its own place and in no other.
TEST(Fields, are_written_and_read_in_their_own_places) {
  std::map<std::string, nlohmann::ordered_json> const samples = {
      {"an integer", 3},          {"a number", 0.5},         {"true or false", true},     {"text", "word"},
      {"a list of texts", {"a"}}, {"an object", {{"a", 1}}}, {"a list of numbers", {0.5}}};
  for (Field const& field : fields()) {
    if (!field.read) continue;
    Record record;
    field.read(record, samples.at(field.type));
    for (Field const& other : fields()) {
      bool const is_same = other.json(record) == other.json(Record{});
      EXPECT_EQ(is_same, other.name != field.name) << field.name << " " << other.name;
    }
    if (field.number) {
      EXPECT_TRUE(field.number(record)) << field.name;
    }
  }
}

TEST(Record, gaps_are_value_over_bound) {
  Record record;
  EXPECT_FALSE(record.gap_rounds());
  record.rounds = 6;
  record.bound.rounds = 3;
  EXPECT_EQ(record.gap_rounds(), 2);
  record.rounds = 0;
  record.bound.rounds = 0;
  EXPECT_EQ(record.gap_rounds(), 1);
}

// 3 bytes against 1 are exactly 3; in blocks of 10 B they are 0.3 / 0.1 = 2.9999999999999996.
TEST(Record, the_gap_of_volumes_is_divided_once) {
  Record record;
  record.volume_bytes = 3;
  record.volume_blocks = 0.3;
  record.bound.volume_bytes = 1;
  record.bound.volume_blocks = 0.1;
  EXPECT_EQ(record.gap_volume(), 3);
  record.volume_bytes = record.bound.volume_bytes = 0;  // blocks of no bytes
  record.volume_blocks = 54;
  record.bound.volume_blocks = 27;
  EXPECT_EQ(record.gap_volume(), 2);
}

}  // namespace
}  // namespace rondo
