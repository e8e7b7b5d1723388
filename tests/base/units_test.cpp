#include "base/units.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace rondo {
namespace {

TEST(Units, times_are_the_doubles_nearest_to_the_decimal_number) {
  struct Case {
    std::string text;
    double seconds;
  };
  for (Case const& c :
       {Case{"0s", 0.0}, Case{"1s", 1.0}, Case{"1us", 1e-6}, Case{"2.5ms", 2.5e-3}, Case{"3ns", 3e-9},
        Case{"0.1us", 1e-7}, Case{"1e-6s", 1e-6}, Case{"12ps", 12e-12}, Case{"1E3ms", 1.0}, Case{"007.50us", 7.5e-6}}) {
    EXPECT_EQ(parse_seconds(c.text).value, c.seconds) << c.text;
  }
}

TEST(Units, sizes_are_exact) {
  struct Case {
    std::string text;
    std::int64_t bytes;
  };
  for (Case const& c :
       {Case{"0B", 0}, Case{"64B", 64}, Case{"1kB", 1000}, Case{"1KiB", 1024}, Case{"1.5KiB", 1536},
        Case{"0.0009765625KiB", 1}, Case{"2.50kB", 2500}, Case{"4MiB", 4194304}, Case{"1MB", 1000000},
        Case{"1GB", 1000000000}, Case{"5GiB", 5368709120}, Case{"1TB", 1000000000000}, Case{"1TiB", 1099511627776},
        Case{"9223372036854775807B", std::numeric_limits<std::int64_t>::max()},
        Case{"8388607TiB", 9223370937343148032}}) {
    EXPECT_EQ(parse_bytes(c.text).value, c.bytes) << c.text;
  }
}

TEST(Units, bandwidths_count_bytes_or_bits) {
  struct Case {
    std::string text;
    double bytes_per_second;
  };
  for (Case const& c : {Case{"1GBps", 1e9}, Case{"800Mbps", 1e8}, Case{"1KiBps", 1024}, Case{"8bps", 1},
                        Case{"1Gibps", 134217728}, Case{"12.5kBps", 12500}, Case{"0.5Bps", 0.5}, Case{"1TBps", 1e12}}) {
    EXPECT_EQ(parse_bandwidth(c.text).value, c.bytes_per_second) << c.text;
  }
}

std::string refusal(std::function<void()> const& parse) {
  try {
    parse();
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Units, refused_times_say_why) {
  struct Case {
    std::string text;
    std::string reason;
  };
  std::string const units = " (one of s, ms, us, ns, ps)";
  for (Case const& c : {Case{"", "it does not start with a decimal number"},
                        Case{"us", "it does not start with a decimal number"},
                        Case{"NaN", "it does not start with a decimal number"},
                        Case{"inf", "it does not start with a decimal number"},
                        Case{" 1us", "it does not start with a decimal number"},
                        Case{"+1us", "it does not start with a decimal number"},
                        Case{".5us", "it does not start with a decimal number"},
                        Case{"-1us", "it is negative"},
                        Case{"1.us", "a digit is missing behind the point"},
                        Case{"1", "the unit is missing" + units},
                        Case{"1e-6", "the unit is missing" + units},
                        Case{"1 us", "unknown unit \" us\"; did you mean \"us\"?" + units},
                        Case{"1\u00b5s", "unknown unit \"\u00b5s\"; did you mean \"us\"?" + units},
                        Case{"1\u03bcs", "unknown unit \"\u03bcs\"; did you mean \"us\"?" + units},
                        Case{"1usec", "unknown unit \"usec\"; did you mean \"us\"?" + units},
                        Case{"5 micro", "unknown unit \" micro\"; did you mean \"us\"?" + units},
                        Case{"5 Milliseconds", "unknown unit \" Milliseconds\"; did you mean \"ms\"?" + units},
                        Case{"1m", "unknown unit \"m\"" + units},
                        Case{"1min", "unknown unit \"min\"" + units},
                        Case{"1parsec", "unknown unit \"parsec\"" + units},
                        Case{"1B", "unknown unit \"B\"" + units},
                        Case{"1e999s", "the number is out of range"},
                        Case{"1e99999999999s", "the number is out of range"},
                        Case{"1e-999s", "the number is out of range"},
                        Case{"1e308s", "it is more than 1e+12s"},
                        Case{"1.0001e15ms", "it is more than 1e+12s"}}) {
    std::string const expected = "expected a time such as \"1us\", got \"" + c.text + "\": " + c.reason;
    EXPECT_EQ(refusal([&] { parse_seconds(c.text); }), expected);
  }
}

/// So that no sum of them, and no product with bytes, is more than a double holds.
TEST(Units, times_a_byte_and_bandwidths_are_limited_too) {
  EXPECT_EQ(parse_seconds_per_byte("1e12s/B").value, 1e12);
  EXPECT_TRUE(refusal([] { parse_seconds_per_byte("1e308s/B"); }).ends_with("it is more than 1e+12s/B"));
  EXPECT_EQ(parse_bandwidth("1e-12Bps").value, 1e-12);
  EXPECT_TRUE(refusal([] { parse_bandwidth("1e-300Bps"); }).ends_with("it is less than 1e-12Bps"));
}

TEST(Units, refused_sizes_say_why) {
  struct Case {
    std::string text;
    std::string reason;
  };
  std::string const units = " (one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)";
  std::string const past = "the number is out of range (it must be below 2^63 bytes)";
  for (Case const& c :
       {Case{"64", "the unit is missing" + units}, Case{"-64B", "it is negative"},
        Case{"0.5B", "not a whole number of bytes"}, Case{"1.3KiB", "not a whole number of bytes"},
        Case{"1.0001kB", "not a whole number of bytes"}, Case{"1e3B", "a size has no exponent"},
        Case{"9223372036854775808B", past}, Case{"8388608TiB", past}, Case{"99999999999999999999GB", past},
        Case{"1M", "unknown unit \"M\"; did you mean \"MB\"?" + units},
        Case{"1k", "unknown unit \"k\"; did you mean \"kB\"?" + units},
        Case{"1Gi", "unknown unit \"Gi\"; did you mean \"GiB\"?" + units},
        Case{"8 bytes", "unknown unit \" bytes\"; did you mean \"B\"?" + units},
        Case{"3 kbyte", "unknown unit \" kbyte\"; did you mean \"kB\"?" + units},
        Case{"1 kilo", "unknown unit \" kilo\"; did you mean \"kB\"?" + units},
        Case{"2Mebibytes", "unknown unit \"Mebibytes\"; did you mean \"MiB\"?" + units},
        Case{"1us", "unknown unit \"us\"" + units}, Case{"1Kib", "unknown unit \"Kib\"; did you mean \"KiB\"?" + units},
        Case{"inf", "it does not start with a decimal number"}}) {
    std::string const expected = "expected a size such as \"64KiB\", got \"" + c.text + "\": " + c.reason;
    EXPECT_EQ(refusal([&] { parse_bytes(c.text); }), expected);
  }
}

TEST(Units, refused_bandwidths_say_why) {
  auto const of = [](std::string const& text) { return refusal([&] { parse_bandwidth(text); }); };
  std::string const begin = "expected a bandwidth such as \"1GBps\", got ";
  EXPECT_EQ(of("0GBps"), begin + "\"0GBps\": it must be greater than 0");
  EXPECT_EQ(of("1e308TiBps"), begin + "\"1e308TiBps\": the number is out of range");
  EXPECT_EQ(of("-1GBps"), begin + "\"-1GBps\": it is negative");
  std::string const units =
      "TBps, GBps, MBps, kBps, Bps, KiBps, MiBps, GiBps, TiBps, bps, kbps, Mbps, Gbps, Tbps, Kibps, Mibps, Gibps, "
      "Tibps";
  EXPECT_EQ(of("1e9"), begin + "\"1e9\": the unit is missing (one of " + units + ")");
  EXPECT_EQ(of("1GB/s"), begin + "\"1GB/s\": unknown unit \"GB/s\"; did you mean \"GBps\"? (one of " + units + ")");
  for (auto const& [word, unit] : {std::pair{"GB", "GBps"},
                                   {"Gb", "Gbps"},
                                   {"G", "GBps"},
                                   {"Gbit", "Gbps"},
                                   {"Gbit/s", "Gbps"},
                                   {"MiB/s", "MiBps"},
                                   {"gb/s", "Gbps"},
                                   {"gbit/s", "Gbps"},
                                   {"mbps", "Mbps"},
                                   {"gB/s", "GBps"},
                                   {"giga", "GBps"},
                                   {"kilobit per second", "kbps"},
                                   {"GBp", "GBps"}}) {
    EXPECT_EQ(of(std::string("1") + word), begin + "\"1" + word + "\": unknown unit \"" + word + "\"; did you mean \"" +
                                               unit + "\"? (one of " + units + ")");
  }
  EXPECT_EQ(of("1gBps"), begin + "\"1gBps\": unknown unit \"gBps\"; did you mean \"GBps\"? (one of " + units + ")");
}

TEST(Units, two_megabytes_of_text_are_refused_in_one_short_line) {
  std::string const letters(2 << 20, 'x');
  std::string const digits(2 << 20, '9');
  for (std::string const& text :
       {letters, digits, digits + "B", "1." + digits + "B", digits + "s", "1" + letters, std::string("1\n\n")}) {
    for (std::string const& message : {refusal([&] { parse_bytes(text); }), refusal([&] { parse_seconds(text); }),
                                       refusal([&] { parse_bandwidth(text); })}) {
      EXPECT_LT(message.size(), 400u);
      EXPECT_EQ(message.find('\n'), std::string::npos);
    }
  }
}

TEST(Units, print_reads_well) {
  EXPECT_EQ(print(Seconds(0)), "0s");
  EXPECT_EQ(print(Seconds(1e-6)), "1us");
  EXPECT_EQ(print(Seconds(2.5e-3)), "2.5ms");
  EXPECT_EQ(print(Seconds(6e-6 + 1e-9)), "6.001us");
  EXPECT_EQ(print(Seconds(90)), "90s");
  EXPECT_EQ(print(Seconds(1e-13)), "0.1ps");
  EXPECT_EQ(print(Seconds(-1e-6)), "-1us");
  EXPECT_EQ(print(Seconds(1e30)), "1e30s");
  EXPECT_EQ(print(Bytes(0)), "0B");
  EXPECT_EQ(print(Bytes(1)), "1B");
  EXPECT_EQ(print(Bytes(1000)), "1kB");
  EXPECT_EQ(print(Bytes(1024)), "1KiB");
  EXPECT_EQ(print(Bytes(1536)), "1536B");
  EXPECT_EQ(print(64_KiB), "64KiB");
  EXPECT_EQ(print(Bytes(1024000)), "1024kB");
  EXPECT_EQ(print(Bytes(std::int64_t{5} << 30)), "5GiB");
  EXPECT_EQ(print(1_GBps), "1GBps");
  EXPECT_EQ(print(BytesPerSecond(1.25e8)), "125MBps");
  EXPECT_EQ(print(BytesPerSecond(0.5)), "0.5Bps");
}

TEST(Units, times_for_each_byte_end_in_it) {
  EXPECT_EQ(parse_seconds_per_byte("6ns/B"), 6_ns);
  EXPECT_EQ(parse_seconds_per_byte("0s/B"), Seconds(0));
  EXPECT_THROW(parse_seconds_per_byte("6ns"), InputError);
  EXPECT_THROW(parse_seconds_per_byte("6/B"), InputError);
  EXPECT_THROW(parse_seconds_per_byte("/B"), InputError);
}

RC_GTEST_PROP(Units, every_size_prints_and_parses_back, (std::uint64_t bits)) {
  // Shifts reach every magnitude, which uniform 64 bits do not.
  Bytes const size(static_cast<std::int64_t>(bits >> 1 >> *rc::gen::inRange(0, 63)));
  RC_ASSERT(parse_bytes(print(size)) == size);
}

RC_GTEST_PROP(Units, every_time_and_bandwidth_prints_and_parses_back, (std::uint64_t bits)) {
  auto const value = std::bit_cast<double>(bits >> 1);
  RC_PRE(std::isfinite(value) && value > 0);
  if (value <= 1e12) RC_ASSERT(parse_seconds(print(Seconds(value))).value == value);
  if (value >= 1e-12) RC_ASSERT(parse_bandwidth(print(BytesPerSecond(value))).value == value);
}

RC_GTEST_PROP(Units, times_of_usual_magnitude_print_and_parse_back, ()) {
  double const value = *rc::gen::inRange(1, 1000000000) * std::pow(10.0, *rc::gen::inRange(-16, 3));
  if (value <= 1e12) RC_ASSERT(parse_seconds(print(Seconds(value))).value == value);
  if (value >= 1e-12) RC_ASSERT(parse_bandwidth(print(BytesPerSecond(value))).value == value);
}

}  // namespace
}  // namespace rondo
