#include "fit/samples.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace rondo::fit {
namespace {

constexpr char const* osu = R"(# OSU MPI Latency Test v5.9
# Size          Latency (us)
0                       1.50
1                       1.60
1024                    2.00

4096                    3.25
)";

constexpr char const* imb = R"(#------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part
#------------------------------------------------------------

# List of Benchmarks to run:

# PingPong
# Allreduce

#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         1.05         0.00
            8         1000         1.25         6.40

#----------------------------------------------------------------
# Benchmarking Allreduce
# #processes = 4
#----------------------------------------------------------------
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            0         1000         0.04         0.05         0.05
)";

std::string error_of(auto const& work) {
  try {
    work();
  } catch (InputError const& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of(std::string const& text) {
  return error_of([&] { read_samples(text, format_of(text, "f"), "f"); });
}

std::vector<std::pair<std::int64_t, double>> pairs(std::string const& text) {
  std::vector<std::pair<std::int64_t, double>> result;
  for (Sample const& each : read_samples(text, format_of(text, "f"), "f").all) {
    result.emplace_back(each.bytes, each.time.value);
  }
  return result;
}

using Pairs = std::vector<std::pair<std::int64_t, double>>;

TEST(Samples, of_osu_are_sizes_and_microseconds) {
  EXPECT_EQ(format_of(osu, "f"), Format::osu);
  EXPECT_EQ(pairs(osu), (Pairs{{0, 1e-6 * 1.5}, {1, 1e-6 * 1.6}, {1024, 1e-6 * 2.0}, {4096, 1e-6 * 3.25}}));
}

TEST(Samples, of_imb_are_those_of_ping_pong_and_other_sections_are_named) {
  EXPECT_EQ(format_of(imb, "f"), Format::imb);
  EXPECT_EQ(pairs(imb), (Pairs{{0, 1e-6 * 1.05}, {8, 1e-6 * 1.25}}));
  EXPECT_EQ(read_samples(imb, Format::imb, "f").warnings,
            (std::vector<std::string>{"f:19: Allreduce is left out: a fit uses PingPong alone"}));
}

TEST(Samples, of_two_columns_have_the_unit_that_the_column_names) {
  EXPECT_EQ(pairs("lat;size\n1.5;0\n2;1024\n"), (Pairs{{0, 1e-6 * 1.5}, {1024, 1e-6 * 2}}));
  EXPECT_EQ(pairs("size,lat_ns\r\n8,1500\r\n16,1600\r\n"), (Pairs{{8, 1e-9 * 1500}, {16, 1e-9 * 1600}}));
  EXPECT_EQ(pairs("run;size;lat_s\na;8; 1e-6\na; 16;2e-6"), (Pairs{{8, 1e-6}, {16, 2e-6}}));
}

std::vector<std::string> warnings(std::string const& text) {
  return read_samples(text, format_of(text, "f"), "f").warnings;
}

// A launcher or a job script writes into the same file. What stands before a header is named and left out.
TEST(Samples, begin_at_the_header_and_what_stands_before_it_is_named) {
  std::string const said = "[node-a:1] SET UCX_NET_DEVICES=x\n";
  EXPECT_EQ(pairs(said + osu), pairs(osu));
  EXPECT_EQ(warnings(said + osu),
            std::vector<std::string>{"f:1: a line before the header is left out: [node-a:1] SET UCX_NET_DEVICES=x"});
  EXPECT_EQ(pairs("8 nodes\n\n7.5\n" + said + osu), pairs(osu));
  EXPECT_EQ(warnings("8 nodes\n\n7.5\n" + said + osu),
            std::vector<std::string>{"f:1: 3 lines before the header are left out: 8 nodes"});
  EXPECT_EQ(pairs(said + imb), pairs(imb));
  EXPECT_EQ(warnings(said + imb).front(),
            "f:1: a line before the header is left out: [node-a:1] SET UCX_NET_DEVICES=x");
  EXPECT_EQ(pairs(said + "lat;size\n1;8\n2;16\n"), (Pairs{{8, 1e-6}, {16, 2e-6}}));
  EXPECT_EQ(warnings(said + "lat;size\n1;8\n2;16\n"),
            std::vector<std::string>{"f:1: a line before the header is left out: [node-a:1] SET UCX_NET_DEVICES=x"});
}

TEST(Samples, of_several_runs_in_a_file_are_those_of_all) {
  std::string const twice = std::string(osu) + "[node-a:1] SET UCX_NET_DEVICES=x\n" + osu;
  EXPECT_EQ(pairs(twice).size(), 2 * pairs(osu).size());
  EXPECT_EQ(warnings(twice),
            std::vector<std::string>{"f:8: a line before the header is left out: [node-a:1] SET UCX_NET_DEVICES=x"});
  EXPECT_EQ(pairs("lat;size\n1;8\n2;16\nsize;lat\n8;3\n"), (Pairs{{8, 1e-6}, {16, 2e-6}, {8, 1e-6 * 3}}));
  EXPECT_EQ(warnings("lat;size\n1;8\n2;16\nsize;lat\n8;3\n"),
            std::vector<std::string>{"f:4: columns are named again: size;lat"});
}

TEST(Samples, of_imb_are_those_between_two_processes) {
  std::string const section =
      "# Benchmarking PingPong\n{}\n#bytes #repetitions t[usec] Mbytes/sec\n{} 10 1.5 1\n{} 10 2.5 1\n";
  auto const with = [&](char const* processes, int first) {
    return fmt::format(fmt::runtime(section), processes, first, 2 * first);
  };
  std::string const two = with("# #processes = 2", 8);
  EXPECT_EQ(pairs(two + with("# #processes = 4", 32)), (Pairs{{8, 1e-6 * 1.5}, {16, 1e-6 * 2.5}}));
  EXPECT_EQ(
      warnings(two + with("# #processes = 4", 32)),
      std::vector<std::string>{"f:7: PingPong of 4 processes is left out: a fit uses PingPong between two processes"});
  EXPECT_EQ(warnings(two + with("# ( 2 groups of 2 processes each running simultaneously )", 32)),
            std::vector<std::string>{
                "f:7: PingPong of 2 groups of 2 processes is left out: a fit uses PingPong between two processes"});
  EXPECT_EQ(warnings(with("# #processes = 2 \n# ( 6 additional processes waiting in MPI_Barrier)", 8)),
            std::vector<std::string>{});
  EXPECT_EQ(
      error_of(with("# #processes = 4", 8)),
      "f: expected sizes with their times, got none; f:2: PingPong of 4 processes is left out: a fit uses PingPong "
      "between two processes");
}

TEST(Samples, that_are_bad_are_refused_with_line_and_column) {
  for (auto const& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"lat;size\n1;8\n-2;16\n", "f:3:1: expected a time, a number >= 0, got \"-2\""},
           {"lat;size\n1;8\nnan;16\n", "f:3:1: expected a time, a number >= 0, got \"nan\""},
           {"lat;size\n1;8\ninf;16\n", "f:3:1: expected a time, a number >= 0, got \"inf\""},
           {"lat;size\n1;8\n0;16\n", "f:3:1: expected a time of more than 0, got \"0\""},
           {"lat;size\n1;8\n;16\n", "f:3:1: expected a time, a number >= 0, got \"\""},
           {"lat;size\n1;8\n2;1.5\n", "f:3:3: expected a size in bytes, a whole number >= 0, got \"1.5\""},
           {"lat;size\n1;8\n2ms;16\n",
            "f:3:1: expected a time as a number alone, in the unit that its column has throughout, got \"2ms\""},
           {"lat;size\n1;8\n2;1KiB\n",
            "f:3:3: expected a size in bytes as a number alone, in the unit that its column has throughout, got "
            "\"1KiB\""},
           {"lat;size\n1;8\n2\n", "f:3: expected 2 cells as in the first line, got 1"},
           {"time;size\n1;8\n", "f:1: expected columns size and lat (or lat_ns, lat_us, lat_ms, lat_s), got time;size"},
           {"lat;size\n1;8\n2;8\n", "f: expected at least two sizes, which latency and bandwidth need, got 8B"},
           {"lat;size\n", "f: expected sizes with their times, got none"},
           {"# OSU MPI Latency Test v5.9\n# Size          Latency (us)\n8 1.0\n16\n",
            "f:4: expected a size and a time, got 16"},
           {"# OSU MPI Latency Test v5.9\n# Size          Latency (ms)\n8 1.0\n16 2.0\n",
            "f:2: expected latencies in \"(us)\", got # Size          Latency (ms)"},
           {"# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n8 1.0\n",
            "f:1: expected the latency test between two processes, \"OSU MPI Latency Test\", got # OSU MPI Bandwidth "
            "Test v5.9"},
           {"# Benchmarking PingPong\n 8 1000 1.0 1.0\n",
            "f:2: expected columns #bytes #repetitions t[usec] before the first row, got  8 1000 1.0 1.0"},
           {"# Benchmarking PingPong\n#bytes #repetitions t[sec]\n 8 1000 1.0 1.0\n",
            "f:2:21: expected times in t[usec], got \"t[sec]\""},
           {"# Benchmarking PingPong\n#bytes #repetitions t[usec]\n 8 1000\n",
            "f:3: expected a size, repetitions and a time, got  8 1000"},
           {"hello\n",
            "f: expected the output of rondo-measure, of OSU's or Intel's MPI benchmarks or of Netgauge, or CSV with "
            "columns lat and size, got "
            "\"hello\""},
           {"",
            "f: expected the output of rondo-measure, of OSU's or Intel's MPI benchmarks or of Netgauge, or CSV with "
            "columns lat and size, got "
            "\"\""}}) {
    EXPECT_EQ(error_of(text), error) << text;
  }
}

TEST(RoundTrips, are_the_first_five_columns_of_netgauge) {
  std::string const text =
      "# size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s) L o_s o_r g G lsqu(g,G)\n"
      "# to get o: plot\n"
      "1 16 4.0 10.0 70.0 2.0 0.1 0.1 0.4 0.0 0.0\n"
      "1025 16 6.0 20.0 100.0 2.0 0.1 0.1 0.4 0.0 0.0\n";
  EXPECT_EQ(format_of(text, "f"), Format::netgauge);
  auto const trips = read_round_trips(text, "f");
  ASSERT_EQ(trips.size(), 2U);
  EXPECT_EQ(trips[1].bytes, 1025);
  EXPECT_EQ(trips[1].messages, 16);
  EXPECT_EQ(trips[1].one, Seconds(1e-6 * 6));
  EXPECT_EQ(trips[1].burst, Seconds(1e-6 * 20));
  EXPECT_EQ(trips[1].spaced, Seconds(1e-6 * 100));
}

TEST(RoundTrips, that_are_bad_are_refused_with_line_and_column) {
  for (auto const& [text, error] : std::vector<std::pair<std::string, std::string>>{
           {"1 16 4 10\n", "f:1: expected columns size n PRTT(1,0,s) PRTT(n,0,s) PRTT(n,PRTT(1,0,s),s), got 1 16 4 10"},
           {"1 1 4 10 70\n", "f:1:3: expected a number of messages, a whole number >= 2, got \"1\""},
           {"0 16 4 10 70\n", "f:1:1: expected a size in bytes, a whole number >= 1, got \"0\""},
           {"1 16 4 4 70\n", "f:1:8: expected more than the round trip time of one message, got \"4\""},
           {"1 16 4 10 0\n", "f:1:11: expected a round trip time of more than 0, got \"0\""},
           {"1 16 4 10 70\n", "f: expected round trips of at least two sizes, got 1B"},
           {"", "f: expected round trips of at least two sizes, got none"}}) {
    EXPECT_EQ(error_of([&] { read_round_trips(text, "f"); }), error) << text;
  }
}

}  // namespace
}  // namespace rondo::fit
