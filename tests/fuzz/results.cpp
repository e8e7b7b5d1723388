// The target of result files: what `--resume`, `merge` and `report` read.

#include "base/error.hpp"
#include "fuzz.hpp"
#include "run/output/report.hpp"
#include "run/output/report_input.hpp"
#include "run/points/results_file.hpp"
#include "run/points/resume.hpp"

namespace rondo::fuzz {

void fuzz_results(std::string_view text) {
  TextFile const file(text);
  accepted([&] {
    ResultsFile const read = read_results(file.path());
    std::string whole = read.header;
    for (ResultRow const& row : read.rows) whole += row.text;
    promise(text.substr(0, read.whole) == whole, "each byte of a whole row is kept");
    std::vector<PendingPoint> due;
    for (ResultRow const& row : read.rows)
      due.push_back({"other.json", 7, 9, row.key, row.key_without_files, row.facts.value_or(RecordFacts{})});
    // What is renamed must be read for it, and may be refused.
    accepted([&] {
      Resumption const kept = resumption(read, due, {WithError::accepted, Proof::off});
      promise(kept.rows == read.rows.size(), "each row is kept or left out");
    });
  });
  accepted([&] { promise(!merged({file.path()}).text.empty(), "what is merged holds a record"); });
  accepted([&] { promise(!report_html(read_report_input({file.path()})).empty(), "a report is a page"); });
}

}  // namespace rondo::fuzz
