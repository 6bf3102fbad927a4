// Collisions as JSON.
#include <nlohmann/json.hpp>

#include "sim/analysis/collisions.h"

namespace whorl::sim {

std::string collisionsAsJson(const Collisions& collisions, const History& history, std::optional<std::size_t> level) {
    using Json = nlohmann::ordered_json;
    Json pairs = Json::array();
    for (const Collision& c : collisions.cells) {
        if (level && c.level != *level) continue;
        Json moments = Json::array();
        for (const Tick t : c.moments) moments.push_back(t.value);
        pairs.push_back({{"level", history.levels[c.level].name},
                         {"culprit", collisions.names[c.culprit]},
                         {"victim", collisions.names[c.victim]},
                         {"evictions", c.count()},
                         {"moments", std::move(moments)}});
    }
    const char* const by = collisions.of == CollisionsOf::region   ? "region"
                           : collisions.of == CollisionsOf::object ? "object"
                                                                   : "class";
    const Json json = {{"by", by}, {"pairs", std::move(pairs)}, {"left_out", collisions.leftOut}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace whorl::sim
