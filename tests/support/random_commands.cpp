#include "support/random_commands.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <variant>
#include "app/session/command.h"
#include "render/scene/palette.h"

namespace whorl::app::random_commands {
namespace {

template <class T>
requires std::is_enum_v<T>
void randomize(Random& random, T& value) {
    value = static_cast<T>(random() % kWords<T>.size());
}
template <std::integral T>
void randomize(Random& random, T& value) {
    value = static_cast<T>(random());
}
template <std::floating_point T>
void randomize(Random& random, T& value) {
    value = std::uniform_real_distribution<T>(-1, 1)(random) * static_cast<T>(std::pow(10.0, random() % 12));
}
template <class Tag, class Rep>
void randomize(Random& random, sim::Strong<Tag, Rep>& value) {
    randomize(random, value.value);
}
void randomize(Random& random, Position& value) {
    double accesses = 0;
    randomize(random, accesses);
    value = random() % 2 == 0 ? Position(accesses) : *Position::from(Position(accesses).text() + "%");
}
void randomize(Random& random, std::string& value) {
    constexpr std::string_view kLetters = "ab Z0:[]\"\\\n\t#…";
    value.clear();
    for (std::uint64_t n = random() % 12; n > 0; --n) value += kLetters[random() % kLetters.size()];
}
void randomize(Random& random, scene::Rgba& value) {
    value = scene::hex(static_cast<std::uint32_t>(random() & 0xffffff));
}
void randomize(Random& random, RoleArgument& value) {
    value.role = random() % scene::colourRoles().size();
}
void randomize(Random& random, ViewId& value) {
    value.kind = static_cast<ViewId::Kind>(random() % kViewKinds.size());
    value.level = static_cast<std::uint8_t>(kindOf(value).ofLevel ? random() % sim::kMaxLevels : 0);
    value.run = static_cast<std::uint8_t>(random());
}
template <class... T>
void randomizeAll(Random& random, T&... values) {
    (randomize(random, values), ...);
}
void randomize(Random& random, glm::vec2& value) {
    randomizeAll(random, value.x, value.y);
}
void randomize(Random& random, scene::Target& t) {
    randomizeAll(random, t.kind, t.level, t.cache, t.cpu, t.rank, t.set, t.address, t.region, t.flow, t.tick);
}
void randomize(Random& random, scene::SpaceCamera& c) {
    randomizeAll(random, c.target.x, c.target.y, c.target.z, c.azimuth, c.elevation, c.span, c.perspective);
}
void randomize(Random& random, ObjectPick& pick) {
    randomizeAll(random, pick.kind, pick.id, pick.address);
}
void randomize(Random& random, StayPick& pick) {
    randomizeAll(random, pick.level, pick.cache, pick.block, pick.from);
}
void randomize(Random& random, sim::LayoutChange& change) {
    constexpr std::array kTexts{"align:B:64", "shift:C[0]:-8", "pad:class:Quad Tree:128", "spread:0x1040:48:12"};
    change = *sim::parseLayoutChange(kTexts[random() % kTexts.size()]);
}
void randomize(Random& random, Phrase& phrase) {
    constexpr std::array kTexts{"film", "find my misses", "\"quoted\" #1", "a\\b …"};
    phrase.words = kTexts[random() % kTexts.size()];
}
void randomize(Random& random, Tiling& tiling) {
    constexpr std::array kTexts{"auto", "auto(rings,memory)", "row(rings*3,column(memory,block:0)*2)",
                                "column(memory.1,cache:2.3,row(table:tlb,array)*7)"};
    tiling = *tilingFrom(kTexts[random() % kTexts.size()]);
}
template <class T>
void randomize(Random& random, std::optional<T>& value) {
    value.reset();
    if (random() % 3 != 0) randomize(random, value.emplace());
}

template <class C>
C randomOf(Random& random) {
    C command;
    std::apply([&](const auto&... argument) { (randomize(random, command.*argument.member), ...); },
               C::kForm.arguments);
    return command;
}

template <class C>
RoundTrip roundTripOf(Random& random) {
    const C written = randomOf<C>(random);
    C read;
    const Command command(written);
    auto words = WordReader::of(command.text());
    const bool isRead = words && words->next() && !takeArguments(*words, read);
    const bool isSame = std::apply(
        [&](const auto&... argument) { return ((written.*argument.member == read.*argument.member) && ...); },
        C::kForm.arguments);
    return {command, Command(read), isRead && isSame};
}

/// What depends on the kind of a command, compiled only here: there are many.
struct Maker {
    Command (*random)(Random&);
    RoundTrip (*roundTrip)(Random&);
};

const Maker& makerOf(std::string_view id) {
    static const std::map<std::string_view, Maker> kMakers = [] {
        std::map<std::string_view, Maker> makers;
        forEachCommand([&]<class C>() {
            makers[C::kForm.id] = {[](Random& random) { return Command(randomOf<C>(random)); }, roundTripOf<C>};
        });
        return makers;
    }();
    return kMakers.at(id);
}

}  // namespace

namespace {

const Setting* settingWith(std::string_view id) {
    const auto all = settings();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Setting& setting) { return setting.id == id; });
    return found == all.end() ? nullptr : &*found;
}

SettingCommand randomOf(Random& random, const Setting& setting) {
    SettingCommand command{&setting};
    if (!setting.needsArgument && random() % 3 == 0) return command;
    command.value = setting.value.kind;
    const auto change = [&]<class T>(T& value) {
        if constexpr (std::is_same_v<T, WordIndex>) {
            value.index = random() % setting.value.words.size();
        } else if constexpr (!std::is_same_v<T, std::monostate>) {
            randomize(random, value);
        }
        if constexpr (std::is_same_v<T, std::uint64_t>) value &= setting.value.readable;
    };
    std::visit(change, command.value);
    return command;
}

}  // namespace

RoundTrip roundTrip(Random& random, std::string_view id) {
    const Setting* const setting = settingWith(id);
    if (setting == nullptr) return makerOf(id).roundTrip(random);
    const Command written(randomOf(random, *setting));
    const auto read = parseCommand(written.text());
    return {written, read.value_or(written), read && *read == written};
}

Command randomCommand(Random& random, std::string_view id) {
    const Setting* const setting = settingWith(id);
    return setting == nullptr ? makerOf(id).random(random) : Command(randomOf(random, *setting));
}

}  // namespace whorl::app::random_commands
