#pragma once

// The check of SimGrid platform files that a scenario names. SimGrid would take more than a platform from such a
// file: settings of its own (which can name files that it writes), traces and other files to read, programs to start. A
// scenario is data and must not do this. So Rondo reads the file itself and writes a new text for SimGrid with nothing
// but the platform.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rondo {

/// The most hosts of a platform file, and the most hosts, routers or switches in one of its clusters. Rondo counts them
/// before SimGrid makes the first.
inline constexpr std::int64_t most_file_hosts = std::int64_t{1} << 20;
/// The most cables between the levels of one fat tree.
inline constexpr std::int64_t most_file_cables = std::int64_t{1} << 24;

/// The most bytes of a platform file.
inline constexpr std::uint64_t most_platform_bytes = std::uint64_t{64} << 20;

/// The platform that the text of a file describes, as XML with nothing else in it. Each element stands on the line on
/// which it stood, so that SimGrid's errors name that line. Disks are left out. SimGrid's configuration is left out
/// too, with a remark in `remarks` if this is not null.
///
/// Throws InputError "NAME:LINE:COLUMN: ..." for text that is not XML, elements that are no part of a platform,
/// attributes that name another file, profiles of availability, bandwidths without a positive number, latencies without
/// a number of at least 0, entities, text between elements, nesting deeper than 64, and past most_file_hosts and
/// most_file_cables. Throws InputError "NAME: ..." for a file that is empty, has a zero byte or more than
/// most_platform_bytes. SimGrid checks the units of quantities and all other attributes.
std::string simgrid_platform(std::string_view text, std::string const& name,
                             std::vector<std::string>* remarks = nullptr);

}  // namespace rondo
