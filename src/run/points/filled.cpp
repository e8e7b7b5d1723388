#include "run/points/filled.hpp"

#include <fmt/format.h>

#include <chrono>
#include <new>

#include "base/error.hpp"

namespace rondo {

Record filled(Record record, std::function<void(Record&)> const& fill) {
  auto const start = std::chrono::steady_clock::now();
  try {
    fill(record);
  } catch (InputError const& error) {
    record.error = fmt::format("refused: {}", error.what());
  } catch (std::bad_alloc const&) {
    record.error = "out of memory before the simulation";
  }
  record.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return record;
}

void add_failure(Record& record, Failure failure, std::string const& error) {
  record.error = failure_text(failure, error);
  if (failure == Failure::wrong_data) record.delivered = false;
}

std::string failure_text(Failure failure, std::string const& error) {
  std::string const kind = to_string(failure);
  return error.starts_with(kind) ? error : kind + ": " + error;
}

}  // namespace rondo
