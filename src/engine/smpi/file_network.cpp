// Loads platform files into SimGrid, finds the hosts of the ranks and their NICs, and refuses platforms that Rondo
// cannot simulate. read_routes() reads the routes of a file for the native engine, in a child process in which
// SimGrid loads the file.

#include "engine/smpi/file_network.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <limits>
#include <map>
#include <simgrid/s4u.hpp>
#include <span>
#include <system_error>
#include <unordered_map>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/ids.hpp"
#include "engine/answer.hpp"
#include "engine/engine.hpp"
#include "engine/smpi/machine.hpp"
#include "engine/smpi/simulation.hpp"
#include "platform/simgrid_file.hpp"
#include "process/descriptor.hpp"

namespace rondo {

namespace {

namespace s4u = simgrid::s4u;

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// The digits at `from`, without leading zeros; one zero stays if there are only zeros.
std::string_view number(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && is_digit(text[end])) ++end;
  while (from + 1 < end && text[from] == '0') ++from;
  return text.substr(from, end - from);
}

/// The place after the digits at `from`.
std::size_t after_number(std::string_view text, std::size_t from) {
  while (from < text.size() && is_digit(text[from])) ++from;
  return from;
}

/// The text that SimGrid reads, as a file in memory. So SimGrid loads the text that was checked, even if the file
/// changes in the meantime, and does not mistake the user's file for a library because of its name.
class PlatformText {
 public:
  explicit PlatformText(std::string_view text) : file_(memfd_create("platform", MFD_CLOEXEC)) {
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), "memory for the platform");
    if (!write_all(file_, text)) throw std::system_error(errno, std::generic_category(), "memory for the platform");
  }
  ~PlatformText() { ::close(file_); }
  PlatformText(PlatformText const&) = delete;
  PlatformText& operator=(PlatformText const&) = delete;

  std::string path() const { return fmt::format("/proc/self/fd/{}", file_); }

 private:
  int file_;
};

/// The links between the hosts and the network. Each may belong to one host and one direction only.
class Nics {
 public:
  explicit Nics(std::string const& path) : path_(path) {}

  /// Notes that a host uses a link as its NIC, and returns the link. Throws InputError if another host or the other
  /// direction uses it too.
  s4u::Link* claim(s4u::Link* link, s4u::Host const* host) {
    auto const [place, fresh] = owner_.emplace(link, host);
    if (fresh) return link;
    std::string const whose = place->second == host ? fmt::format("host {} sends and receives", host->get_name())
                                                    : fmt::format("hosts {} and {} send or receive",
                                                                  place->second->get_name(), host->get_name());
    throw InputError(
        fmt::format("{}: {} over one link, {}: expected an up link and a down link of its own for each "
                    "host, to count its ports there",
                    path_, whose, link->get_name()));
  }

  /// Finds the NICs as the first and last links of the routes between each host and the next one; the first host
  /// follows the last one. Throws InputError if such a route has no links, or if two uses share a NIC.
  void find(std::vector<FileHost>& hosts) {
    for (std::size_t i = 0; i < hosts.size(); ++i) {
      FileHost& each = hosts[i];
      s4u::Host const* const other = hosts[(i + 1) % hosts.size()].host;
      std::vector<s4u::Link*> out, in;
      each.host->route_to(other, out, nullptr);
      other->route_to(each.host, in, nullptr);
      if (out.empty() || in.empty()) {
        throw InputError(
            fmt::format("{}: no route joins hosts {} and {}", path_, each.host->get_name(), other->get_name()));
      }
      each.up = claim(out.front(), each.host);
      each.down = claim(in.back(), each.host);
    }
  }

 private:
  std::string const& path_;
  std::map<s4u::Link const*, s4u::Host const*> owner_;  ///< by NIC
};

}  // namespace

/// Numbers with the same value are equal, so names that differ in leading zeros alone are compared as text.
bool natural_less(std::string const& a, std::string const& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      auto const x = number(a, i), y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
      i = after_number(a, i);
      j = after_number(b, j);
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i, ++j;
    }
  }
  if (i == a.size() && j == b.size()) return a < b;  // h1 and h01
  return i == a.size();
}

namespace {

/// Throws InputError for links with another sharing policy than shared, split or fat pipe, such as wireless links.
void expect_wired(std::string const& path, s4u::Engine const& engine) {
  using Policy = s4u::Link::SharingPolicy;
  for (s4u::Link const* link : engine.get_all_links()) {
    Policy const policy = link->get_sharing_policy();
    if (policy == Policy::SHARED || policy == Policy::SPLITDUPLEX || policy == Policy::FATPIPE) continue;
    throw InputError(
        fmt::format("{}: link {} shares its bandwidth by a rule of its own, as wireless links do: expected shared "
                    "links, split ones and fat pipes",
                    path, link->get_name()));
  }
}

/// The links of the route. Sets `latency` unless it is null. Without a route SimGrid throws various exceptions, and the
/// list is empty.
std::vector<s4u::Link*> links_of(s4u::Host const& from, s4u::Host const& to, double* latency) {
  std::vector<s4u::Link*> links;
  try {
    from.route_to(&to, links, latency);
  } catch (std::exception const&) {
    links.clear();
  }
  return links;
}

/// Throws InputError if no host can send to any other. A single pair without a route is reported when it is used.
void expect_routes(std::string const& path, std::vector<FileHost> const& hosts) {
  for (FileHost const& from : hosts) {
    for (FileHost const& to : hosts) {
      if (from.host != to.host && !links_of(*from.host, *to.host, nullptr).empty()) return;
    }
  }
  throw InputError(fmt::format(
      "{}: no links join any two of the hosts of the ranks: expected routes with links, which have bandwidths; Vivaldi "
      "coordinates and networks of ns-3 have none",
      path));
}

}  // namespace

std::vector<FileHost> load_file(PlatformFile const& file, s4u::Engine& engine, int ranks) {
  std::string const& path = file.path;
  PlatformText const text(simgrid_platform(read_file(path, most_platform_bytes), path));
  engine.load_platform(text.path());
  auto found = engine.get_all_hosts();
  if (static_cast<int>(found.size()) < ranks) {
    throw InputError(fmt::format("{}: the ranks need {} hosts, the platform has {}", path, ranks, found.size()));
  }
  std::sort(found.begin(), found.end(),
            [](s4u::Host const* a, s4u::Host const* b) { return natural_less(a->get_name(), b->get_name()); });
  found.resize(static_cast<std::size_t>(ranks));
  std::vector<FileHost> hosts;
  for (s4u::Host* host : found) hosts.push_back({host, nullptr, nullptr});
  engine.seal_platform();
  expect_wired(path, engine);
  if (ranks > 1) file.own_numbers ? expect_routes(path, hosts) : Nics(path).find(hosts);
  return hosts;
}

/// A message that crosses a shared link several times gets that part of its bandwidth. A fat pipe gives each crossing
/// its whole bandwidth.
FileRoute file_route(std::string const& path, s4u::Host const& from, s4u::Host const& to) {
  FileRoute route;
  route.links = links_of(from, to, &route.latency);
  if (route.links.empty()) {
    throw InputError(
        fmt::format("{}: no links join hosts {} and {}: expected a route with links between hosts that "
                    "send to each other",
                    path, from.get_name(), to.get_name()));
  }
  std::unordered_map<s4u::Link const*, int> times;  // that the message crosses the link
  route.bandwidth = std::numeric_limits<double>::infinity();
  for (s4u::Link const* link : route.links) {
    int const crossed = link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE ? 1 : ++times[link];
    route.bandwidth = std::min(route.bandwidth, link->get_bandwidth() / crossed);
  }
  return route;
}

void expect_nics(FileHost const& from, FileHost const& to, std::vector<s4u::Link*> const& links) {
  if (!links.empty() && links.front() == from.up && links.back() == to.down) return;
  throw InputError(
      fmt::format("the route from host {} to {} does not lead over {} and {}: expected each host to send "
                  "and to receive over one link each, to count its ports there",
                  from.host->get_name(), to.host->get_name(), from.up->get_name(), to.down->get_name()));
}

namespace {

namespace s4u = simgrid::s4u;

/// Reads routes, and numbers the links that messages share in the order in which they appear.
class RouteReader {
 public:
  RouteReader(PlatformFile const& file, std::vector<FileHost> const& hosts) : file_(file), hosts_(hosts) {}

  /// Reads the route between two ranks. The first and the last link are NICs, unless the file's own numbers are used.
  void read(int from, int to) {
    FileHost const& source = hosts_[at(from)];
    FileHost const& target = hosts_[at(to)];
    FileRoute const found = file_route(file_.path, *source.host, *target.host);
    std::span<s4u::Link* const> links = found.links;
    if (!file_.own_numbers) {
      expect_nics(source, target, found.links);
      links = links.subspan(1, links.size() - 2);
    }
    FileRoutes::Route route{static_cast<std::uint32_t>(links_.size()), 0, std::numeric_limits<double>::infinity(),
                            found.latency, found.bandwidth};
    for (s4u::Link const* link : links) add(*link, route);
    routes_.push_back(route);
  }

  /// Writes the routes to the parent process.
  void send(int answer) const {
    send_result(answer, std::as_bytes(std::span(capacities_)));
    send_result(answer, std::as_bytes(std::span(links_)));
    send_result(answer, std::as_bytes(std::span(routes_)));
    rondo::send(answer, Timing{});
  }

 private:
  /// Fat pipes carry every message at their full bandwidth, so they are not shared; they only bound the bandwidth.
  void add(s4u::Link const& link, FileRoutes::Route& route) {
    if (link.get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE) {
      route.narrowest = std::min(route.narrowest, link.get_bandwidth());
      return;
    }
    auto const [found, is_new] = number_.try_emplace(&link, static_cast<std::uint32_t>(capacities_.size()));
    if (is_new) capacities_.push_back(link.get_bandwidth());
    links_.push_back(found->second);
    ++route.length;
  }

  PlatformFile const& file_;
  std::vector<FileHost> const& hosts_;
  std::unordered_map<s4u::Link const*, std::uint32_t> number_;
  std::vector<double> capacities_;
  std::vector<std::uint32_t> links_;
  std::vector<FileRoutes::Route> routes_;
};

/// Bytes as numbers.
template <typename Value>
std::vector<Value> values(std::vector<std::byte> const& bytes) {
  std::vector<Value> result(bytes.size() / sizeof(Value));
  if (!result.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

}  // namespace

/// SimGrid reads the file in a child, because its errors end the process.
Outcome<FileRoutes> read_routes(Platform const& platform, int ranks, std::vector<std::pair<int, int>> const& pairs,
                                Seconds timeout) {
  auto const& file = std::get<PlatformFile>(platform.topology);
  auto const work = [&](int answer) {
    std::string name = "rondo", format = "--log=root.fmt:%m%n", threshold = "--log=root.threshold:error";
    std::vector<char*> words{name.data(), format.data(), threshold.data()};
    int count = static_cast<int>(words.size());
    s4u::Engine engine(&count, words.data());
    std::vector<FileHost> const hosts = load_file(file, engine, ranks);
    send_ready(answer);
    RouteReader reader(file, hosts);
    for (auto const& [from, to] : pairs) reader.read(from, to);
    reader.send(answer);
    // Ends the process without SimGrid's own shutdown.
    _exit(0);
  };
  Outcome<ProgramRun> outcome = run_simgrid_in_child(work, platform, timeout);
  if (!outcome.result) return {std::nullopt, outcome.failure, std::move(outcome.error)};
  auto const& results = outcome.result->results;
  expects(results.size() == 3, "capacities, links and routes");
  FileRoutes routes{values<double>(results[0]), values<std::uint32_t>(results[1]), {}};
  auto const read = values<FileRoutes::Route>(results[2]);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    routes.routes.emplace(FileRoutes::pair(pairs[i].first, pairs[i].second), read[i]);
  }
  return {std::move(routes), {}, {}};
}

}  // namespace rondo
