// What both engines do about parts before they begin.

#include "engine/engine.hpp"

namespace rondo {

Platform with_parts(Platform platform, Parts const& parts) {
  platform.rank_of_part = parts.rank_of;
  return platform;
}

}  // namespace rondo
