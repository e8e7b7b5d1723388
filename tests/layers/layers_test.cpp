#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "folder.hpp"
#include "layers/include_rules.hpp"

namespace rondo::layers {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

fs::path const source = fs::path(RONDO_SOURCE_DIR) / "src";

TEST(Layers, include_only_what_the_table_allows) { EXPECT_EQ(breaches(source), Lines()); }

TEST(Layers, link_only_what_the_table_allows) {
  for (std::string const folder : {".", "mpi_library"}) {
    EXPECT_EQ(link_breaches(source / folder / "CMakeLists.txt"), Lines()) << folder;
  }
}

TEST(Layers, wings_have_an_order) {
  for (std::string const layer : {"engine", "mpi", "mpi_library", "run"})
    EXPECT_EQ(wing_circle(layer), Lines()) << layer;
}

TEST(Layers, may_include_no_more_than_they_do) { EXPECT_EQ(unneeded_layers(source), Lines()); }

TEST(Layers, wings_may_include_no_more_than_they_do) {
  for (std::string const layer : {"engine", "mpi", "mpi_library", "run"})
    EXPECT_EQ(unneeded_wings(source, layer), Lines()) << layer;
}

// Where this fails: docs/architecture.py draws the picture anew.
TEST(Layers, are_drawn_as_they_are) {
  EXPECT_EQ(drawn(source.parent_path() / "docs/architecture.svg"), to_draw(source));
}

TEST(Layers, are_described_with_what_they_may_include) {
  EXPECT_EQ(misprints(source.parent_path() / "docs/architecture.md"), Lines());
}

TEST(Layers, keep_the_schema_validator_in_one_translation_unit) {
  auto const files = includers(source, "valijson/");
  ASSERT_EQ(files.size(), 1U);
  EXPECT_TRUE(files[0].ends_with(".cpp")) << files[0];
}

/// A source tree of its own in which faults are planted.
class PlantedTree : public testing::Test {
 protected:
  void plant(std::string const& file, std::string const& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  Lines breaches_of(std::string const& file, std::string const& text) const {
    plant(file, text);
    return breaches(root_);
  }

  test::Folder const folder_;
  fs::path const root_ = folder_.path();
};

TEST_F(PlantedTree, without_fault_has_no_breach) {
  plant("base/units.hpp", "#include <string>\n");
  plant("theory/theory.cpp",
        "#include \"theory/theory.hpp\"\n\n#include <fmt/format.h>\n#include \"base/units.hpp\"\n");
  plant("engine/engine.cpp", "#include <simgrid/s4u.hpp>\n#include <sys/wait.h>\n#include \"topology/torus.hpp\"\n");
  plant("cli/main.cpp", "#include <CLI/CLI.hpp>\n#include <iostream>\n#include \"run/run.hpp\"\n");
  EXPECT_EQ(breaches(root_), Lines());
}

TEST_F(PlantedTree, theory_that_sees_a_generator_is_named_with_its_line) {
  EXPECT_EQ(breaches_of("theory/bounds.cpp", "// A comment\n\n  #  include \"generate/generate.hpp\" // why\n"),
            Lines({"theory/bounds.cpp:3: theory may not include generate/generate.hpp"}));
}

TEST_F(PlantedTree, a_stage_that_calls_back_is_named) {
  EXPECT_EQ(breaches_of("schedule/schedule.hpp", "#include \"run/record.hpp\"\n#include \"engine/engine.hpp\"\n"),
            Lines({"schedule/schedule.hpp:1: schedule may not include run/record.hpp",
                   "schedule/schedule.hpp:2: schedule may not include engine/engine.hpp"}));
}

TEST_F(PlantedTree, simgrid_outside_engine_and_mpi_is_named) {
  for (std::string const header : {"simgrid/s4u.hpp", "smpi/smpi.h", "xbt/log.h", "mpi.h"}) {
    EXPECT_EQ(breaches_of("platform/xml.cpp", "#include <" + header + ">\n"),
              Lines({"platform/xml.cpp:1: platform may not include " + header}));
    EXPECT_EQ(breaches_of("platform/xml.cpp", ""), Lines());
  }
}

TEST_F(PlantedTree, a_library_in_the_wrong_layer_is_named) {
  EXPECT_EQ(breaches_of("engine/a.cpp", "#include <nlohmann/json.hpp>\n#include <gsl/gsl_fit.h>\n"),
            Lines({"engine/a.cpp:1: engine may not include nlohmann/json.hpp",
                   "engine/a.cpp:2: engine may not include gsl/gsl_fit.h"}));
  EXPECT_EQ(breaches_of("engine/a.cpp", "#include <CLI/CLI.hpp>\n#include <valijson/validator.hpp>\n"),
            Lines({"engine/a.cpp:1: engine may not include CLI/CLI.hpp",
                   "engine/a.cpp:2: engine may not include valijson/validator.hpp"}));
}

TEST_F(PlantedTree, an_unknown_library_is_named) {
  EXPECT_EQ(breaches_of("run/a.cpp", "#include <boost/any.hpp>\n#include \"local.hpp\"\n"),
            Lines({"run/a.cpp:1: run may not include boost/any.hpp", "run/a.cpp:2: run may not include local.hpp"}));
}

TEST_F(PlantedTree, a_clock_in_a_pure_layer_is_named) {
  EXPECT_EQ(breaches_of("generate/a.cpp", "#include <chrono>\n#include <unistd.h>\n#include <vector>\n"),
            Lines({"generate/a.cpp:1: generate may not include chrono",
                   "generate/a.cpp:2: generate may not include unistd.h"}));
}

TEST_F(PlantedTree, a_second_user_of_the_coin_is_named) {
  plant("base/coin.cpp", "#include \"base/coin.hpp\"\n#include <sys/random.h>\n");
  EXPECT_EQ(breaches_of("schedule/verify_weights.cpp", "#include \"base/coin.hpp\"\n"), Lines());
  EXPECT_EQ(breaches_of("schedule/verify.cpp", "#include \"base/coin.hpp\"\n"),
            Lines({"schedule/verify.cpp:1: schedule/verify.cpp may not include base/coin.hpp"}));
}

TEST_F(PlantedTree, a_wing_that_another_one_may_not_see_is_named) {
  EXPECT_EQ(breaches_of("engine/native/run.cpp", "#include \"engine/engine.hpp\"\n#include \"engine/smpi/run.hpp\"\n"),
            Lines({"engine/native/run.cpp:2: engine may not include engine/smpi/run.hpp"}));
  EXPECT_EQ(breaches_of("engine/engine.cpp", "#include \"engine/native/run.hpp\"\n"),
            Lines({"engine/engine.cpp:1: engine may not include engine/native/run.hpp",
                   "engine/native/run.cpp:2: engine may not include engine/smpi/run.hpp"}));
}

TEST_F(PlantedTree, a_folder_outside_the_table_is_named) {
  EXPECT_EQ(breaches_of("utils/a.hpp", "#include <vector>\n"), Lines({"utils/a.hpp:1: utils is no layer"}));
}

TEST_F(PlantedTree, a_header_that_includes_itself_is_named) {
  EXPECT_EQ(breaches_of("base/listed.hpp", "#pragma once\n#include \"base/listed.hpp\"\n"),
            Lines({"base/listed.hpp:2: a file may not include itself"}));
}

TEST_F(PlantedTree, a_second_user_of_a_library_is_found) {
  plant("scenario/a.cpp", "#include <valijson/validator.hpp>\n#include <valijson/schema.hpp>\n");
  plant("scenario/b.cpp", "#include <valijson/schema.hpp>\n");
  EXPECT_EQ(includers(root_, "valijson/"), Lines({"scenario/a.cpp", "scenario/b.cpp"}));
}

TEST_F(PlantedTree, is_drawn_without_what_follows) {
  plant("cli/main.cpp", "#include \"run/run.hpp\"\n#include \"base/units.hpp\"\n");
  plant("run/points/run.cpp", "#include \"base/units.hpp\"\n#include <string>\n");
  EXPECT_EQ(to_draw(root_), (std::set<std::string>{"cli run", "run base", "run/points"}));
}

TEST_F(PlantedTree, a_wrong_row_of_the_description_is_named) {
  plant("architecture.md", "| folder | what | may include |\n|---|---|---|\n| base | units | topology |\n");
  auto const found = misprints(root_ / "architecture.md");
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0], "base: expected \"-\", got \"topology\"");
}

TEST_F(PlantedTree, a_link_against_the_table_is_named) {
  plant("CMakeLists.txt", "rondo_layer(base fmt::fmt)\nrondo_layer(theory rondo_topology rondo_generate)\n");
  EXPECT_EQ(link_breaches(root_ / "CMakeLists.txt"), Lines({"theory may not link generate"}));
}

}  // namespace
}  // namespace rondo::layers
