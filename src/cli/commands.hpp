#pragma once

// The commands of the program. Each has a source of its own, which declares its options, makes one call into run/ or
// fit/, and returns an exit code. Nothing is computed here. main.cpp adds all commands to one parser.

#include <CLI/CLI.hpp>

namespace rondo::cli {

/// Exit codes of every command.
enum Exit : int {
  fine = 0,
  claim_fails = 1,
  bad_input = 2,     ///< bad usage or scenario
  failed_point = 3,  ///< an invalid schedule, a deadlock or a failed simulation
  interrupted = 130,
};

/// Each function adds its command. When the command is chosen, parsing ends with a call of it, which sets `exit_code`.
void add_run(CLI::App& app, int& exit_code);
void add_merge(CLI::App& app, int& exit_code);
void add_tune(CLI::App& app, int& exit_code);
void add_check_rules(CLI::App& app, int& exit_code);
void add_fit(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_prove(CLI::App& app, int& exit_code);
void add_optimum(CLI::App& app, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_show(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_list(CLI::App& app, int& exit_code);
void add_new(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_completion(CLI::App& app, int& exit_code);
void add_man(CLI::App& app, int& exit_code);

/// Adds an example to the help of each command and of the program.
void add_examples(CLI::App& app);

}  // namespace rondo::cli
