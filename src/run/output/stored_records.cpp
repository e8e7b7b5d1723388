// Stores records of a search by the key of their points. Failed points are written too, but they run again.

#include "run/output/stored_records.hpp"

#include <algorithm>

#include "run/points/results_file.hpp"

namespace rondo {

StoredRecords::StoredRecords(std::string const& path)
    : output_(make_record_writer(OutputFormat::jsonl, path, ExistingFile::resumed, TableOptions())) {
  for (ResultRow& row : read_results(path).rows) {
    if (!row.failed) rows_.emplace(std::move(row.key), Row{std::move(row.text), std::move(row.proof)});
  }
}

std::optional<Record> StoredRecords::find(std::string const& key, Proof proof) const {
  auto const [first, last] = rows_.equal_range(key);
  auto const row = std::find_if(first, last, [&](auto const& each) { return proved_enough(each.second.proof, proof); });
  return row != last ? std::optional(record_of(parsed_result(row->second.text))) : std::nullopt;
}

void StoredRecords::add(PointResult const& result) {
  output_->add(result);
  Record const& record = result.record;
  if (record.error) return;
  rows_.emplace(record_key(record.expanded, record.engine, record.version),
                Row{json_row(record), record.proof.value_or("")});
}

}  // namespace rondo
