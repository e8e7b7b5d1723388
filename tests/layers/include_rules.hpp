#pragma once

// Which folder of src/ may include what: the table of the architecture as data, and a reader of #include lines that
// names every breach with its file and line.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace rondo::layers {

/// Every breach in the tree `src`, sorted, one line each: "theory/bounds.cpp:3: theory may not include
/// generate/generate.hpp".
std::vector<std::string> breaches(std::filesystem::path const& src);

/// Every layer that the link table of src/CMakeLists.txt gives another than the include table allows.
std::vector<std::string> link_breaches(std::filesystem::path const& cmake_lists);

/// The wings of a layer that include one another in a circle by the table, each named once; empty: they have an order.
std::vector<std::string> wing_circle(std::string const& layer);

/// The edges between a layer's wings that the table allows and no file under `src` needs: "graph includes isomorphic".
std::vector<std::string> unneeded_wings(std::filesystem::path const& src, std::string const& layer);

/// The same between layers: "run includes mpi".
std::vector<std::string> unneeded_layers(std::filesystem::path const& src);

/// Every file under `src`, relative to it, that includes a header whose name begins with `prefix`.
std::vector<std::string> includers(std::filesystem::path const& src, std::string const& prefix);

/// What a picture of `src` shows: the wings, "engine/smpi", and the inclusions that no others lead to, "engine mpi".
std::set<std::string> to_draw(std::filesystem::path const& src);

/// What the picture that docs/architecture.py has drawn shows.
std::set<std::string> drawn(std::filesystem::path const& svg);

/// Where the table of layers in docs/architecture.md, whose names are in alphabetical order, differs from the one that
/// judges includes, a line each: "schedule: expected "base, topology", got "base"".
std::vector<std::string> misprints(std::filesystem::path const& document);

}  // namespace rondo::layers
