#include "render/scene/rings/subject.h"

#include "sim/replay/totals/ledger.h"

namespace whorl::scene {

std::size_t Subject::regionOf(sim::ByteAddress base, std::uint64_t size) const {
    return sim::regionOfBlock(trace, base, size);
}

}  // namespace whorl::scene
