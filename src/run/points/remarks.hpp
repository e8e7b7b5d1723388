#pragma once

// Remarks about scenarios and machines that are valid and may be mistakes. A remark is a line that begins with the name
// of the file. Commands print remarks on standard error, after their results.

#include <set>
#include <string>
#include <vector>

#include "scenario/scenario.hpp"

namespace rondo {

/// The remarks about a job. Each is made once, however many points it is about.
struct JobRemarks {
  std::vector<std::string> distance = {};  ///< distance costs nothing on the topology of the first point; one or none
  std::vector<std::string> inputs = {};    ///< edge lists whose ranks may be numbered from 1
  std::vector<std::string> machine = {};   ///< falling times, unused parts of platform files
  std::vector<std::string> keys = {};      ///< keys that have an effect at some points only
  std::set<std::string> platforms = {};    ///< the platform files that have been looked at
};

/// Adds the remarks on inputs and the machine of a point of the scenario in `file`.
void note_remarks(JobRemarks& remarks, scenario::Scenario const& point, std::string const& file);
/// The remark that distance costs nothing at a point of the scenario in `file`; none if distance counts, or if there is
/// no distance.
std::vector<std::string> remark_on_distance(scenario::Scenario const& point, std::string const& file);

/// Remarks about the machine in a file: some messages are faster than messages of a byte less, parts of its platform
/// file are not used, keys belong to another timing model. Throws InputError if the platform file contains anything but
/// a platform.
std::vector<std::string> remarks_on_machine(std::string const& file, Platform const& machine);

}  // namespace rondo
