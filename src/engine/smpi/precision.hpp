#pragma once

#include <algorithm>
#include <limits>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <vector>

#include "engine/instant.hpp"

// SimGrid's library exports it, and no header that it installs declares it.
extern double sg_surf_precision;

namespace rondo {

/// SimGrid ends together what is due within surf/precision, a number of seconds, of the time that its clock has come
/// to. For a moment that must be a part of the time instead. So this is a model without resources, whom SimGrid asks
/// last when its next event is: by then all others know, and the precision of that step can be set.
class Precision : public simgrid::kernel::resource::Model {
 public:
  explicit Precision(simgrid::s4u::Engine const& engine) : Model("precision"), others_(engine.get_all_models()) {}

  double next_occurring_event(double now) override {
    double next = std::numeric_limits<double>::infinity();
    if (double const timer = simgrid::kernel::timer::Timer::next(); timer >= 0) next = timer;
    for (Model* const model : others_) {
      auto const& heap = model->get_action_heap();
      if (!heap.empty()) next = std::min(next, heap.top_date());
    }
    // Where no action is under way there is nothing to end: the next step may begin one, whose rest is held against
    // this precision before it is set anew.
    if (next > most) next = now;
    sg_surf_precision = std::max(moment_length * std::max(next, now), least);
    return -1;  // none of its own
  }
  void update_actions_state(double, double) override {}

 private:
  /// At time 0 what is due at once must be ended all the same.
  static constexpr double least = std::numeric_limits<double>::min();
  static constexpr double most = 1e30;
  std::vector<Model*> others_;
};

}  // namespace rondo
