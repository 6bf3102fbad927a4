#include "sim/trace/formats/lackey_lines.h"

#include "sim/base/processor.h"
#include "sim/trace/formats/lackey_address.h"
#include "sim/trace/formats/lackey_lines_body.h"

namespace whorl::sim {

LackeyLines takeLackeyLinesPortably(const char* at, const char* end, std::span<PackedAccess> room, LackeyTaking how) {
    return lackey::Lines<LackeyAddress>(room, how).take(at, end);
}

LackeyLines takeLackeyLines(const char* at, const char* end, std::span<PackedAccess> room, LackeyTaking how) {
    return hasAvx2() ? takeLackeyLinesByAvx2(at, end, room, how) : takeLackeyLinesPortably(at, end, room, how);
}

}  // namespace whorl::sim
