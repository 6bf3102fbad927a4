// whorl icons: writes the icon as PNG files into a folder. Hidden; the build calls it.
#include <fmt/format.h>

#include <memory>

#include "app/cli/subcommands.h"
#include "app/window/icon.h"
#include "sim/base/byte_sink.h"

namespace whorl::app {

namespace {

sim::Expected<void> writeIcons(const std::string& folder) {
    for (const int size : {48, 128, 256}) {
        const std::string png = iconAsPng(size);
        const std::string file = fmt::format("{}/whorl-{}.png", folder, size);
        if (png.empty()) return sim::fail(file, "the icon cannot be drawn");
        if (auto written = sim::writeText(png, file); !written) return written;
    }
    return {};
}

}  // namespace

void addIconsCommand(OptionParser& program) {
    auto folder = std::make_shared<std::string>();
    OptionParser& command = program.addCommand("icons", "Write the icon in several sizes");
    command.hide();
    command.add("FOLDER", *folder, "an existing folder", {.required = true, .kind = ValueKind::folder});
    command.onRun([folder] { return writeIcons(*folder); });
}

}  // namespace whorl::app
