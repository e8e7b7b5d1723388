#pragma once

// Builds a JSON value from the events of the parser, so that values can be handled and dropped while a text is read.
// The library's own means for this, a callback, searches a whole list at the end of each object in the list, so its
// time grows as the square of the length.

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
  /// How many containers are open.
  std::size_t depth() const { return open_.size(); }
  /// How many values it has collected since the outermost container began, with the containers themselves.
  std::int64_t values() const { return values_; }
  /// Sets the key of the next value, if the innermost open container is an object.
  void key(std::string const& key) { key_ = key; }
  /// Whether the innermost open container has this key already. A container must be open.
  bool has(std::string const& key) const { return open_.back()->contains(key); }

  /// Begins a container; the values that follow, up to its `end`, go into it.
  void start(Json container) {
    if (open_.empty()) values_ = 0;
    open_.push_back(&add(std::move(container)));
  }
  /// Adds a value to the innermost open container, and returns its place there. If none is open, it becomes the whole
  /// value.
  Json& add(Json value) {
    ++values_;
    if (open_.empty()) return root_ = std::move(value);
    Json& into = *open_.back();
    if (into.is_object()) return into[key_] = std::move(value);
    into.push_back(std::move(value));
    return into.back();
  }
  /// Ends the innermost open container.
  void end() { open_.pop_back(); }
  /// The value so far; null before the first one.
  Json& whole() { return root_; }

 private:
  Json root_{};
  /// The open containers, from the outermost one. Only the innermost one grows, so the pointers to the others stay
  /// valid.
  std::vector<Json*> open_{};
  std::string key_{};  ///< of the next member
  std::int64_t values_ = 0;
};

}  // namespace rondo::json
