#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sample.hpp"

namespace rondo::scenario {

/// What is changed in the sample, and the exact line that refuses it.
struct Case {
  std::string patch;
  std::string message;  ///< behind "s.json: "
};

inline void expect_refusals(std::vector<Case> const& cases) {
  for (Case const& c : cases) {
    EXPECT_EQ(refusal([&] { read_all(sample(c.patch), "s.json"); }), "s.json: " + c.message) << c.patch;
  }
}

}  // namespace rondo::scenario
