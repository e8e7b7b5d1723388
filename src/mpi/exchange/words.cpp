#include "mpi/exchange/words.hpp"

#include <fmt/format.h>

#include <charconv>
#include <span>
#include <utility>

#include "base/error.hpp"

namespace rondo::mpi {

namespace {

template <typename Enum>
using Entry = std::pair<char const*, Enum>;

template <typename Enum>
void set(Enum& option, std::span<Entry<Enum> const> words, std::string const& key, std::string const& value) {
  std::string accepted;
  for (auto const& [word, meaning] : words) {
    if (value == word) {
      option = meaning;
      return;
    }
    accepted += fmt::format("{}\"{}\"", accepted.empty() ? "" : ", ", word);
  }
  throw InputError(fmt::format("{}: expected one of {}, got \"{}\"", key, accepted, excerpt(value)));
}

constexpr Entry<ExchangeAlgorithm> algorithms[] = {{"nbx", ExchangeAlgorithm::nbx},
                                                   {"nbx_tagged", ExchangeAlgorithm::nbx_tagged},
                                                   {"personalized", ExchangeAlgorithm::personalized}};
constexpr Entry<Delivery> deliveries[] = {{"sorted", Delivery::sorted}, {"arrival", Delivery::arrival}};
constexpr Entry<Completion> completions[] = {{"poll", Completion::poll}, {"wait", Completion::wait}};
constexpr Entry<Signalling> barriers[] = {{"dissemination", Signalling::dissemination}, {"tree", Signalling::tree}};

void set_positive(int& option, std::string const& key, std::string const& value) {
  int number = 0;
  auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc() || end != value.data() + value.size() || number < 1) {
    throw InputError(fmt::format("{}: expected an integer of at least 1, got \"{}\"", key, excerpt(value)));
  }
  option = number;
}

}  // namespace

void configure(SparseExchange::Options& options, std::string const& key, std::string const& value) {
  if (key == "algorithm") {
    set<ExchangeAlgorithm>(options.exchange.rules.algorithm, algorithms, key, value);
  } else if (key == "delivery") {
    set<Delivery>(options.delivery, deliveries, key, value);
  } else if (key == "completion") {
    set<Completion>(options.exchange.completion, completions, key, value);
  } else if (key == "barrier") {
    set<Signalling>(options.exchange.rules.barrier, barriers, key, value);
  } else if (key == "waited_bytes") {
    set_positive(options.exchange.waited_bytes, key, value);
  } else {
    throw InputError(fmt::format(
        "unknown key \"{}\"; accepted: \"algorithm\", \"delivery\", \"completion\", \"barrier\", \"waited_bytes\"",
        excerpt(key)));
  }
}

}  // namespace rondo::mpi
