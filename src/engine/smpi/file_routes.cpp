// Reads the routes of a SimGrid platform file for the native engine, in a child process in which SimGrid loads the
// file.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <simgrid/s4u.hpp>
#include <span>

#include "base/error.hpp"
#include "base/index.hpp"
#include "engine/answer.hpp"
#include "engine/platform_file.hpp"
#include "engine/smpi/file_network.hpp"
#include "engine/smpi/simulation.hpp"

namespace rondo {

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
