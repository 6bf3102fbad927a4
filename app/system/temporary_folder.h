// A folder for files that are of no use after the program has ended, however it ends.
#pragma once

#include <string>

#include "sim/base/error.h"
#include "sim/base/unfinished.h"

namespace whorl::app {

class TemporaryFolder final : public sim::Unfinished {
  public:
    TemporaryFolder();
    ~TemporaryFolder() override;

    /// Path of the folder; empty if it could not be made.
    const std::string& path() const { return path_; }
    /// An error if there is no folder.
    sim::Expected<void> checked() const;
    void remove() noexcept override;

  private:
    std::string path_;
};

}  // namespace whorl::app
