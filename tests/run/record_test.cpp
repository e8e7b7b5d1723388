#include "run/points/record.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace rondo {
namespace {

TEST(Record, has_the_same_names_in_json_and_csv_with_dots_for_nesting) {
  EXPECT_EQ(
      csv_header(),
      "scenario,point,collective,algorithm,engine,timing,p,block_bytes,rounds,volume_blocks,volume_bytes,messages,"
      "time_s,critical_blocks,total_blocks,received_blocks,redundant_blocks,theory.rounds,theory.volume_blocks,"
      "theory.volume_bytes,theory.critical_blocks,theory.total_blocks,theory.received_blocks,theory.messages,"
      "theory.time_s,theory.data_messages,theory.ack_messages,theory.barrier_messages,theory.memory_bytes,bound.rounds,"
      "bound.volume_blocks,bound.volume_bytes,bound.critical_blocks,bound.total_blocks,"
      "bound.received_blocks,bound.messages,bound.time_s,bound.links,bound.message_blocks,gap.rounds,gap.volume,"
      "optimal,"
      "delivered,violations,data_messages,ack_messages,barrier_messages,memory_bytes,exchanges,reductions,"
      "reduction_messages,luby_rounds,members,colors,levels,smallest_part,largest_part,friends,iterations,pairing_"
      "rounds,"
      "pairing_messages,max_sends,savable_messages,setup_wall_s,"
      "setup_time_s,setup_messages,setup_note,build_time_s,first_call_time_s,cumulative,"
      "payload,seed,version,wall_s,error,expanded");
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

}  // namespace
}  // namespace rondo
