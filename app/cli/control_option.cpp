#include "app/cli/control_option.h"

#include "app/export/png.h"

namespace whorl::app {

void addControlOption(OptionParser& command, WindowOptions& window) {
    command.add("--control", window.control,
                "other programs drive the window through this Unix-domain socket, which is made: a command a line, and "
                "an answer to each",
                {.kind = ValueKind::output});
    window.savePictureAs = [](const std::string& file, int width, int height, PixelSpan pixels) {
        return writePng(file, width, height, pixels);
    };
}

}  // namespace whorl::app
