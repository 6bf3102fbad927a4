#include "support/source_folder.h"

namespace whorl {

const std::string& sourceFolder() {
    static const std::string kFolder = WHORL_SOURCE_DIR;
    return kFolder;
}

}  // namespace whorl
