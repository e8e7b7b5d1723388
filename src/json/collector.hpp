#pragma once

// Builds a JSON value from the events of the parser. The library has a way of its own to drop values, a callback,
// but it searches a whole list at the end of each object in the list, so its time grows as the square of the
// length.

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "json/value.hpp"

namespace rondo::json {

/// Builds a value whose parts arrive one by one.
class Collector {
 public:
  /// Whether a container is open.
  bool busy() const { return !open_.empty(); }
  std::size_t depth() const { return open_.size(); }
  /// How many values it has collected since the outermost container began.
  std::int64_t values() const { return values_; }
  void key(std::string const& key) { key_ = key; }
  bool has(std::string const& key) const { return open_.back()->contains(key); }

  /// Begins a container; the values that follow, up to its `end`, go into it.
  void start(Json container) {
    if (open_.empty()) values_ = 0;
    open_.push_back(&add(std::move(container)));
  }
  /// Adds a value to the innermost open container.
  Json& add(Json value) {
    ++values_;
    if (open_.empty()) return root_ = std::move(value);
    Json& into = *open_.back();
    if (into.is_object()) return into[key_] = std::move(value);
    into.push_back(std::move(value));
    return into.back();
  }
  void end() { open_.pop_back(); }
  Json& whole() { return root_; }

 private:
  Json root_{};
  // Only the innermost container grows, so that the pointers to the containers around it stay valid.
  std::vector<Json*> open_{};
  std::string key_{};
  std::int64_t values_ = 0;
};

}  // namespace rondo::json
