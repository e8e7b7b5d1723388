// Reads platform files with expat and writes the elements that are allowed (simgrid_file.hpp). The lists of elements
// and attributes are from SimGrid's DTD 4.1.

#include "platform/simgrid_file.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <exception>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/suggest.hpp"

namespace rondo {
namespace {

constexpr int deepest = 64;  // open elements, with <platform>

/// The elements of SimGrid's DTD 4.1 (and the older names it still reads) that describe hosts, links and routes.
constexpr std::array<std::string_view, 20> of_platforms{
    "AS",     "ASroute", "backbone", "bypassASroute", "bypassRoute", "bypassZoneRoute", "cabinet", "cluster",
    "config", "disk",    "host",     "host_link",     "link",        "link_ctn",        "peer",    "prop",
    "route",  "router",  "zone",     "zoneRoute"};

/// The attributes that are bandwidths or latencies.
constexpr std::array<std::string_view, 11> quantities{"bandwidth",    "latency",     "bw",          "lat",
                                                      "bb_bw",        "bb_lat",      "bw_in",       "bw_out",
                                                      "limiter_link", "loopback_bw", "loopback_lat"};
constexpr double least_bandwidth = 1e-9;  // in the unit that follows it

/// All numbers in a text, whatever stands between them. A number that is negative or too large counts as
/// most_file_hosts + 1, so that the limits refuse it.
std::vector<std::int64_t> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < text.size();) {
    std::int64_t number = 0;
    auto const [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (end == text.data() + i) {
      ++i;
      continue;
    }
    numbers.push_back(error == std::errc() && number >= 0 ? number : most_file_hosts + 1);
    i = static_cast<std::size_t>(end - text.data());
  }
  return numbers;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Whether the text is a list such as "0-63,70" and nothing else. SimGrid might read more hosts than Rondo counts from
/// any other text.
bool is_list_of_ranges(std::string_view radical) {
  while (true) {
    std::string_view const range = radical.substr(0, radical.find(','));
    std::size_t const dash = range.find('-');
    if (!is_number(range.substr(0, dash))) return false;
    if (dash != std::string_view::npos && !is_number(range.substr(dash + 1))) return false;
    if (range.size() == radical.size()) return true;
    radical.remove_prefix(range.size() + 1);
  }
}

/// How many hosts a list such as "0-63,70" names. The count stops once it is above most_file_hosts.
std::int64_t hosts_named(std::string_view radical) {
  std::int64_t hosts = 0;
  while (!radical.empty() && hosts <= most_file_hosts) {
    std::size_t const comma = std::min(radical.find(','), radical.size());
    std::string range(radical.substr(0, comma));
    std::replace(range.begin(), range.end(), '-', ' ');
    std::vector<std::int64_t> const ends = numbers_in(range);
    hosts += ends.size() == 2 ? std::max<std::int64_t>(ends[1] - ends[0] + 1, 0) : 1;
    radical.remove_prefix(std::min(comma + 1, radical.size()));
  }
  return hosts;
}

/// An upper bound of the hosts, routers or switches in a cluster with these parameters: "3,4;4,3;5,1;2" of a dragonfly
/// (how many, cables), "2;4,4;1,2;1,2" of a fat tree (levels; down; up; cables), "4,4,2" of a torus. Cables and levels
/// are not counted. It is 1 without parameters.
double largest_part(std::string_view topology, std::string_view parameters) {
  double product = 1;
  for (std::size_t group = 0; !parameters.empty(); ++group) {
    std::size_t const end = std::min(parameters.find(';'), parameters.size());
    std::vector<std::int64_t> numbers = numbers_in(parameters.substr(0, end));
    if (topology == "DRAGONFLY" && numbers.size() > 1) numbers.resize(1);
    bool const counts = topology != "FAT_TREE" || group == 1 || group == 2;
    for (std::int64_t const number : numbers)
      product *= counts ? static_cast<double>(std::max<std::int64_t>(number, 1)) : 1;
    parameters.remove_prefix(std::min(end + 1, parameters.size()));
  }
  return product;
}

/// How many cables a fat tree with these parameters has: a node of level l has up[l] times cables[l] of them to the
/// level above. It is 0 unless there are four groups of parameters.
double fat_tree_cables(std::string_view parameters) {
  std::vector<std::vector<std::int64_t>> groups;
  for (; !parameters.empty(); parameters.remove_prefix(std::min(parameters.find(';'), parameters.size() - 1) + 1)) {
    groups.push_back(numbers_in(parameters.substr(0, parameters.find(';'))));
  }
  double cables = 0, below = 1;
  for (std::size_t l = 0; groups.size() == 4 && l < std::min({groups[1].size(), groups[2].size(), groups[3].size()});
       ++l) {
    double nodes = below;
    for (std::size_t above = l; above < groups[1].size(); ++above) nodes *= static_cast<double>(groups[1][above]);
    cables += nodes * static_cast<double>(groups[2][l]) * static_cast<double>(groups[3][l]);
    below *= static_cast<double>(groups[2][l]);
  }
  return cables;
}

/// Reads the file from event to event and writes the text that SimGrid will read. An object reads one text.
class FileRewriter {
 public:
  /// Entities are not expanded: declarations are refused.
  FileRewriter(std::string_view text, std::string const& name, std::vector<std::string>* remarks)
      : text_(text), name_(name), remarks_(remarks), parser_(XML_ParserCreate(nullptr), XML_ParserFree) {
    if (!parser_) throw std::bad_alloc();
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(parser_.get(), guarded<&FileRewriter::open>, guarded<&FileRewriter::close>);
    XML_SetCharacterDataHandler(parser_.get(), guarded<&FileRewriter::refuse_text>);
    XML_SetStartDoctypeDeclHandler(parser_.get(), guarded<&FileRewriter::refuse_declarations>);
  }

  /// Reads the text and returns the new one. Throws InputError with the line; may be called once.
  std::string result() {
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      throw InputError(fmt::format("{}: expected a SimGrid platform file, got an empty one", name_));
    }
    if (text_.find('\0') != std::string_view::npos) {
      throw InputError(fmt::format("{}: expected text in UTF-8, got a zero byte", name_));
    }
    written_ = "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";
    auto const status = XML_Parse(parser_.get(), text_.data(), static_cast<int>(text_.size()), 1);
    if (refusal_) std::rethrow_exception(refusal_);
    if (status != XML_STATUS_OK) fail(XML_ErrorString(XML_GetErrorCode(parser_.get())));
    return written_ + "\n";
  }

 private:
  /// A callback for expat, which is C code: no exception may pass through it, so the function keeps it for later.
  template <auto member, typename... Arguments>
  static void guarded(void* self, Arguments... arguments) {
    auto& rewriting = *static_cast<FileRewriter*>(self);
    if (rewriting.refusal_) return;
    try {
      (rewriting.*member)(arguments...);
    } catch (...) {
      rewriting.refusal_ = std::current_exception();
      XML_StopParser(rewriting.parser_.get(), XML_FALSE);
    }
  }

  /// The message `what` behind the place in the file at which the parser is: "NAME:LINE:COLUMN: what".
  std::string here(std::string const& what) const {
    return fmt::format("{}:{}:{}: {}", name_, XML_GetCurrentLineNumber(parser_.get()),
                       XML_GetCurrentColumnNumber(parser_.get()) + 1, what);
  }

  [[noreturn]] void fail(std::string const& what) const { throw InputError(here(what)); }

  /// Writes an element, or leaves it out with all that it contains.
  void open(XML_Char const* element, XML_Char const** attributes) {
    if (left_out_ > 0) {
      ++left_out_;
      return;
    }
    expect_element(element);
    refuse_references();
    if (depth_ > 0 && leaves_out(element)) {
      left_out_ = 1;
      return;
    }
    count_hosts(element, attributes);
    auto const line = static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser_.get()));
    for (; line_ < line; ++line_) written_ += '\n';
    written_ += fmt::format("<{}", element);
    for (; *attributes != nullptr; attributes += 2) write_attribute(element, attributes[0], attributes[1]);
    written_ += '>';
    ++depth_;
  }

  /// Writes the end of an element that is not left out.
  void close(XML_Char const* element) {
    if (left_out_ > 0) {
      --left_out_;
      return;
    }
    written_ += fmt::format("</{}>", element);
    --depth_;
  }

  /// Whether this element is left out with everything in it. Adds the remark on SimGrid's configuration.
  bool leaves_out(std::string_view element) const {
    if (element == "config" && remarks_ != nullptr) {
      remarks_->push_back(here("<config> is left out: Rondo alone configures SimGrid"));
    }
    return element == "config" || element == "disk";
  }

  /// Throws InputError for elements that do not belong to a platform.
  void expect_element(std::string_view element) const {
    if (depth_ >= deepest) fail(fmt::format("nested deeper than {}", deepest));
    if (depth_ == 0 && element != "platform") fail(fmt::format("expected <platform>, got <{}>", excerpt(element)));
    if (depth_ == 0) return;
    if (std::ranges::find(of_platforms, element) != of_platforms.end()) return;
    std::vector<std::string> const elements(of_platforms.begin(), of_platforms.end());
    if (element == "trace" || element == "trace_connect") {
      fail(fmt::format("expected hosts and links that do not change, got <{}>: profiles are not carried out", element));
    }
    fail(fmt::format("expected hosts, links and routes, got <{}>, which is no part of a platform{}", excerpt(element),
                     did_you_mean(std::string(element), elements)));
  }

  /// If expat has not read the DTD of a document, it drops references to entities from attributes without an error. So
  /// the text of the tag is searched for them here.
  void refuse_references() const {
    auto const begin = static_cast<std::size_t>(XML_GetCurrentByteIndex(parser_.get()));
    std::string_view const tag = text_.substr(begin, static_cast<std::size_t>(XML_GetCurrentByteCount(parser_.get())));
    for (std::size_t position = tag.find('&'); position != std::string_view::npos;
         position = tag.find('&', position + 1)) {
      std::string_view const reference = tag.substr(position + 1, tag.find(';', position) - position - 1);
      constexpr std::array<std::string_view, 5> predefined{"lt", "gt", "amp", "quot", "apos"};
      if (reference.starts_with('#') || std::ranges::find(predefined, reference) != predefined.end()) continue;
      fail(fmt::format("expected no entities, got &{};", excerpt(reference)));
    }
  }

  /// Writes an attribute. Throws InputError for attributes that name files or change the platform with time, and for
  /// wrong quantities.
  void write_attribute(std::string_view element, std::string_view name, std::string_view value) {
    constexpr std::array<std::string_view, 4> profiles{"speed_file", "state_file", "bandwidth_file", "latency_file"};
    if (std::ranges::find(profiles, name) != profiles.end() || name == "availability_file") {
      fail(fmt::format("expected hosts and links that do not change, got \"{}\" of <{}>: profiles are not carried out",
                       name, element));
    }
    if (name.ends_with("_file") || name == "file" || name == "content") {
      fail(fmt::format("expected no attribute \"{}\" of <{}>, which names another file", excerpt(name), element));
    }
    if (std::ranges::find(quantities, name) != quantities.end()) expect_quantity(name, value);
    written_ += fmt::format(" {}=\"{}\"", name, xml_escaped(value));
  }

  /// SimGrid takes a link of zero or negative bandwidth for an unlimited one, so such numbers are refused. A list has
  /// commas or semicolons between its numbers. SimGrid checks the unit behind each number.
  void expect_quantity(std::string_view name, std::string_view value) const {
    bool const is_latency = name.ends_with("lat") || name == "latency";
    for (std::string_view rest = value; !rest.empty();) {
      std::string_view const each = rest.substr(0, rest.find_first_of(",;"));
      rest.remove_prefix(std::min(each.size() + 1, rest.size()));
      double number = 0;
      auto const read = std::from_chars(each.data(), each.data() + each.size(), number);
      bool const out_of_range = read.ec != std::errc() || !std::isfinite(number);
      if (!out_of_range && (is_latency ? number >= 0 : number >= least_bandwidth)) continue;
      fail(
          fmt::format("expected {} to be a {} with a unit, got \"{}\"", name,
                      is_latency ? "latency of at least 0" : fmt::format("bandwidth of at least {:g}", least_bandwidth),
                      excerpt(each)));
    }
  }

  /// Counts the hosts of clusters too, so that a file cannot make SimGrid fill the memory.
  void count_hosts(std::string_view element, XML_Char const** attributes) {
    std::string_view radical, topology, parameters;
    for (; *attributes != nullptr; attributes += 2) {
      std::string_view const name = attributes[0];
      if (name == "radical") radical = attributes[1];
      if (name == "topology") topology = attributes[1];
      if (name == "topo_parameters") parameters = attributes[1];
    }
    if (!radical.empty() && !is_list_of_ranges(radical))
      fail(fmt::format("expected radical to be hosts as 0-63,70, got \"{}\"", excerpt(radical)));
    hosts_ += element == "host" || element == "peer" ? 1 : hosts_named(radical);
    if (hosts_ > most_file_hosts) fail(fmt::format("expected at most {} hosts, got more", most_file_hosts));
    if (largest_part(topology, parameters) > static_cast<double>(most_file_hosts)) {
      fail(fmt::format("expected at most {} hosts, routers or switches, got topo_parameters=\"{}\"", most_file_hosts,
                       excerpt(parameters)));
    }
    if (topology == "FAT_TREE" && fat_tree_cables(parameters) > static_cast<double>(most_file_cables)) {
      fail(
          fmt::format("expected at most {} cables, got topo_parameters=\"{}\"", most_file_cables, excerpt(parameters)));
    }
  }

  void refuse_text(XML_Char const* text, int size) const {
    std::string_view const found(text, static_cast<std::size_t>(size));
    if (found.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
    fail(fmt::format("expected no text between elements, got \"{}\"", excerpt(found)));
  }

  void refuse_declarations(XML_Char const*, XML_Char const*, XML_Char const*, int has_internal_subset) const {
    if (has_internal_subset != 0)
      fail("expected no declarations in <!DOCTYPE>, got some: a platform file has no entities");
  }

  std::string_view text_;
  std::string const& name_;            ///< of the file, for errors
  std::vector<std::string>* remarks_;  ///< may be null
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  std::exception_ptr refusal_;  ///< the first exception of a callback; null: none
  std::string written_;         ///< the new text so far
  std::int64_t line_ = 1;       ///< on which the next character is written
  std::int64_t hosts_ = 0;      ///< so far, with those of clusters
  int depth_ = 0;               ///< how many elements are open that are not left out
  int left_out_ = 0;            ///< how many open elements are left out
};

}  // namespace

std::string simgrid_platform(std::string_view text, std::string const& name, std::vector<std::string>* remarks) {
  if (text.size() > most_platform_bytes)
    throw InputError(fmt::format("{}: larger than {} bytes", name, most_platform_bytes));
  return FileRewriter(text, name, remarks).result();
}

}  // namespace rondo
