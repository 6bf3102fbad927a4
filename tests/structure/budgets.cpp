#include "structure/budgets.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>

#include "structure/rooms.h"

namespace whorl::structure {
namespace {

struct Budget {
    std::string_view place;
    std::size_t most = 0;
};

// Lines of each room.
const std::vector<Budget>& lineBudgets() {
    static const std::vector<Budget> kBudgets = {
        {"sim/base/", 3980},           {"sim/machine/", 2270},
        {"sim/trace/", 15080},         {"sim/cache/", 3900},
        {"sim/replay/", 5680},         {"sim/programs/", 5650},
        {"sim/capture/", 7470},        {"sim/analysis/", 14300},
        {"sim/report/", 8870},         {"render/scene/", 1605},
        {"render/scene/rings/", 6600}, {"render/scene/space/", 4100},
        {"render/scene/cells/", 7195}, {"render/gl/", 3020},
        {"render/svg/", 690},          {"app/session/", 6540},
        {"app/tours/", 2970},          {"app/commands/", 7110},
        {"app/tasks/", 1850},          {"app/views/", 7870},
        {"app/panels/", 12280},        {"app/page/", 1420},
        {"app/system/", 1560},         {"app/window/", 2950},
        {"app/export/", 3150},         {"app/cli/", 8550},
    };
    return kBudgets;
}

// A reader finds a unit in a folder of that many.
constexpr std::size_t kMaxUnits = 30;

// Folders that have more than that.
const std::vector<Budget>& largeFolders() {
    static const std::vector<Budget> kFolders = {{"sim/analysis/", 48}, {"app/panels/", 37}, {"app/cli/", 35}};
    return kFolders;
}

constexpr std::string_view kTable = " (tests/structure/budgets.cpp)";

void checkLines(const std::vector<File>& files, std::vector<std::string>& found) {
    std::map<std::string_view, std::size_t> lines;
    for (const File& file : files) {
        if (file.isOfTheProgram() && file.isCode()) {
            lines[roomOf(file.name)] += static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n'));
        }
    }
    for (const auto& [room, most] : lineBudgets()) {
        const std::string has = std::string(room) + ": has " + std::to_string(lines[room]) + " lines; ";
        if (lines[room] > most) found.push_back(has + "its budget is " + std::to_string(most) + std::string(kTable));
        // A twentieth is left, so that not each commit changes the table.
        if (lines[room] + most / 20 < most) {
            found.push_back(has + "lower its budget of " + std::to_string(most) + std::string(kTable));
        }
    }
}

void checkFolders(const std::vector<File>& files, std::vector<std::string>& found) {
    std::map<std::string, std::set<std::string>> units;
    for (const File& file : files) {
        if (!file.isOfTheProgram() || !file.isCode()) continue;
        units[file.name.substr(0, file.name.rfind('/') + 1)].insert(file.name.substr(0, file.name.rfind('.')));
    }
    const auto& large = largeFolders();
    for (const auto& [folder, names] : units) {
        const auto known =
            std::find_if(large.begin(), large.end(), [&folder = folder](const Budget& b) { return b.place == folder; });
        const std::size_t most = known == large.end() ? kMaxUnits : known->most;
        const std::string has = folder + ": has " + std::to_string(names.size()) + " units; ";
        if (names.size() > most) found.push_back(has + std::to_string(most) + " are the most" + std::string(kTable));
        if (known != large.end() && names.size() < most) {
            found.push_back(has + "lower its budget of " + std::to_string(most) + std::string(kTable));
        }
    }
}

void checkCycles(const std::vector<File>& files, std::vector<std::string>& found) {
    for (const auto& cycle : includeCycles(files)) {
        std::string names;
        for (const std::string& unit : cycle) names += (names.empty() ? "" : ", ") + unit;
        found.push_back(cycle.front() + ": these units include each other: " + names);
    }
}

}  // namespace

std::vector<std::string> exceededBudgets(const std::vector<File>& files) {
    std::vector<std::string> found;
    checkLines(files, found);
    checkFolders(files, found);
    checkCycles(files, found);
    return found;
}

}  // namespace whorl::structure
