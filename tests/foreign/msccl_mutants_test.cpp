// Files that msccl-tools wrote (tests/data/msccl), broken at random: each mutant is caught, or an independent witness
// (interpreter.hpp) finds it as good as the file that it was made from in every order that it tries.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/error.hpp"
#include "foreign/interpreter.hpp"
#include "foreign/msccl.hpp"
#include "sanitized.hpp"

namespace rondo {
namespace {

std::vector<std::string> generated_files() {
  std::vector<std::string> files;
  for (auto const& entry : std::filesystem::directory_iterator(RONDO_TEST_DATA "/msccl")) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string content_of_file(std::string const& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// Unset: it is right.
std::optional<std::string> caught(std::string const& text) {
  try {
    msccl::Algorithm const algorithm = msccl::read(text, "mutant.xml");
    auto const promise = msccl::promise(algorithm);
    TaskProof const verdict = prove(msccl::tasks(algorithm, Bytes(8)), &*promise, msccl::slots_of(algorithm.protocol));
    if (verdict.valid()) return std::nullopt;
    return verdict.violations.front().text;
  } catch (InputError const& error) {
    return error.what();
  }
}

TEST(MscclFiles, of_msccl_tools_are_right_and_the_witness_agrees) {
  ASSERT_EQ(generated_files().size(), 12u);
  for (std::string const& path : generated_files()) {
    std::string const text = content_of_file(path);
    EXPECT_EQ(caught(text), std::nullopt) << path;
    witness::File const file = witness::File::parse(text);
    for (std::uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(witness::run(file, seed), std::nullopt) << path;
  }
}

using Random = std::mt19937_64;

/// Mutants of each file, of each of the twelve kinds.
constexpr int of_each_kind = test::sanitized ? 1 : 4;

void number_steps(witness::File::Block& block) {
  for (std::size_t i = 0; i < block.steps.size(); ++i) block.steps[i]["s"] = std::to_string(i);
}

/// One change of a kind; the kinds in turn. Steps keep numbers without a gap, so that it is not only their numbers that
/// are found wrong.
std::string mutate(witness::File& file, int kind, Random& random) {
  auto const all = file.all_blocks();
  witness::File::Block* block = nullptr;
  std::size_t gpu = 0;
  do {
    auto const [g, b] = all[random() % all.size()];
    block = &file.gpus[g].blocks[b];
    gpu = g;
  } while (block->steps.empty());
  std::size_t const i = random() % block->steps.size();
  witness::Element& step = block->steps[i];
  auto const shifted = [&](char const* name, int by) { step[name] = std::to_string(std::stoi(step[name]) + by); };
  std::string what = "gpu " + std::to_string(gpu) + " tb " + block->tb["id"] + " step " + std::to_string(i) + ": ";
  switch (kind) {
    case 0:
      block->steps.erase(block->steps.begin() + std::ptrdiff_t(i));
      number_steps(*block);
      return what + "dropped";
    case 1:
      block->steps.insert(block->steps.begin() + std::ptrdiff_t(i), witness::Element(step));
      number_steps(*block);
      return what + "doubled";
    case 2:
      std::swap(block->steps[i], block->steps[(i + 1) % block->steps.size()]);
      number_steps(*block);
      return what + "swapped with the next";
    case 3:
      shifted("srcoff", random() % 2 == 0 ? 1 : -1);
      return what + "reads from elsewhere";
    case 4:
      shifted("dstoff", random() % 2 == 0 ? 1 : -1);
      return what + "writes elsewhere";
    case 5:
      shifted("cnt", random() % 2 == 0 ? 1 : -1);
      return what + "of another count";
    case 6:
      step["depid"] = step["deps"] = "-1";
      return what + "waits for nothing";
    case 7:
      shifted("deps", random() % 2 == 0 ? 1 : -1);
      return what + "waits for another step";
    case 8:
      step["hasdep"] = step["hasdep"] == "1" ? "0" : "1";
      return what + "signals otherwise";
    case 9: {
      static std::vector<std::string> const types{"s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re", "nop"};
      step["type"] = types[random() % types.size()];
      return what + "is a " + step["type"];
    }
    case 10:
      block->tb["chan"] = std::to_string(std::stoi(block->tb["chan"]) + 1);
      return what + "its block on another channel";
    default:
      step["srcbuf"] = step["srcbuf"] == "i" ? "o" : "i";
      return what + "reads another buffer";
  }
}

TEST(MscclMutants, are_caught_or_as_good_as_the_file_in_every_order_that_the_witness_tries) {
  Random random(20261122);
  int mutants = 0, found = 0, neutral = 0;
  for (std::string const& path : generated_files()) {
    std::string const text = content_of_file(path);
    for (int i = 0; i < 12 * of_each_kind; ++i) {
      witness::File file = witness::File::parse(text);
      std::string const what = mutate(file, i % 12, random);
      std::string const mutant = file.text();
      if (mutant == witness::File::parse(text).text()) continue;
      ++mutants;
      if (caught(mutant)) {
        ++found;
        continue;
      }
      ++neutral;
      for (std::uint64_t seed = 0; seed < 200 / test::thinned; ++seed) {
        auto const wrong = witness::run(file, seed);
        ASSERT_EQ(wrong, std::nullopt) << path << ": " << what << " is not caught";
      }
    }
  }
  RecordProperty("mutants", mutants);
  EXPECT_GE(found, 75 * of_each_kind) << mutants << " mutants, " << neutral << " of them neutral";
}

/// What the witness finds wrong, the proof finds too; and where the proof finds an order that goes wrong, some do.
TEST(MscclMutants, that_go_wrong_in_some_order_are_caught) {
  Random random(7);
  int wrong = 0;
  for (std::string const& path : generated_files()) {
    std::string const text = content_of_file(path);
    for (int i = 0; i < 9 * of_each_kind; ++i) {
      witness::File file = witness::File::parse(text);
      std::string const what = mutate(file, i % 12, random);
      bool goes_wrong = false;
      try {
        for (std::uint64_t seed = 0; seed < 20 && !goes_wrong; ++seed)
          goes_wrong = witness::run(file, seed).has_value();
      } catch (std::exception const&) {
        goes_wrong = true;
      }
      if (!goes_wrong) continue;
      ++wrong;
      EXPECT_NE(caught(file.text()), std::nullopt) << path << ": " << what;
    }
  }
  EXPECT_GE(wrong, 25 * of_each_kind);
}

}  // namespace
}  // namespace rondo
