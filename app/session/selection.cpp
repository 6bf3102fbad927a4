#include "app/session/selection.h"

namespace whorl::app {

Selection selectionOf(scene::Target target) {
    using Kind = scene::Target::Kind;
    if (target.kind == Kind::cell) target.kind = Kind::set;
    Selection selection{.target = target, .byte = {}};
    const bool isBlock = target.kind == Kind::line || target.kind == Kind::slot || target.kind == Kind::trail;
    if (isBlock) selection.byte = target.address;
    return selection;
}

Selection blockAt(sim::ByteAddress byte) {
    return {.target = {.kind = scene::Target::Kind::slot, .address = byte}, .byte = byte};
}

Selection regionAt(std::uint32_t region) {
    return {.target = {.kind = scene::Target::Kind::region, .region = region}, .byte = {}};
}

bool exists(const scene::Target& target, const sim::Run& run) {
    using Kind = scene::Target::Kind;
    const sim::MachineConfig& machine = run.machine();
    const auto hasCache = [&] {
        return target.level < machine.levels.size() && target.cache < machine.caches(target.level);
    };
    const auto hasSet = [&] { return hasCache() && target.set.value < machine.levels[target.level].sets(); };
    switch (target.kind) {
        case Kind::none:
            return false;
        case Kind::line:
        case Kind::cell:
        case Kind::set:
            return hasSet() && target.rank < machine.levels[target.level].ways;
        case Kind::level:
        case Kind::trail:
            return hasCache();
        case Kind::region:
            return target.region < run.trace().regions().size();
        case Kind::cpu:
            return target.cpu < machine.cpus;
        case Kind::slot:
        case Kind::flow:
            break;
    }
    return true;
}

}  // namespace whorl::app
