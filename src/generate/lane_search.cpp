// Searches the shortest sequence of sets of links that contains all sequences of links, layer by layer from the start.
// Each layer keeps only the best states (beam search), so the result may be longer than necessary, but never shorter
// than the lower bound.

#include "generate/lane_search.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/ids.hpp"

namespace rondo::generate {
namespace {

/// Whether a sequence arises from the other one if elements are left out.
bool is_subsequence(LinkSequence const& part, LinkSequence const& whole) {
  auto next = part.begin();
  for (auto hop = whole.begin(); hop != whole.end() && next != part.end(); ++hop) {
    if (*hop == *next) ++next;
  }
  return next == part.end();
}

/// The number of hops that each sequence has taken.
using State = std::u16string;

/// The remaining work: uses of links, and hops. Less is better.
using Score = std::pair<std::int64_t, std::int64_t>;

/// A state that the search has reached, and how.
struct Step {
  State state;
  int before = 0;          ///< the place of its predecessor in the layer before
  std::vector<int> links;  ///< the links of the round that leads here
  Score score;
};

/// Limits: how many sets of links are tried from each state, and with how many of the best states another state is
/// compared.
constexpr std::size_t most_choices = 300, most_compared = 256;
/// The width of a first, narrow search, which usually succeeds.
constexpr std::size_t first_width = 40;

/// A layered search: layer r contains the states that can be reached in r rounds, as far as lower bounds allow an end
/// in time.
class Search {
 public:
  Search(std::vector<LinkSequence> const& sequences, int links, int ports)
      : sequences_(sequences),
        ports_(ports),
        counts_(sequences.size() * at(links)),
        most_(at(links)),
        wanted_(at(links)) {}

  /// Searches for this many rounds. Each layer keeps its `width` best states.
  LaneSearch run(int rounds, std::size_t width) {
    work_ = 0;
    complete_ = true;
    std::vector<std::vector<Step>> layers(1);
    layers[0].push_back({State(sequences_.size(), 0), 0, {}, {}});
    if (!fits(layers[0][0].state, rounds)) return {};
    for (int left = rounds; left > 0; --left) {
      std::vector<Step> next = expand(layers.back(), left, width);
      if (next.empty()) return {std::nullopt, complete_};
      layers.push_back(std::move(next));
    }
    return {links_by_round(layers), true};
  }

 private:
  /// Follows the steps back from the last layer to the first.
  static std::vector<std::vector<int>> links_by_round(std::vector<std::vector<Step>> const& layers) {
    std::vector<std::vector<int>> links;
    int place = 0;
    for (std::size_t layer = layers.size() - 1; layer > 0; --layer) {
      Step const& step = layers[layer][at(place)];
      links.push_back(step.links);
      place = step.before;
    }
    std::reverse(links.begin(), links.end());
    return links;
  }

  /// The next layer. Each layer gets an equal share of the remaining work.
  std::vector<Step> expand(std::vector<Step> const& layer, int left, std::size_t width) {
    std::int64_t const stop = work_ + (most_search_work - work_) / left;
    std::vector<Step> next;
    std::unordered_set<State> visited;
    for (std::size_t n = 0; n < layer.size() && (left > 1 || next.empty()); ++n) {
      if (work_ >= stop) {
        complete_ = false;
        break;
      }
      choose(layer[n].state, left, [&](std::vector<int> const& links) {
        State state = moved(layer[n].state, links);
        if (!visited.insert(state).second || !fits(state, left - 1)) return;
        next.push_back({std::move(state), static_cast<int>(n), links, score_});
      });
    }
    return best_of(std::move(next), width);
  }

  /// The best states first, without those that are behind another state on every sequence.
  std::vector<Step> best_of(std::vector<Step> steps, std::size_t width) {
    std::stable_sort(steps.begin(), steps.end(), [](Step const& a, Step const& b) { return a.score < b.score; });
    std::vector<Step> best;
    for (Step& step : steps) {
      auto const others = best.begin() + static_cast<std::ptrdiff_t>(std::min(best.size(), most_compared));
      work_ += (others - best.begin()) / 4 + 1;
      auto const passed = [&](Step const& other) {
        return std::equal(step.state.begin(), step.state.end(), other.state.begin(), std::less_equal<>());
      };
      if (std::any_of(best.begin(), others, passed)) continue;
      if (best.size() == width) {
        complete_ = false;
        break;
      }
      best.push_back(std::move(step));
    }
    return best;
  }

  /// The state after a round with these links: every sequence whose next link is among them advances.
  State moved(State state, std::vector<int> const& links) {
    for (int const link : links) wanted_[at(link)] = 1;
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
      if (state[i] < sequences_[i].size() && wanted_[at(sequences_[i][state[i]])] != 0) ++state[i];
    }
    for (int const link : links) wanted_[at(link)] = 0;
    work_ += std::ssize(sequences_);
    return state;
  }

  /// Calls visit(links) for the sets that are worth trying. If few links are waited for, this is all of them. Else the
  /// sets have as many links as there are ports, and contain the links that cannot wait.
  template <typename Visit>
  void choose(State const& state, int left, Visit const& visit) {
    std::vector<int> links;
    std::vector<std::pair<int, int>> waits(most_.size(), {0, 0});  // the longest sequence that waits, and how many wait
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
      if (state[i] == sequences_[i].size()) continue;
      int const link = sequences_[i][state[i]];
      auto& [longest, many] = waits[at(link)];
      if (many == 0) links.push_back(link);
      longest = std::max(longest, static_cast<int>(sequences_[i].size() - state[i]));
      ++many;
    }
    work_ += std::ssize(sequences_) + std::ssize(most_);
    if (std::ssize(links) <= ports_) {
      std::sort(links.begin(), links.end());
      visit(links);
      return;
    }
    std::sort(links.begin(), links.end(),
              [&](int a, int b) { return waits[at(a)] != waits[at(b)] ? waits[at(a)] > waits[at(b)] : a < b; });
    std::size_t forced = 0;
    while (forced < links.size() && waits[at(links[forced])].first == left) ++forced;
    if (forced > at(ports_)) return;
    each_choice(links, forced, visit);
  }

  /// The choices in lexicographic order, so that the most urgent links, which come first, are chosen longest.
  template <typename Visit>
  void each_choice(std::vector<int> const& links, std::size_t forced, Visit const& visit) {
    std::vector<std::size_t> chosen(at(ports_));
    std::iota(chosen.begin(), chosen.end(), 0);
    for (std::size_t choices = 0;; ++choices) {
      if (choices == most_choices) {
        complete_ = false;
        return;
      }
      std::vector<int> set;
      for (std::size_t const c : chosen) set.push_back(links[c]);
      std::sort(set.begin(), set.end());
      visit(set);
      std::size_t k = chosen.size();
      while (k > forced && chosen[k - 1] == links.size() - chosen.size() + k - 1) --k;
      if (k <= forced) return;
      ++chosen[k - 1];
      for (; k < chosen.size(); ++k) chosen[k] = chosen[k - 1] + 1;
    }
  }

  /// Whether the lower bounds allow the rest to end in `left` rounds. Also sets the score.
  bool fits(State const& state, int left) {
    score_.second = 0;
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
      std::size_t const rest = sequences_[i].size() - state[i];
      if (rest > at(left)) return false;
      score_.second += static_cast<std::int64_t>(rest);
    }
    return fits_from(state, left, true) && fits_from(state, left, false);
  }

  /// Checks, for each b, the hops that must be taken in the first b rounds (`at_first`), or in the last b rounds.
  bool fits_from(State const& state, int left, bool at_first) {
    std::fill(counts_.begin(), counts_.end(), 0);
    std::fill(most_.begin(), most_.end(), 0);
    std::int64_t needed = 0;
    for (int b = 1; b <= left; ++b) {
      for (std::size_t i = 0; i < sequences_.size(); ++i) {
        int const rest = static_cast<int>(sequences_[i].size() - state[i]);
        int const within = rest - (left - b);  // of its hops
        if (within <= 0) continue;
        int const hop = at_first ? within - 1 : rest - within;
        int const link = sequences_[i][state[i] + at(hop)];
        int const count = ++counts_[i * most_.size() + at(link)];
        if (count > most_[at(link)]) {
          ++most_[at(link)];
          ++needed;
        }
      }
      if (needed > std::int64_t{ports_} * b) return false;
    }
    work_ += std::ssize(counts_) / 8 + left * std::ssize(sequences_);
    score_.first = needed;
    return true;
  }

  std::vector<LinkSequence> const& sequences_;
  int ports_;
  std::vector<int> counts_;  ///< by sequence and link
  std::vector<int> most_;    ///< by link
  std::vector<char> wanted_;
  std::int64_t work_ = 0;
  Score score_;
  bool complete_ = true;
};

}  // namespace

/// The sequences that are no subsequences of others; the rounds that serve these serve all.
std::vector<LinkSequence> longest_sequences(std::vector<LinkSequence> sequences) {
  std::sort(sequences.begin(), sequences.end());
  sequences.erase(std::unique(sequences.begin(), sequences.end()), sequences.end());
  std::stable_sort(sequences.begin(), sequences.end(),
                   [](LinkSequence const& a, LinkSequence const& b) { return a.size() > b.size(); });
  std::vector<LinkSequence> longest;
  for (LinkSequence& sequence : sequences) {
    auto const covers = [&](LinkSequence const& other) { return is_subsequence(sequence, other); };
    if (std::none_of(longest.begin(), longest.end(), covers)) longest.push_back(std::move(sequence));
  }
  return longest;
}

/// A lower bound: the longest sequence, and how often each link is needed, divided by the ports.
int fewest_lane_rounds(std::vector<LinkSequence> const& sequences, int links, int ports) {
  std::vector<int> most(at(links), 0), count(at(links), 0);
  std::size_t longest = 0;
  for (LinkSequence const& sequence : sequences) {
    longest = std::max(longest, sequence.size());
    for (int const link : sequence) most[at(link)] = std::max(most[at(link)], ++count[at(link)]);
    for (int const link : sequence) count[at(link)] = 0;
  }
  int const needed = std::accumulate(most.begin(), most.end(), 0);
  return std::max(static_cast<int>(longest), (needed + ports - 1) / ports);
}

LaneSearch search_lanes(std::vector<LinkSequence> const& sequences, int links, int ports, int rounds) {
  Search search(sequences, links, ports);
  LaneSearch first = search.run(rounds, first_width);
  return first.found || first.complete ? first : search.run(rounds, std::numeric_limits<std::size_t>::max());
}

}  // namespace rondo::generate
