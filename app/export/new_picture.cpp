#include "app/export/new_picture.h"

#include "app/export/png.h"
#include "app/tasks/new_file.h"

namespace whorl::app {

sim::Expected<std::string> saveNewPicture(const std::string& name, int width, int height,
                                          std::span<const std::byte> rgba) {
    std::string path = newName(name, ".png");
    return writePng(path, width, height, rgba).map([&] { return path; });
}

}  // namespace whorl::app
