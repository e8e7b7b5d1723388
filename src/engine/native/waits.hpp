#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rondo::native {

/// A rank that waits for ever, and a rank it waits for.
struct Wait {
  std::int32_t rank = 0;
  std::int32_t on = 0;  ///< nobody: the partner is no rank
  int round = 0;        ///< that it waits in
};

/// One line on a standstill: a smallest circular wait if there is one, else the first wait for something that is never
/// posted. `waits` is not empty.
std::string describe_standstill(int ranks, std::vector<Wait> const& waits);

}  // namespace rondo::native
