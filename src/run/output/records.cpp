// Each record is written as a whole, by one write, so that an interrupted file has complete rows. A lock keeps two
// processes from writing one file. A profile has a row for each collective on each communicator, the longest total
// time first. A search finds a record by the key of its point; failed points are written too, but they run again.

#include "run/output/records.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/units.hpp"
#include "process/descriptor.hpp"
#include "run/output/text_table.hpp"
#include "run/points/atomic_file.hpp"
#include "run/points/results_file.hpp"

namespace rondo {
namespace {

constexpr std::size_t most_rows = 20;

std::vector<std::string> row_of(nlohmann::ordered_json const& calls) {
  auto const seconds = [&](char const* key) { return shown(calls[key].get<double>()); };
  return {calls["call"].get<std::string>(),
          calls["communicator"].get<std::string>(),
          std::to_string(calls["ranks"].get<int>()),
          std::to_string(calls["calls"].get<std::int64_t>()),
          print(Bytes(calls["bytes"].get<std::int64_t>())),
          seconds("time_s"),
          seconds("longest_s"),
          fmt::format("{:.1f} %", calls["share"].get<double>() * 100)};
}

/// The calls in a record's `profile`, the longest time first: a heading that names the point, and a table of at most 20
/// rows. Empty if the record has no profile.
std::string profile_table(Record const& record, bool markdown) {
  if (!record.profile) return "";
  auto const& collectives = (*record.profile)["collectives"];
  std::string const heading = fmt::format("{}, point {}: collectives, {}", record.scenario, record.point,
                                          collectives.empty() ? "none was called" : "the longest time first");
  std::string text = markdown ? "### " + markdown_text(heading) + "\n\n" : printable(heading) + "\n";
  if (collectives.empty()) return text;
  Cells rows{{"call", "communicator", "ranks", "calls", "bytes", "time_s", "longest_s", "share"}};
  for (auto const& calls : collectives) {
    if (rows.size() <= most_rows) rows.push_back(row_of(calls));
  }
  text += markdown ? markdown_table(rows) + "\n" : text_table(rows);
  if (collectives.size() <= most_rows) return text;
  return text + fmt::format("and {} more, which the record has\n", collectives.size() - most_rows);
}

[[noreturn]] void refuse_existing(std::string const& path) {
  throw InputError(fmt::format("{}: exists already; --resume continues it, --force starts it anew", path));
}

/// Whether an open file is still the one of this name.
bool is_same_file(int file, std::string const& path) {
  struct stat open = {};
  struct stat named = {};
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

/// Writes bytes as a whole and at once, so that a reader sees half a line only if that is unavoidable.
class RecordSink {
 public:
  /// Opens the file by the rule for existing files, and locks it.
  RecordSink(std::optional<std::string> const& path, ExistingFile existing, OutputFormat format)
      : path_(path.value_or("standard output")) {
    if (!path) return;
    bool const refused = existing == ExistingFile::refused;
    // Opening a pipe would wait, and a pipe holds no records to continue.
    if (existing == ExistingFile::resumed) refuse_other_than_file(path_);
    file_ = ::open(path->c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND | (refused ? O_EXCL : 0), 0666);
    if (file_ < 0 && errno == EEXIST) refuse_existing(path_);
    if (file_ < 0) fail();
    // Another process that has rewritten the file meanwhile holds the lock of a different file.
    if ((flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) || !is_same_file(file_, path_)) {
      throw InputError(fmt::format("{}: another process writes it", path_));
    }
    if (existing == ExistingFile::replaced) cut(0);
    if (existing == ExistingFile::resumed) cut(whole_part(format));
  }
  ~RecordSink() {
    if (file_ != STDOUT_FILENO) ::close(file_);
  }
  RecordSink(RecordSink const&) = delete;
  RecordSink& operator=(RecordSink const&) = delete;

  void write(std::string_view text) {
    if (!write_all(file_, text)) fail();
    size_ += text.size();
  }

  /// Throws InputError if the written data are no longer there under the file's name.
  void expect_written() const {
    struct stat status = {};
    if (file_ == STDOUT_FILENO || ::fstat(file_, &status) != 0 || !S_ISREG(status.st_mode)) return;
    bool const whole = static_cast<std::uint64_t>(status.st_size) >= size_;
    if (whole && is_same_file(file_, path_)) return;
    throw InputError(fmt::format("{}: was {} by another process while it was written; records are lost", path_,
                                 whole ? "removed or replaced" : "truncated"));
  }

  /// See RecordWriter. If the program is killed meanwhile, the file is either the old or the new one.
  void rewrite(std::function<std::string(ResultsFile const&)> const& change) {
    std::string const text = change(read_results(path_));
    if (!std::filesystem::is_regular_file(path_) || text == content_of(path_)) return;
    std::string const target = std::filesystem::canonical(path_).string();
    // A name that does not exist, not even as a link, so that no file of others is overwritten.
    std::string beside = target + ".XXXXXX";
    int const old = std::exchange(file_, ::mkostemp(beside.data(), O_CLOEXEC | O_APPEND));
    struct stat status = {};
    bool const known = ::fstat(old, &status) == 0;
    ::close(old);
    if (file_ < 0) fail();
    if (known) ::fchmod(file_, status.st_mode & 07777);
    flock(file_, LOCK_EX);
    size_ = 0;
    try {
      write(text);
      if (::rename(beside.c_str(), target.c_str()) != 0) fail();
    } catch (...) {
      ::unlink(beside.c_str());
      throw;
    }
  }

  /// Whether the output goes to a terminal, where a person reads it.
  bool is_terminal() const { return ::isatty(file_) == 1; }
  /// Writes the header of a new file. A continued file must have the same columns.
  void expect_columns(std::vector<std::string> const& swept, std::vector<std::string> const& names) {
    if (written_ == 0) return write(csv_header(swept, names) + "\n");
    std::vector<std::string> const columns_of_file = swept_of_header(header_);
    if (columns_of_file == swept) return;
    throw InputError(fmt::format("{}: expected the columns of what is swept here, {}, got {}", path_, named(swept),
                                 named(columns_of_file)));
  }

 private:
  static std::string named(std::vector<std::string> const& swept) {
    return swept.empty() ? "none" : listed(swept, ", ");
  }

  /// A reader of standard output who has gone is the caller's to tell, or not.
  [[noreturn]] void fail() const {
    if (file_ == STDOUT_FILENO && errno == EPIPE) throw std::system_error(errno, std::generic_category());
    throw InputError(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno)));
  }

  /// How many bytes of the file are whole records.
  std::size_t whole_part(OutputFormat format) {
    ResultsFile const file = read_results(path_);
    header_ = file.header;
    if (file.whole > 0 && file.header.empty() != (format == OutputFormat::jsonl)) {
      bool const csv = format == OutputFormat::csv;
      throw InputError(fmt::format("{}: expected {}, as --format says, got {}", path_, csv ? "csv" : "jsonl",
                                   csv ? "jsonl" : "csv"));
    }
    if (file.whole == 0 &&
        !is_cut_off(content_of(path_), format == OutputFormat::csv ? csv_header() : "{\"scenario\":")) {
      throw InputError(
          fmt::format("{}: expected results to continue, got another file, which is left as it is", path_));
    }
    return file.whole;
  }

  /// Whether a text is an incomplete beginning of such a file.
  static bool is_cut_off(std::string_view text, std::string_view beginning) {
    std::size_t const both = std::min(text.size(), beginning.size());
    return text.substr(0, both) == beginning.substr(0, both);
  }

  /// Keeps the first bytes of the file. Anything but a regular file has no bytes to lose.
  void cut(std::size_t kept) {
    size_ = written_ = kept;
    if (ftruncate(file_, static_cast<off_t>(kept)) != 0 && errno != EINVAL) fail();
  }

  std::size_t written_ = 0, size_ = 0;
  std::string header_;  // of the CSV that is continued
  std::string path_;
  int file_ = STDOUT_FILENO;
};

/// JSON lines or CSV.
class Lines : public RecordWriter {
 public:
  using Line = std::function<std::string(PointResult const&)>;
  Lines(std::unique_ptr<RecordSink> sink, Line line) : sink_(std::move(sink)), line_(std::move(line)) {}
  void add(PointResult const& result) override { sink_->write(line_(result) + "\n"); }
  void rewrite(std::function<std::string(ResultsFile const&)> const& change) override { sink_->rewrite(change); }
  void finish() override { sink_->expect_written(); }

 private:
  std::unique_ptr<RecordSink> sink_;
  Line line_;
};

std::unique_ptr<RecordWriter> csv_lines(std::unique_ptr<RecordSink> sink, std::vector<std::string> const& swept,
                                        std::vector<std::string> const& names) {
  sink->expect_columns(swept, names);
  // CSV has no escapes, so that a file gets the text as it is; only on a terminal it is made harmless.
  bool const harmless = sink->is_terminal();
  return std::make_unique<Lines>(std::move(sink), [=](PointResult const& result) {
    std::string const row = csv_row(result.record, swept, names);
    return harmless ? printable(row) : row;
  });
}

/// Tables as text or as Markdown.
class Table : public RecordWriter {
 public:
  /// Writes nothing before the first table is complete, not even an empty file.
  Table(OutputFormat format, std::optional<std::string> path, ExistingFile existing, TableOptions look)
      : markdown_(format == OutputFormat::markdown),
        path_(std::move(path)),
        existing_(existing),
        look_(std::move(look)) {
    if (path_ && existing_ == ExistingFile::refused && ::access(path_->c_str(), F_OK) == 0) refuse_existing(*path_);
    if (path_) expect_writable(*path_, true);
  }

  void begin(std::string const& title) override {
    table_ = ResultTable(excerpt(title, 200), look_);
    profiles_.clear();
  }
  void add(PointResult const& result) override {
    table_.add(result);
    profiles_ += profile_table(result.record, markdown_);
  }
  std::string unfinished_table() const override {
    return (markdown_ ? table_.as_markdown() : table_.as_text()) + profiles_;
  }
  void end() override {
    std::string const text = unfinished_table();
    if (!sink_) sink_ = std::make_unique<RecordSink>(path_, existing_, OutputFormat::table);
    sink_->write(text);
  }
  void finish() override {
    if (sink_) sink_->expect_written();
  }

 private:
  bool markdown_;
  std::optional<std::string> path_;
  ExistingFile existing_;
  TableOptions look_;
  ResultTable table_{"", {}};
  std::string profiles_;  ///< of the calls of user programs
  std::unique_ptr<RecordSink> sink_;
};

}  // namespace

void RecordWriter::rewrite(std::function<std::string(ResultsFile const&)> const&) {
  throw ContractViolation("a file of records that is continued");
}

std::string RecordWriter::unfinished_table() const { return ""; }

/// Throws InputError if the output is an input of the process.
std::unique_ptr<RecordWriter> make_record_writer(OutputFormat format, std::optional<std::string> const& path,
                                                 ExistingFile existing, TableOptions const& look,
                                                 std::vector<std::string> const& swept) {
  if (path) refuse_input(*path);
  switch (format) {
    case OutputFormat::table:
    case OutputFormat::markdown:
      return std::make_unique<Table>(format, path, existing, look);
    case OutputFormat::csv:
      return csv_lines(std::make_unique<RecordSink>(path, existing, format), swept, look.columns);
    case OutputFormat::jsonl:
      return std::make_unique<Lines>(
          std::make_unique<RecordSink>(path, existing, format),
          [](PointResult const& result) { return result.row.empty() ? json_row(result.record) : result.row; });
  }
  throw ContractViolation("an output format");
}

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
