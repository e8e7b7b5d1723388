// What both engines do about parts before they begin.

#include "base/error.hpp"
#include "engine/engine.hpp"

namespace rondo {

Platform with_parts(Platform platform, Parts const& parts) {
  if (platform.timing == TimingModel::loggp) throw InputError(no_timing_of_parts);
  if (std::holds_alternative<PlatformFile>(platform.topology)) throw InputError(no_file_for_parts);
  platform.rank_of_part = parts.rank_of;
  return platform;
}

}  // namespace rondo
