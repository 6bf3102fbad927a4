// The words for enumeration values in commands, files and options: one list each, in the order of the values.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "app/session/arrangement.h"
#include "app/session/player.h"
#include "app/session/predict.h"
#include "app/session/requests.h"
#include "app/session/session.h"
#include "app/session/view_id.h"
#include "app/session/view_settings.h"
#include "render/scene/rings/view.h"
#include "render/scene/scene.h"
#include "render/scene/space/block_view.h"
#include "render/scene/space/space_camera.h"
#include "sim/analysis/collisions.h"
#include "sim/analysis/history.h"
#include "sim/analysis/level_gauge.h"
#include "sim/analysis/search.h"
#include "sim/replay/totals/miss_kind.h"
#include "sim/trace/virtual_time.h"

namespace whorl::app {

template <class E>
inline constexpr std::nullptr_t kWords = nullptr;

template <std::size_t N>
using WordList = std::array<std::string_view, N>;

template <>
inline constexpr WordList<3> kWords<PredictKind>{"next", "telling", "sequence"};
template <>
inline constexpr WordList<2> kWords<scene::Ground>{"dark", "light"};
template <>
inline constexpr WordList<3> kWords<scene::Grain>{"blocks", "elements", "fitting"};
template <>
inline constexpr WordList<2> kWords<scene::RingSizes>{"content", "capacity"};
template <>
inline constexpr auto kWords<sim::GaugeSettings::What> = sim::kGaugeWords;
template <>
inline constexpr auto kWords<sim::GaugeSettings::Over> = sim::kGaugeOverWords;
template <>
inline constexpr auto kWords<sim::MissKind> = sim::kMissKindWords;
template <>
inline constexpr WordList<kStripShows> kWords<StripShows>{"hit-rates", "miss-kinds", "regions", "traffic", "cycles"};
template <>
inline constexpr WordList<2> kWords<Heat>{"misses", "cycles"};
template <>
inline constexpr WordList<7> kWords<Field>{"none", "input", "machine", "look-up", "prompt", "menus", "context-menu"};
template <>
inline constexpr WordList<5> kWords<Asks>{"nothing", "command", "position", "file", "note"};
template <>
inline constexpr WordList<6> kWords<PanelEdge>{"left", "right", "bottom", "statistics", "source", "picked"};
template <>
inline constexpr WordList<kSearchKinds> kWords<SearchKind>{
    "miss",          "region-miss",     "eviction",     "conflict",     "transfer",      "page-fault",
    "mark",          "watched-access",  "watched-fill", "watched-loss", "access",        "block-miss",
    "region-access", "region-eviction", "line-access",  "line-miss",    "line-eviction", "function-access"};
template <>
inline constexpr WordList<3> kWords<TimeLock>{"access", "share", "line"};
template <>
inline constexpr WordList<3> kWords<sim::AccessOrder>{"auto", "recorded", "virtual"};
template <>
inline constexpr WordList<4> kWords<sim::QuizPart>{"set", "tag", "outcome", "victim"};
template <>
inline constexpr WordList<2> kWords<sim::Direction>{"next", "previous"};
template <>
inline constexpr WordList<10> kWords<scene::Target::Kind>{"none",  "line",   "slot", "cell",  "set",
                                                          "level", "region", "cpu",  "trail", "flow"};
template <>
inline constexpr WordList<5> kWords<sim::CostNode::Kind>{"line", "instruction", "object", "region", "word"};
template <>
inline constexpr WordList<5> kWords<scene::BlockLook::Draw>{"points", "lines", "faces", "boxes", "auto"};
template <>
inline constexpr WordList<3> kWords<scene::BlockLook::Others>{"lines", "points", "alike"};
template <>
inline constexpr WordList<5> kWords<NodeMetric>{"none", "cycles", "accesses", "misses", "invalidations"};
template <>
inline constexpr WordList<3> kWords<scene::BlockLook::Colour>{"cpu", "state", "class"};
template <>
inline constexpr WordList<3> kWords<sim::CollisionsOf>{"region", "object", "class"};
template <>
inline constexpr WordList<3> kWords<scene::MemoryGroups>{"regions", "address", "pieces"};
template <>
inline constexpr WordList<3> kWords<scene::MemoryCurve>{"linear", "hilbert", "treemap"};
template <>
inline constexpr WordList<2> kWords<scene::PhaseShows>{"miss-rate", "misses"};
template <>
inline constexpr WordList<4> kWords<CellOrder>{"address", "penalty", "misses", "caused"};
template <>
inline constexpr WordList<3> kWords<CellEdge>{"l1", "l2", "pages"};
template <>
inline constexpr WordList<3> kWords<scene::Plane>{"xy", "xz", "yz"};
template <>
inline constexpr WordList<5> kWords<TileSide>{"left", "right", "above", "below", "swap"};

template <>
inline constexpr auto kWords<ViewId::Kind> = [] {
    WordList<kViewKinds.size()> words;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = kViewKinds[i].word;
    return words;
}();

template <>
inline constexpr auto kWords<scene::CellMetric> = [] {
    WordList<scene::kCellMetrics.size()> words;
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = scene::kCellMetrics[i].word;
    return words;
}();

/// In which order the accesses of several CPUs are, by whether that is virtual time; in panels.
inline constexpr WordList<2> kOrderWords{"as recorded", "in virtual time"};

template <class E>
requires std::is_enum_v<E>
constexpr std::string_view wordOf(E value) {
    return kWords<E>[static_cast<std::size_t>(value)];
}
/// The value with that word; none if it is not in the list.
template <class E>
requires std::is_enum_v<E>
constexpr std::optional<E> valueNamed(std::string_view word) {
    const auto& words = kWords<E>;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] == word) return static_cast<E>(i);
    }
    return std::nullopt;
}

}  // namespace whorl::app
