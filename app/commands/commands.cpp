#include "app/commands/commands.h"

#include <vector>

#include "app/session/command.h"
#include "app/session/settings.h"

namespace whorl::app {

std::span<const CommandType> commandTypes() {
    static const std::vector<CommandType> kAll = [] {
        std::vector<CommandType> all;
        forEachCommand([&]<class C>() { all.push_back(commandType<C>()); });
        for (const Setting& setting : settings()) {
            if (!setting.id.empty()) all.push_back(commandTypeOf(setting));
        }
        return all;
    }();
    return kAll;
}

}  // namespace whorl::app
