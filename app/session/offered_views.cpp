#include "app/session/view_id.h"

namespace whorl::app {

bool isOffered(ViewId::Kind /*kind*/) {
    return true;
}

}  // namespace whorl::app
