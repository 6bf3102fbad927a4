#include "app/session/selection.h"

#include <fmt/format.h>

#include <sstream>

namespace whorl::app {

using Kind = scene::Target::Kind;

Selection selectionOf(scene::Target target) {
    if (target.kind == Kind::cell) target.kind = Kind::set;
    Selection selection{.target = target, .byte = {}};
    const bool isBlock = target.kind == Kind::line || target.kind == Kind::slot || target.kind == Kind::trail;
    if (isBlock) selection.byte = target.address;
    return selection;
}

Selection blockAt(sim::ByteAddress byte) {
    return {.target = {.kind = Kind::slot, .address = byte}, .byte = byte};
}

Selection regionAt(std::uint32_t region) {
    return {.target = {.kind = Kind::region, .region = region}, .byte = {}};
}

std::string inWords(const scene::Target& t) {
    return fmt::format("{} {} {} {} {} {} {} {} {} {}", static_cast<int>(t.kind), t.level, t.cache, t.cpu, t.rank,
                       t.set.value, t.address.value, t.region, t.flow, t.tick.value);
}

std::optional<scene::Target> targetIn(const std::string& words) {
    std::istringstream in(words);
    unsigned kind = 0;
    unsigned level = 0;
    unsigned cache = 0;
    unsigned cpu = 0;
    scene::Target t;
    in >> kind >> level >> cache >> cpu >> t.rank >> t.set.value >> t.address.value >> t.region >> t.flow >>
        t.tick.value;
    if (!in || kind > static_cast<unsigned>(Kind::flow)) return std::nullopt;
    t.kind = static_cast<Kind>(kind);
    t.level = static_cast<std::uint8_t>(level);
    t.cache = static_cast<std::uint8_t>(cache);
    t.cpu = static_cast<std::uint8_t>(cpu);
    return t;
}

}  // namespace whorl::app
