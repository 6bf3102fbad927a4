#include "sim/trace/formats/lackey_lines.h"

#include "sim/base/processor.h"
#include "sim/trace/formats/lackey_address.h"
#include "sim/trace/formats/lackey_lines_body.h"

namespace whorl::sim {

LackeyLines readLackeyLinesPortably(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how) {
    return lackey::Lines<LackeyAddress>(room, how).read(at, end);
}

LackeyLines readLackeyLines(const char* at, const char* end, std::span<PackedAccess> room, LackeyOptions how) {
    return hasAvx2() ? readLackeyLinesByAvx2(at, end, room, how) : readLackeyLinesPortably(at, end, room, how);
}

}  // namespace whorl::sim
