// libFuzzer's entry: the target that the environment names.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "fuzz.hpp"

namespace {

rondo::fuzz::Target const& chosen() {
  char const* const name = std::getenv("RONDO_FUZZ_TARGET");
  for (rondo::fuzz::Target const& target : rondo::fuzz::targets()) {
    if (name != nullptr && std::string_view(name) == target.name) return target;
  }
  rondo::fuzz::promise(false, "RONDO_FUZZ_TARGET names a target");
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  static rondo::fuzz::Target const& target = chosen();
  target.run({reinterpret_cast<char const*>(data), size});
  return 0;
}
