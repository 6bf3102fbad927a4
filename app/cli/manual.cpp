// whorl manual: writes the manual pages into a folder. Hidden; the build calls it.
#include <memory>

#include "app/cli/manual_page.h"
#include "app/cli/subcommands.h"
#include "sim/base/byte_sink.h"

namespace whorl::app {

namespace {

sim::Expected<void> writeManual(const CommandFacts& program, const std::string& folder) {
    for (const ManualPage& page : manualPages(program, WHORL_VERSION, WHORL_DATE)) {
        if (auto written = sim::writeText(page.text, folder + '/' + page.file); !written) return written;
    }
    return {};
}

}  // namespace

void addManualCommand(OptionParser& program) {
    auto folder = std::make_shared<std::string>();
    OptionParser& command = program.addCommand("manual", "Write the manual pages");
    command.hide();
    command.add("FOLDER", *folder, "an existing folder", {.required = true, .kind = ValueKind::folder});
    command.onRun([folder, &program] { return writeManual(program.facts(), *folder); });
}

}  // namespace whorl::app
