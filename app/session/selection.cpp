#include "app/session/selection.h"

namespace whorl::app {

using TargetKind = scene::Target::Kind;

Selection selectionOf(scene::Target target) {
    if (target.kind == TargetKind::cell) target.kind = TargetKind::set;
    Selection selection{.target = target, .byte = {}};
    const bool isBlock =
        target.kind == TargetKind::line || target.kind == TargetKind::slot || target.kind == TargetKind::trail;
    if (isBlock) selection.byte = target.address;
    return selection;
}

Selection blockAt(sim::ByteAddress byte) {
    return {.target = {.kind = TargetKind::slot, .address = byte}, .byte = byte};
}

Selection regionAt(std::uint32_t region) {
    return {.target = {.kind = TargetKind::region, .region = region}, .byte = {}};
}

bool exists(const scene::Target& target, const sim::Run& run) {
    const sim::MachineConfig& machine = run.machine();
    const auto hasCache = [&] {
        return target.level < machine.levels.size() && target.cache < machine.caches(target.level);
    };
    const auto hasSet = [&] { return hasCache() && target.set.value < machine.levels[target.level].sets(); };
    switch (target.kind) {
        case TargetKind::none:
            return false;
        case TargetKind::line:
        case TargetKind::cell:
        case TargetKind::set:
            return hasSet() && target.rank < machine.levels[target.level].ways;
        case TargetKind::level:
        case TargetKind::trail:
            return hasCache();
        case TargetKind::region:
            return target.region < run.trace().regions().size();
        case TargetKind::cpu:
            return target.cpu < machine.cpus;
        case TargetKind::slot:
        case TargetKind::flow:
            break;
    }
    return true;
}

}  // namespace whorl::app
