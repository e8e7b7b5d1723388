// One table of words: each names one value and back, and whoever reads or prints words has the same ones.

#include <gtest/gtest.h>

#include <set>

#include "mpi/runtime/failure.hpp"
#include "mpi_library/interface/sparse_exchange.hpp"
#include "mpi_library/intergroup/intergroup_comm.hpp"
#include "mpi_library/isomorphic/iso_comm.hpp"
#include "problem/problem.hpp"
#include "scenario/enum_names.hpp"
#include "scenario/sub_schema.hpp"

namespace rondo {
namespace {

using Lines = std::vector<std::string>;

template <typename Enum>
class EveryTable : public testing::Test {};

using Tables =
    testing::Types<problem::Kind, problem::IsomorphicAlgorithm, problem::OrderRule, problem::IntergroupAlgorithm,
                   problem::IntraAllgather, problem::Broadcast, problem::BuildingBlocks, problem::NeighborAlgorithm,
                   problem::FriendTie, problem::Suitors, problem::Half, problem::ExchangeAlgorithm, problem::Barrier,
                   problem::Completion, problem::Delivery, problem::Printed, CloudShape, TimingModel, LinkSharing,
                   scenario::ClaimVerdict, scenario::Engine, Payload>;
TYPED_TEST_SUITE(EveryTable, Tables);

TYPED_TEST(EveryTable, has_a_word_for_each_value_and_a_value_for_each_word) {
  ASSERT_FALSE(enum_names<TypeParam>.empty());
  std::set<TypeParam> values;
  for (auto const& [value, text] : enum_names<TypeParam>) {
    EXPECT_TRUE(values.insert(value).second) << text << " is a second word of one value";
    EXPECT_EQ(value_of<TypeParam>(text), value);
    EXPECT_EQ(enum_name(value), text);
  }
  EXPECT_EQ(value_of<TypeParam>("no such word"), std::nullopt);
  EXPECT_THROW(known_value<TypeParam>("no such word"), ContractViolation);
}

TEST(Words, a_value_without_a_word_is_no_choice_of_users) {
  EXPECT_THROW(enum_name(problem::OrderRule::stated), ContractViolation);
}

/// The schema of a scenario with this collective at a place.
Lines words_at(std::string const& kind, std::vector<std::string> const& place) {
  scenario::Json example = scenario::Json::object();
  example["collective"]["kind"] = kind;
  auto const schema = scenario::schema_at(scenario::schema(), example, place);
  return schema ? (*schema)["enum"].get<Lines>() : Lines();
}

TEST(Words, the_schema_and_the_list_have_the_kinds_and_algorithms_of_the_table) {
  EXPECT_EQ(words_at("isomorphic_alltoall", {"collective", "kind"}), all_enum_names<problem::Kind>());
  std::string const list = scenario::describe();
  for (auto const& [kind, word] : enum_names<problem::Kind>) {
    Lines const algorithms = problem::algorithms(kind);
    // A custom collective has names of its own beside this one.
    if (kind != problem::Kind::custom) {
      EXPECT_EQ(words_at(std::string(word), {"algorithm"}), algorithms) << word;
    }
    std::string line = "\n  " + std::string(word) + ": ";
    for (std::string const& algorithm : algorithms) line += (algorithm == algorithms.front() ? "" : ", ") + algorithm;
    EXPECT_NE(list.find(line + "\n"), std::string::npos) << line;
  }
}

TEST(Words, the_schema_has_the_options_of_the_table) {
  auto const option = [](char const* kind, char const* key) { return words_at(kind, {"collective", key}); };
  EXPECT_EQ(option("intergroup_allgather", "allgather"), all_enum_names<problem::IntraAllgather>());
  EXPECT_EQ(option("intergroup_allgather", "broadcast"), all_enum_names<problem::Broadcast>());
  EXPECT_EQ(option("intergroup_allgather", "building_blocks"), all_enum_names<problem::BuildingBlocks>());
  EXPECT_EQ(option("neighbor_alltoall", "tie"), all_enum_names<problem::FriendTie>());
  EXPECT_EQ(option("neighbor_allgather", "suitors"), all_enum_names<problem::Suitors>());
  EXPECT_EQ(option("neighbor_alltoall", "half"), all_enum_names<problem::Half>());
  EXPECT_EQ(option("coloring", "barrier"), all_enum_names<problem::Barrier>());
  EXPECT_EQ(option("sparse_exchange", "completion"), all_enum_names<problem::Completion>());
  EXPECT_EQ(option("bisection", "cloud"), all_enum_names<CloudShape>());
  EXPECT_EQ(option("program", "printed"), all_enum_names<problem::Printed>());
  EXPECT_EQ(words_at("program", {"machine", "timing"}), all_enum_names<TimingModel>());
  EXPECT_EQ(words_at("program", {"machine", "links"}), all_enum_names<LinkSharing>());
}

TEST(Words, the_mpi_interfaces_take_the_words_of_the_table_and_no_other) {
  mpi::IsoOptions isomorphic;
  for (auto const& [value, word] : enum_names<problem::IsomorphicAlgorithm>) {
    isomorphic.set("algorithm", word);
    EXPECT_EQ(isomorphic.algorithm, value);
  }
  for (auto const& [value, word] : enum_names<problem::OrderRule>) {
    isomorphic.set("dimension_order", word);
    EXPECT_EQ(isomorphic.alltoall_order, value);
    EXPECT_EQ(isomorphic.allgather_order, value);
  }
  EXPECT_THROW(isomorphic.set("algorithm", "no such word"), mpi::MpiFailure);
  problem::Intergroup groups{Groups(1, 1), Bytes(0)};
  for (auto const& [value, word] : enum_names<problem::IntergroupAlgorithm>) {
    mpi::set_option(groups, "algorithm", word);
    EXPECT_EQ(groups.algorithm, value);
  }
  for (auto const& [value, word] : enum_names<problem::Broadcast>) {
    mpi::set_option(groups, "broadcast", word);
    EXPECT_EQ(groups.broadcast, value);
  }
  EXPECT_THROW(mpi::set_option(groups, "allgather", "binomial"), mpi::MpiFailure);
  mpi::SparseExchange::Options exchange;
  for (auto const& [value, word] : enum_names<problem::ExchangeAlgorithm>) {
    mpi::configure(exchange, "algorithm", std::string(word));
    EXPECT_EQ(exchange.exchange.rules.algorithm, value);
  }
  EXPECT_THROW(mpi::configure(exchange, "algorithm", "nbx_untagged"), InputError);
}

}  // namespace
}  // namespace rondo
