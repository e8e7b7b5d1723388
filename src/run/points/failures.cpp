// Names of failures in the errors of records: "deadlock: ...", "timeout: ...".

#include "run/points/failures.hpp"

namespace rondo {

void add_failure(Record& record, Failure failure, std::string const& error) {
  record.error = failure_text(failure, error);
  if (failure == Failure::wrong_data) record.delivered = false;
}

std::string failure_text(Failure failure, std::string const& error) {
  std::string const kind = to_string(failure);
  return error.starts_with(kind) ? error : kind + ": " + error;
}

}  // namespace rondo
