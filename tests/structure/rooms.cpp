#include "structure/rooms.h"

#include <cstddef>
#include <optional>

namespace whorl::structure {
namespace {

// A room may include itself and the rooms of all lines above its own. Those of one line may not include each other.
const std::vector<std::vector<std::string_view>>& order() {
    static const std::vector<std::vector<std::string_view>> kOrder = {
        {"sim/base/"},
        {"sim/machine/"},
        {"sim/trace/"},  // a trace may contain its machine
        {"sim/cache/"},
        {"sim/replay/"},
        {"sim/programs/", "sim/capture/", "sim/analysis/"},
        {"sim/report/"},
        {"render/scene/"},  // the files in the folder itself
        {"render/scene/rings/", "render/scene/space/", "render/scene/cells/"},
        {"render/gl/", "render/svg/"},
        {"app/session/"},
        {"app/tours/"},
        {"app/commands/"},
        {"app/tasks/"},
        {"app/views/"},
        {"app/panels/", "app/page/"},
        {"app/system/"},
        {"app/window/"},
        {"app/export/"},
        {"app/cli/"},
        {"app/main.cpp"},
    };
    return kOrder;
}

std::optional<std::size_t> lineOf(std::string_view room) {
    for (std::size_t line = 0; line < order().size(); ++line) {
        for (const std::string_view known : order()[line]) {
            if (known == room) return line;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string_view roomOf(std::string_view file) {
    std::string_view innermost;
    for (const auto& line : order()) {
        for (const std::string_view room : line) {
            if (file.starts_with(room) && room.size() > innermost.size()) innermost = room;
        }
    }
    return innermost;
}

bool mayKnow(std::string_view room, std::string_view other) {
    if (room == "app/main.cpp") return other == "app/cli/";
    return room == other || lineOf(other) < lineOf(room);
}

}  // namespace whorl::structure
