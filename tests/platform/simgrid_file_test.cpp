// Platform files reach SimGrid as platforms and nothing else.

#include "platform/simgrid_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.hpp"

namespace rondo {
namespace {

std::string refusal(std::string const& text) {
  try {
    simgrid_platform(text, "m.xml");
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

/// A platform with this in it, on its third line.
std::string platform(std::string const& content) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\">" +
         content + "</platform>\n";
}

// What stands in them reaches SimGrid no more than they do.
TEST(SimgridFile, is_read_without_its_configuration_and_its_disks) {
  std::vector<std::string> remarks;
  std::string const read = simgrid_platform(
      platform(R"(<config id="c"><prop id="tracing/filename" value="/etc/passwd"/></config>)"
               "\n<host id=\"a\" speed=\"1Gf\"><disk id=\"d\" read_bw=\"1Bps\" write_bw=\"1Bps\">"
               "<prop id=\"content\" value=\"/etc/passwd\"/></disk><prop id=\"kept\" value=\"1\"/></host>"),
      "m.xml", &remarks);
  EXPECT_EQ(remarks, (std::vector<std::string>{"m.xml:3:25: <config> is left out: Rondo alone configures SimGrid"}));
  EXPECT_EQ(read.find("passwd"), std::string::npos) << read;
  EXPECT_EQ(read.find("config"), std::string::npos) << read;
  EXPECT_EQ(read.find("disk"), std::string::npos) << read;
  EXPECT_NE(read.find("<host id=\"a\" speed=\"1Gf\"><prop id=\"kept\" value=\"1\"></prop></host>"), std::string::npos)
      << read;
}

struct Refused {
  char const* what;
  std::string text, error;
};

// `<platform version="4.1">` has 24 characters: what stands behind it begins at column 25.
TEST(SimgridFile, with_more_than_a_platform_is_refused_by_line) {
  std::string const no_part = ", which is no part of a platform";
  for (Refused const& each : {
           Refused{"a program", platform(R"(<process host="a" function="f"/>)"),
                   "m.xml:3:25: expected hosts, links and routes, got <process>" + no_part},
           Refused{"a program of today", platform(R"(<actor host="a" function="f"/>)"),
                   "m.xml:3:25: expected hosts, links and routes, got <actor>" + no_part},
           Refused{"another file", platform(R"(<include file="/etc/passwd"/>)"),
                   "m.xml:3:25: expected hosts, links and routes, got <include>" + no_part},
           Refused{
               "a trace", platform(R"(<trace id="t" file="/etc/passwd"/>)"),
               "m.xml:3:25: expected hosts and links that do not change, got <trace>: profiles are not carried out"},
           Refused{"a trace connected", platform(R"(<trace_connect trace="t" element="a"/>)"),
                   "m.xml:3:25: expected hosts and links that do not change, got <trace_connect>: profiles are not "
                   "carried out"},
           Refused{"storage", platform(R"(<storage id="s" typeId="t" attach="a"/>)"),
                   "m.xml:3:25: expected hosts, links and routes, got <storage>" + no_part},
           Refused{"XInclude",
                   platform(R"(<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="/etc/passwd"/>)"),
                   "m.xml:3:25: expected hosts, links and routes, got <xi:include>" + no_part},
           Refused{"a slip", platform("<hots id=\"a\"/>"),
                   "m.xml:3:25: expected hosts, links and routes, got <hots>" + no_part + "; did you mean \"host\"?"},
           Refused{
               "a file of availability", platform(R"(<host id="a" speed="1Gf" availability_file="/dev/zero"/>)"),
               "m.xml:3:25: expected hosts and links that do not change, got \"availability_file\" of <host>: profiles "
               "are not carried out"},
           Refused{"a file of states", platform(R"(<link id="l" bandwidth="1Bps" latency="0s" state_file="f"/>)"),
                   "m.xml:3:25: expected hosts and links that do not change, got \"state_file\" of <link>: profiles "
                   "are not "
                   "carried out"},
           Refused{"a negative bandwidth", platform(R"(<link id="l" bandwidth="-1GBps" latency="0s"/>)"),
                   "m.xml:3:25: expected bandwidth to be a bandwidth of at least 1e-09 with a unit, got \"-1GBps\""},
           Refused{"no bandwidth of a backbone", platform(R"(<cluster id="c" radical="0-3" bw="1GBps" bb_bw="0"/>)"),
                   "m.xml:3:25: expected bb_bw to be a bandwidth of at least 1e-09 with a unit, got \"0\""},
           Refused{"a bandwidth that is no number", platform(R"(<link id="l" bandwidth="nan" latency="0s"/>)"),
                   "m.xml:3:25: expected bandwidth to be a bandwidth of at least 1e-09 with a unit, got \"nan\""},
           Refused{"a second bandwidth of 0", platform(R"(<link id="l" bandwidth="54Mbps,0Mbps" latency="0s"/>)"),
                   "m.xml:3:25: expected bandwidth to be a bandwidth of at least 1e-09 with a unit, got \"0Mbps\""},
           Refused{"a negative latency", platform(R"(<link id="l" bandwidth="1Bps" latency="-1us"/>)"),
                   "m.xml:3:25: expected latency to be a latency of at least 0 with a unit, got \"-1us\""},
           Refused{"entities", "<!DOCTYPE platform [<!ENTITY x SYSTEM \"/etc/passwd\">]><platform version=\"4.1\"/>",
                   "m.xml:1:20: expected no declarations in <!DOCTYPE>, got some: a platform file has no entities"},
           Refused{"an entity of a DTD elsewhere", platform("<host id=\"&x;\" speed=\"1Gf\"/>"),
                   "m.xml:3:25: expected no entities, got &x;"},
           Refused{"a root of its own", "<config/>", "m.xml:1:1: expected <platform>, got <config>"},
           Refused{"text", platform("\nhosts"), "m.xml:4:1: expected no text between elements, got \"hosts\""},
           Refused{"CDATA", platform("<![CDATA[<config/>]]>"),
                   "m.xml:3:34: expected no text between elements, got \"<config/>\""},
           Refused{"no end", "<platform version=\"4.1\"><zone>", "m.xml:1:31: no element found"},
           Refused{"two platforms", "<platform version=\"4.1\"/>\n<platform version=\"4.1\"/>",
                   "m.xml:2:1: junk after document element"},
           Refused{"nothing", " \n", "m.xml: expected a SimGrid platform file, got an empty one"},
           Refused{"UTF-16", std::string("\xff\xfe<\0p\0", 6), "m.xml: expected text in UTF-8, got a zero byte"},
           Refused{"an encoding that says what it is not",
                   "<?xml version='1.0' encoding='UTF-16'?><platform version=\"4.1\"/>",
                   "m.xml:1:31: encoding specified in XML declaration is incorrect"},
           Refused{"an encoding in which < is no <",
                   "<?xml version='1.0' encoding='UTF-7'?><platform version=\"4.1\"/>", "m.xml:1:31: unknown encoding"},
           Refused{"Latin-1 without saying so", platform("<host id=\"\xe4\" speed=\"1Gf\"/>"),
                   "m.xml:3:35: not well-formed (invalid token)"},
       }) {
    EXPECT_EQ(refusal(each.text), each.error) << each.what;
  }
}

TEST(SimgridFile, is_limited_before_a_host_is_made) {
  auto const cluster = [](std::string const& more) {
    return platform("<cluster id=\"c\" prefix=\"h\" " + more + "/>");
  };
  std::string const too_many = "m.xml:3:25: expected at most 1048576 hosts, got more";
  EXPECT_EQ(refusal(cluster("radical=\"0-300000000\"")), too_many);
  EXPECT_EQ(refusal(cluster("radical=\"0-99999999999999999999\"")), too_many);
  EXPECT_EQ(refusal(cluster("radical=\"0-1048575\"")), "accepted");
  EXPECT_EQ(refusal(cluster("radical=\"0-1048576\"")), too_many);
  EXPECT_EQ(refusal(cluster("radical=\"0-600000,700000-1200000\"")), too_many);
  EXPECT_EQ(refusal(platform("<cabinet id=\"a\" radical=\"0-1048575\"/><cabinet id=\"b\" radical=\"3\"/>")),
            "m.xml:3:62: expected at most 1048576 hosts, got more");
  // SimGrid reads ranges out of these.
  for (std::string const radical :
       {"0-300000000;1", "0-300000000 1", "0;1-300000000", "0-300000000.5", "0-3,", ",1", "-"}) {
    EXPECT_EQ(refusal(cluster("radical=\"" + radical + "\"")),
              "m.xml:3:25: expected radical to be hosts as 0-63,70, got \"" + radical + "\"");
  }
  for (auto const& [topology, parameters] :
       {std::pair("TORUS", "1048577,1"), std::pair("DRAGONFLY", "1000000,1;1000,1;1,1;1"),
        std::pair("FAT_TREE", "2;4,400000000;1,1;1,1"), std::pair("TORUS", "99999999999999999999")}) {
    EXPECT_EQ(refusal(cluster(std::string("radical=\"0-1\" topology=\"") + topology + "\" topo_parameters=\"" +
                              parameters + "\"")),
              std::string("m.xml:3:25: expected at most 1048576 hosts, routers or switches, got topo_parameters=\"") +
                  parameters + "\"");
  }
  std::string const many = "2;4,2;1,2;1,99999999";
  EXPECT_EQ(refusal(cluster("radical=\"0-7\" topology=\"FAT_TREE\" topo_parameters=\"" + many + "\"")),
            "m.xml:3:25: expected at most 16777216 cables, got topo_parameters=\"" + many + "\"");
  std::string deep;
  for (int i = 0; i < 64; ++i) deep += "<zone>";
  EXPECT_EQ(refusal(platform(deep)), "m.xml:3:403: nested deeper than 64");
}

TEST(SimgridFile, is_written_anew_line_by_line_without_what_is_no_element) {
  EXPECT_EQ(simgrid_platform("<?xml version='1.0' encoding='ISO-8859-1'?>\n<!-- a comment\n--><?do something?>"
                             "<platform version='4.1'>\n\n  <host id='a&#34;&lt;\xe4'\n speed=\"1Gf\"/>\n"
                             "  <zone><prop id='x' value='&amp;y'/></zone>\n</platform>",
                             "m.xml"),
            "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n\n"
            "<platform version=\"4.1\">\n\n<host id=\"a&quot;&lt;\xc3\xa4\" speed=\"1Gf\"></host>\n\n"
            "<zone><prop id=\"x\" value=\"&amp;y\"></prop></zone></platform>\n");
}

TEST(SimgridFile, of_the_repository_is_a_platform) {
  int files = 0;
  for (auto const& entry : std::filesystem::directory_iterator(RONDO_SOURCE_DIR "/platforms")) {
    if (entry.path().extension() != ".xml") continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    EXPECT_EQ(refusal(text.str()), "accepted") << entry.path();
    ++files;
  }
  EXPECT_GE(files, 10);
}

}  // namespace
}  // namespace rondo
