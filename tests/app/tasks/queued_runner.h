// Runs jobs only on demand, so that a test controls their order, as if other threads ran them.
#pragma once

#include "app/tasks/task.h"

namespace whorl::app {

class QueuedRunner final : public QueueRunner {
  public:
    bool holdsUpFrames() const override { return false; }
    void runAll() {
        while (runNext()) {
        }
    }
};

}  // namespace whorl::app
