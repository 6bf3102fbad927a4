#include "app/session/selection.h"

namespace whorl::app {

Selection selectionOf(scene::Target target) {
    if (target.kind == scene::Target::Kind::cell) target.kind = scene::Target::Kind::set;
    Selection selection{.target = target, .byte = {}};
    const bool isBlock = target.kind == scene::Target::Kind::line || target.kind == scene::Target::Kind::slot ||
                         target.kind == scene::Target::Kind::trail;
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
    const sim::MachineConfig& machine = run.machine();
    const auto hasCache = [&] {
        return target.level < machine.levels.size() && target.cache < machine.caches(target.level);
    };
    const auto hasSet = [&] { return hasCache() && target.set.value < machine.levels[target.level].sets(); };
    switch (target.kind) {
        case scene::Target::Kind::none:
            return false;
        case scene::Target::Kind::line:
        case scene::Target::Kind::cell:
        case scene::Target::Kind::set:
            return hasSet() && target.rank < machine.levels[target.level].ways;
        case scene::Target::Kind::level:
        case scene::Target::Kind::trail:
            return hasCache();
        case scene::Target::Kind::region:
            return target.region < run.trace().regions().size();
        case scene::Target::Kind::cpu:
            return target.cpu < machine.cpus;
        case scene::Target::Kind::slot:
        case scene::Target::Kind::flow:
            break;
    }
    return true;
}

}  // namespace whorl::app
