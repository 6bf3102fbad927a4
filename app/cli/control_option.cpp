#include "app/cli/control_option.h"

#include "app/export/new_picture.h"
#include "app/export/png.h"
#include "app/session/state_file.h"
#include "app/window/run_window.h"

namespace whorl::app {

void addControlOption(OptionParser& command, WindowOptions& window) {
    command.add("--control", window.control,
                "other programs drive the window through this Unix-domain socket, which is made: a command a line, and "
                "an answer to each",
                {.kind = ValueKind::output});
}

sim::Expected<void> showWindow(WindowOptions window) {
    window.stateFile = StateFile::usualPath();
    window.savePicture = saveNewPicture;
    window.savePictureAs = [](const std::string& file, int width, int height, PixelSpan pixels) {
        return writePng(file, width, height, pixels);
    };
    return runWindow(window);
}

}  // namespace whorl::app
