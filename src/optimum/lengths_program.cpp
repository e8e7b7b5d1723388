// Builds the linear program row by row and solves it by GLPK's dual simplex method, which continues after each new row.

#include "optimum/lengths_program.hpp"

#include <glpk.h>

#include "base/index.hpp"

namespace rondo::optimum {

/// The limit of the simplex method, over all solutions. It is a count and no time, so that every run finds the same.
constexpr int most_iterations = 2000;

/// Columns: a length for each link that has a cost, then a distance for each source. Row 1: the distances are 1.
struct LengthsProgram::Problem {
  glp_prob* of = glp_create_prob();
  std::vector<int> column;  ///< by link; 0: its length is 0
  int lengths = 0;

  Problem() = default;
  ~Problem() { glp_delete_prob(of); }
  Problem(Problem const&) = delete;
  Problem& operator=(Problem const&) = delete;
};

LengthsProgram::LengthsProgram(std::span<double const> costs, int sources) : problem_(std::make_unique<Problem>()) {
  glp_prob* const of = problem_->of;
  for (double const cost : costs) problem_->column.push_back(cost > 0 ? ++problem_->lengths : 0);
  glp_add_cols(of, problem_->lengths + sources);
  for (int i = 1; i <= problem_->lengths + sources; ++i) glp_set_col_bnds(of, i, GLP_LO, 0, 0);
  for (std::size_t link = 0; link < costs.size(); ++link) {
    if (int const column = problem_->column[link]; column > 0) glp_set_obj_coef(of, column, costs[link]);
  }
  glp_add_rows(of, 1);
  glp_set_row_bnds(of, 1, GLP_FX, 1, 1);
  std::vector<int> places(at(sources) + 1);
  std::vector<double> ones(places.size(), 1);
  for (int source = 0; source < sources; ++source) places[at(source) + 1] = problem_->lengths + 1 + source;
  glp_set_mat_row(of, 1, sources, places.data(), ones.data());
}

LengthsProgram::~LengthsProgram() = default;

void LengthsProgram::add(int source, std::span<double const> loads) {
  std::vector<int> places{0, problem_->lengths + 1 + source};  // GLPK counts from 1
  std::vector<double> values{0, 1};
  for (std::size_t link = 0; link < loads.size(); ++link) {
    if (loads[link] == 0 || problem_->column[link] == 0) continue;
    places.push_back(problem_->column[link]);
    values.push_back(-loads[link]);
  }
  int const row = glp_add_rows(problem_->of, 1);
  glp_set_row_bnds(problem_->of, row, GLP_UP, 0, 0);
  glp_set_mat_row(problem_->of, row, static_cast<int>(places.size()) - 1, places.data(), values.data());
}

std::optional<LengthsProgram::Solution> LengthsProgram::solve() {
  glp_smcp how;
  glp_init_smcp(&how);
  how.msg_lev = GLP_MSG_OFF;
  how.meth = GLP_DUALP;
  how.it_lim = most_iterations - glp_get_it_cnt(problem_->of);
  if (how.it_lim <= 0 || glp_simplex(problem_->of, &how) != 0 || glp_get_status(problem_->of) != GLP_OPT)
    return std::nullopt;
  Solution found;
  found.cost = glp_get_obj_val(problem_->of);
  for (int const column : problem_->column) {
    found.lengths.push_back(column > 0 ? glp_get_col_prim(problem_->of, column) : 0);
  }
  return found;
}

}  // namespace rondo::optimum
