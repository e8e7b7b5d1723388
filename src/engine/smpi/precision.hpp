#pragma once

// SimGrid compares remaining work with an absolute precision. This model sets it before each step in proportion to the
// time, as docs/model.md defines a moment, so that both engines see the same events as simultaneous.

#include <algorithm>
#include <limits>
#include <simgrid/kernel/Timer.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <vector>

#include "engine/instant.hpp"

// SimGrid's library exports this variable, but no installed header declares it.
extern double sg_surf_precision;

namespace rondo {

/// Adapts SimGrid's precision to moments. In one step SimGrid ends all actions that are due within surf/precision
/// seconds of its clock. For a moment this must be a fraction of the time instead. This model has no resources. SimGrid
/// asks it last for its next event; by then all other models know theirs, so the precision of the step can be set here.
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
    // If no action is under way, nothing ends in this step. But it may begin a flow, whose rest is compared with this
    // precision before it is set again.
    if (next > most) next = now;
    sg_surf_precision = std::max(moment_length * std::max(next, now), minimum);
    return -1;  // none of its own
  }
  void update_actions_state(double, double) override {}

 private:
  /// At time 0 a precision of 0 would end nothing.
  static constexpr double minimum = std::numeric_limits<double>::min();
  /// Larger times mean that nothing is due.
  static constexpr double most = 1e30;
  std::vector<Model*> others_;
};

}  // namespace rondo
