// Sets the options of a sparse exchange. Keys and values have the names that scenarios use.

#include "mpi_library/interface/exchange_options.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/error.hpp"
#include "base/listed.hpp"

namespace rondo::mpi {

namespace {

/// Sets the option to the value of this name. Throws InputError with all accepted names if there is none.
template <typename Enum>
void set(Enum& option, std::string const& key, std::string const& value) {
  auto const meaning = value_of<Enum>(value);
  if (!meaning) {
    throw InputError(fmt::format("{}: expected one of \"{}\", got \"{}\"", key,
                                 listed(all_enum_names<Enum>(), "\", \""), excerpt(value)));
  }
  option = *meaning;
}

/// Sets the option to the number. Throws InputError unless the value is an integer of at least 1.
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
    set(options.exchange.rules.algorithm, key, value);
  } else if (key == "delivery") {
    set(options.delivery, key, value);
  } else if (key == "completion") {
    set(options.exchange.completion, key, value);
  } else if (key == "barrier") {
    set(options.exchange.rules.barrier, key, value);
  } else if (key == "waited_bytes") {
    set_positive(options.exchange.waited_bytes, key, value);
  } else {
    throw InputError(fmt::format(
        "unknown key \"{}\"; accepted: \"algorithm\", \"delivery\", \"completion\", \"barrier\", \"waited_bytes\"",
        excerpt(key)));
  }
}

}  // namespace rondo::mpi
