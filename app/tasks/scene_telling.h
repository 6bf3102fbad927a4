// The numbers in the words of the scene that is shown, computed in the background as soon as its runs are built. Until
// then the words have "…" in their places.
#pragma once

#include <cstddef>
#include <memory>

#include "app/session/session.h"
#include "app/tasks/task.h"
#include "app/tours/presenting.h"

namespace whorl::app {

class SceneTelling {
  public:
    explicit SceneTelling(TaskRunner& runner) : telling_(runner) {}

    /// Once per frame: tells the session the numbers that have arrived, and asks for those that it lacks.
    void update(Session& session);
    bool working() const { return telling_.working(); }

  private:
    struct Key {
        TourScene scene;
        std::size_t index = 0;
        std::shared_ptr<const sim::Run> first;
        std::shared_ptr<const sim::Run> second;
        bool operator==(const Key&) const = default;
    };
    LatestTask<Key, std::shared_ptr<const ToldScene>> telling_;
};

}  // namespace whorl::app
