// Each corpus, and mutations of it that are the same in every run: bytes changed, cut out, doubled, and words of one
// file put into another. libFuzzer looks further (.ci/long); what it found lies in the corpora.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/random.hpp"
#include "fuzz.hpp"
#include "sanitized.hpp"

namespace rondo::fuzz {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus_of(Target const& target) {
  std::vector<fs::path> files;
  for (auto const& entry : fs::directory_iterator(fs::path(RONDO_SOURCE_DIR) / "tests/fuzz/corpus" / target.name)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (fs::path const& file : files) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    texts.push_back(text.str());
  }
  return texts;
}

std::size_t below(Random& random, std::size_t bound) { return static_cast<std::size_t>(random.below(bound)); }

/// A stretch of the text, of at most 32 bytes.
std::string piece_of(std::string const& text, Random& random) {
  if (text.empty()) return "";
  return text.substr(below(random, text.size()), 1 + below(random, 32));
}

void mutate(std::string& text, std::string const& other, Random& random) {
  static std::vector<std::string> const words{
      "0",  "-1", "1e308", "9223372036854775807", "4294967296", "null",         "[]",    "{}",
      "\"", "\\", "\n",    std::string(1, '\0'),  "\xff",       "\xe2\x80\xae", "1e-400"};
  std::size_t const place = text.empty() ? 0 : below(random, text.size());
  switch (random.below(6)) {
    case 0:
      if (!text.empty()) text[place] = static_cast<char>(random.below(256));
      return;
    case 1:
      text.erase(place, 1 + below(random, 16));
      return;
    case 2:
      text.insert(place, piece_of(text, random));
      return;
    case 3:
      text.insert(place, piece_of(other, random));
      return;
    case 4:
      text.insert(place, words[below(random, words.size())]);
      return;
    default: {
      std::size_t const end = text.find_first_of(" ,:\n\"}]", place);
      text.replace(place, end == std::string::npos ? 1 : end - place, words[below(random, words.size())]);
    }
  }
}

class Fuzz : public testing::TestWithParam<Target> {};

TEST_P(Fuzz, reads_or_refuses_the_corpus_and_mutations_of_it) {
  std::vector<std::string> const texts = corpus_of(GetParam());
  ASSERT_FALSE(texts.empty());
  for (std::string const& text : texts) GetParam().run(text);
  Random random(11);
  char const* const wanted = std::getenv("RONDO_FUZZ_MUTATIONS");
  int const mutations = wanted != nullptr ? std::atoi(wanted) : (test::whole ? 1000 : 500) / test::thinned;
  for (int i = 0; i < mutations; ++i) {
    std::string text = texts[below(random, texts.size())];
    std::string const& other = texts[below(random, texts.size())];
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) mutate(text, other, random);
    GetParam().run(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, testing::ValuesIn(targets().begin(), targets().end()),
                         [](auto const& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace rondo::fuzz
