#pragma once

// Files of tasks (run/formats/task_file.hpp) that `rondo run x.goal --machine m` runs by themselves. The command line
// becomes a document with a single point, which takes the way of a scenario's points (run/points/job.hpp):
//
//   {"goal": "x.goal", "promise": "p.json", "machine_file": "m.json", "engine": "native"}
//   {"msccl": "x.xml", "chunk": "64KiB", "machine_file": "m.json", "engine": "native"}
//
// The expanded scenario in a record has the same keys, but "machine", the content, in the place of "machine_file", and
// "promise", its name in the place of that of its file. It has the checksum of the file too.

#include <string>

#include "run/families/plan.hpp"

namespace rondo {

/// The options of the command line for such a file, as the user wrote them. A text is empty if its option is absent.
struct TaskWords {
  std::string machine;  ///< a file that holds a machine, as `machine` of a scenario may name it
  std::string chunk;    ///< the bytes of a block, for formats that do not say
  std::string promise;  ///< a file with a promise; empty: beside the file, or none
};

/// The document of a file. Throws InputError if it lacks a machine.
scenario::Document document_of_tasks(std::string const& file, TaskFormat format, TaskWords const& words);

/// Whether this is the document of a file of tasks.
bool is_of_tasks(scenario::Json const& document, std::string const& file);

/// Reads the point of such a document: a custom problem, and its plan. Throws InputError if the format refuses the
/// file, if the machine is wrong, has fewer hosts than there are ranks or is unknown to the engine, and if a size of
/// blocks is missing or superfluous.
ReadPoint read_tasks(scenario::Json const& document, std::string const& file);

}  // namespace rondo
