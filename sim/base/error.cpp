#include "sim/base/error.h"

namespace whorl::sim {

std::string Error::sentence() const {
    std::string out = where;
    if (!out.empty()) out += ": ";
    out += what;
    if (!hint.empty()) out += "; " + hint;
    return out;
}

}  // namespace whorl::sim
