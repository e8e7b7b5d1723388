#pragma once

// What tests of HTML pages share.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace rondo::test {

/// A sweep over two algorithms, two machines and two blocks; its second claim fails.
inline constexpr char const* two_algorithms = R"({
  "title": "a title with </script><b>&amp; in it",
  "machine": {"topology": {"kind": "fully_connected", "hosts": 8}, "latency": "1us", "bandwidth": "1GBps", "ports": 1},
  "collective": {"kind": "isomorphic_alltoall", "torus": [8], "neighborhood": {"kind": "moore", "radius": 2}},
  "algorithm": "torus", "block": "8B", "engine": "native",
  "sweep": [{"/machine/ports": [1, 2], "/machine/latency": ["1us", "3us"]}, {"/algorithm": ["straightforward", "posted"]},
            {"/block": ["8B", "1KiB"]}],
  "expect": [{"claim": "fewer rounds", "that": "posted.rounds <= straightforward.rounds", "correction": "the paper has no <i>"},
             {"claim": "more rounds", "that": "posted.rounds > straightforward.rounds"}]})";

/// The paper's Algorithm 3 as printed, which fails for fewer senders than receivers.
inline constexpr char const* printed_sequences = R"({
  "machine": {"topology": {"kind": "ring", "hosts": 12}, "latency": "1us", "bandwidth": "1GBps"},
  "collective": {"kind": "intergroup_allgather", "senders": 4, "receivers": 8, "printed": true},
  "algorithm": "ring_sequences", "block": "8B"})";

/// The data within a page.
inline nlohmann::json data_of(std::string const& html) {
  std::string const open = "id=\"data\">";
  std::size_t const begin = html.find(open) + open.size();
  return nlohmann::json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

/// Makes NAME.html of results NAME; the data in it.
inline nlohmann::json reported(Folder const& folder, std::string const& name) {
  std::string const file = (folder.path() / name).string();
  Ran const ran = rondo("report " + file + " --output " + file + ".html");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return ran.exit_code == 0 ? data_of(content_of(file + ".html")) : nlohmann::json();
}

}  // namespace rondo::test
