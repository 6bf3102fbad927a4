// Commands for predicting accesses: the choice of accesses, and the answers.
#pragma once

#include <cstdint>
#include <optional>

#include "app/session/command.h"
#include "app/session/predict.h"

namespace whorl::app {

namespace command {

/// Begins to ask about accesses from the playhead on; ends it if it asks about these already. Without a kind, about
/// each.
struct Predict {
    std::optional<PredictKind> kind;
    static constexpr auto kForm =
        form("predict", "predict accesses: hit or miss, set, evicted block", argument("kind", &Predict::kind));
};
void apply(Session& session, const Predict& command);

/// Without a level: predicts at the next level.
struct PredictLevel {
    std::optional<std::uint8_t> level;
    static constexpr auto kForm =
        form("predict-level", "predict what happens at a level", argument("level", &PredictLevel::level));
};
void apply(Session& session, const PredictLevel& command);

/// Answers a part of the question. Once all parts are answered, the access is played.
struct PredictSet {
    std::uint64_t set = 0;
    static constexpr auto kForm = form("predict-set", "answer: the set", argument("set", &PredictSet::set));
};
void apply(Session& session, const PredictSet& command);

struct PredictOutcome {
    bool hit = false;
    static constexpr auto kForm =
        form("predict-hit", "answer: a hit, or a miss", argument("hit", &PredictOutcome::hit));
};
void apply(Session& session, const PredictOutcome& command);

/// The evicted block, by an address within it.
struct PredictVictim {
    sim::ByteAddress address;
    static constexpr auto kForm =
        form("predict-victim", "answer: the block that is evicted", argument("address", &PredictVictim::address));
};
void apply(Session& session, const PredictVictim& command);

struct PredictNoVictim {
    static constexpr auto kForm = form("predict-no-victim", "answer: no block is evicted");
};
void apply(Session& session, const PredictNoVictim&);

/// Answers the part that comes next by one of its choices, which are numbered from 0.
struct PredictChoose {
    std::uint32_t choice = 0;
    static constexpr auto kForm =
        form("predict-choose", "answer: one of the choices", argument("choice", &PredictChoose::choice));
};
void apply(Session& session, const PredictChoose& command);

/// Answers all parts: the block will be in this way of a set. A way that holds it is a hit; another block there is the
/// one that is evicted. Ignored unless an access to that cache is asked about.
struct PredictWay {
    std::uint8_t level = 0;
    std::uint8_t cache = 0;
    sim::SetIndex set;
    sim::WayIndex way;
    static constexpr auto kForm = form("predict-way", "answer: the way in which the block will be",
                                       argument("level", &PredictWay::level), argument("cache", &PredictWay::cache),
                                       argument("set", &PredictWay::set), argument("way", &PredictWay::way));
};
void apply(Session& session, const PredictWay& command);

/// Plays the access, with the parts that are answered.
struct PredictReveal {
    static constexpr auto kForm = form("predict-reveal", "play the predicted access");
};
void apply(Session& session, const PredictReveal&);

struct PredictNext {
    static constexpr auto kForm = form("predict-next", "ask about the next access");
};
void apply(Session& session, const PredictNext&);

struct PredictEnd {
    static constexpr auto kForm = form("predict-end", "stop predicting");
};
void apply(Session& session, const PredictEnd&);

using PredictCommands = CommandList<Predict, PredictLevel, PredictSet, PredictOutcome, PredictVictim, PredictNoVictim,
                                    PredictWay, PredictChoose, PredictReveal, PredictNext, PredictEnd>;

}  // namespace command
}  // namespace whorl::app
