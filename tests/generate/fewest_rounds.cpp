#include "generate/fewest_rounds.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <set>

namespace rondo::fewest_rounds {
namespace {

/// Literals: has(t,r,o), rank r holds the block of o after t rounds; sends(t,l), link l is used in round t;
/// carries(t,l,o), it carries the block of o.
class Formula {
 public:
  Formula(Problem const& problem, int rounds) : problem_(problem), rounds_(rounds), p_(problem.ranks) {
    solver_.set("quiet", 1);
    for (int from = 0; from < p_; ++from) {
      for (int const to : problem.links[static_cast<std::size_t>(from)]) links_.push_back({from, to});
    }
    start();
    for (int t = 1; t <= rounds_; ++t) {
      one_port(t);
      move(t);
    }
    for (int o = 0; o < p_; ++o) {
      for (int const target : problem_.targets[static_cast<std::size_t>(o)]) clause({has(rounds_, target, o)});
    }
  }

  bool satisfiable() { return solver_.solve() == 10; }

 private:
  struct Link {
    int from, to;
  };
  int links() const { return static_cast<int>(links_.size()); }
  int has(int t, int r, int o) const { return 1 + (t * p_ + r) * p_ + o; }
  int sends(int t, int l) const { return has(rounds_, p_ - 1, p_ - 1) + 1 + (t - 1) * links() + l; }
  int carries(int t, int l, int o) const { return sends(rounds_, links() - 1) + 1 + ((t - 1) * links() + l) * p_ + o; }

  void clause(std::vector<int> const& literals) {
    for (int const literal : literals) solver_.add(literal);
    solver_.add(0);
  }

  void start() {
    for (int r = 0; r < p_; ++r) {
      for (int o = 0; o < p_; ++o) clause({r == o ? has(0, r, o) : -has(0, r, o)});
    }
  }

  void one_port(int t) {
    for (int a = 0; a < links(); ++a) {
      for (int b = a + 1; b < links(); ++b) {
        Link const& first = links_[static_cast<std::size_t>(a)];
        Link const& second = links_[static_cast<std::size_t>(b)];
        if (first.from == second.from || first.to == second.to) clause({-sends(t, a), -sends(t, b)});
      }
    }
  }

  void move(int t) {
    for (int o = 0; o < p_; ++o) {
      for (int r = 0; r < p_; ++r) {
        std::vector<int> held{-has(t, r, o), has(t - 1, r, o)};
        for (int l = 0; l < links(); ++l) {
          if (links_[static_cast<std::size_t>(l)].to == r) held.push_back(carries(t, l, o));
        }
        clause(held);
      }
      for (int l = 0; l < links(); ++l) {
        clause({-carries(t, l, o), sends(t, l)});
        clause({-carries(t, l, o), has(t - 1, links_[static_cast<std::size_t>(l)].from, o)});
      }
    }
  }

  Problem const& problem_;
  int rounds_;
  int p_;
  std::vector<Link> links_;
  CaDiCaL::Solver solver_;
};

}  // namespace

bool possible(Problem const& problem, int rounds) { return Formula(problem, rounds).satisfiable(); }

int fewest(Problem const& problem, int at_least) {
  int rounds = at_least;
  while (!possible(problem, rounds)) ++rounds;
  return rounds;
}

std::vector<std::vector<int>> unit_links(Torus const& torus) {
  std::vector<std::vector<int>> links;
  for (int r = 0; r < torus.size(); ++r) {
    std::set<int> neighbors;
    for (int j = 0; j < torus.dimensions(); ++j) {
      for (int const sign : {+1, -1}) neighbors.insert(torus.shift(Rank(r), j, sign).value);
    }
    neighbors.erase(r);
    links.emplace_back(neighbors.begin(), neighbors.end());
  }
  return links;
}

std::vector<std::vector<int>> any_links(int ranks) {
  std::vector<std::vector<int>> links(static_cast<std::size_t>(ranks));
  for (int from = 0; from < ranks; ++from) {
    for (int to = 0; to < ranks; ++to) {
      if (to != from) links[static_cast<std::size_t>(from)].push_back(to);
    }
  }
  return links;
}

}  // namespace rondo::fewest_rounds
