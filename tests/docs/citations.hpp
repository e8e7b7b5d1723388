#pragma once

// Reads what the repository cites - papers, places in documents, files, tests - in comments, scenarios and documents,
// and names every citation that leads nowhere.

#include <filesystem>
#include <string>
#include <vector>

namespace rondo::docs {

/// Every citation under the top folder `root` that does not resolve, sorted, one line each: "src/a.cpp:3: [Nobody99] is
/// not in docs/references.md". What counts as a citation:
///
/// - a key such as [Traeff16], alone or with a place in the paper behind a comma: a reference of docs/references.md;
/// - a document's section, docs/notes.md#parity: a heading of that file; links of Markdown, relative to their file,
/// too;
/// - a path in code, text or a backtick that begins with a folder of the repository or of src/: a file that is there;
/// - the `source` of a scenario: at least one reference, by key or by the name that docs/references.md gives it, or
/// file;
/// - a `correction` of a scenario: docs/notes.md or a page of docs/reproduction/ names the scenario;
/// - behind "Evidence" in docs/notes.md, `Suite.name` or a name with underscores: a test, or a case of tests/mpi.
std::vector<std::string> unresolved(std::filesystem::path const& root);

}  // namespace rondo::docs
