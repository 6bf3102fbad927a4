#include "app/system/temporary_folder.h"

#include <stdlib.h>

#include <filesystem>

namespace whorl::app {

TemporaryFolder::TemporaryFolder() {
    std::error_code unknown;
    std::string folder = (std::filesystem::temp_directory_path(unknown) / "whorl-XXXXXX").string();
    if (!unknown && mkdtemp(folder.data()) != nullptr) path_ = folder;
    begin();
}

TemporaryFolder::~TemporaryFolder() {
    end();
}

sim::Expected<void> TemporaryFolder::checked() const {
    if (!path_.empty()) return {};
    return sim::fail("", "there is no folder for temporary files", "set TMPDIR to one");
}

void TemporaryFolder::remove() noexcept {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace whorl::app
