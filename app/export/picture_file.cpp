#include "app/export/picture_file.h"

#include <unistd.h>

#include "app/export/pdf.h"
#include "app/export/png.h"
#include "sim/base/byte_sink.h"
#include "sim/base/output_target.h"

namespace whorl::app {

namespace {

bool isSvg(const std::string& path) {
    return path.ends_with(".svg");
}

bool isPdf(const std::string& path) {
    return path.ends_with(".pdf");
}

}  // namespace

sim::Expected<void> checkPicture(const std::string& path) {
    auto target = WHORL_TRY(sim::outputTarget(path));
    const bool isKnown = path.ends_with(".png") || isSvg(path) || isPdf(path);
    if (target.kind == sim::OutputTarget::Kind::file && !isKnown) {
        return sim::fail(path, "is not a kind of picture that can be written", "end it in .png, .svg or .pdf");
    }
    if (target.kind == sim::OutputTarget::Kind::standardOutput && isatty(STDOUT_FILENO) == 1) {
        return sim::fail(target.name, "is a terminal, which cannot show a PNG",
                         "name a file that ends in .png, .svg or .pdf");
    }
    return {};
}

sim::Expected<void> writePicture(const std::string& path, OffscreenRenderer& renderer, const Session& session,
                                 double moveTicks) {
    if (!isSvg(path) && !isPdf(path)) {
        return writePng(path, renderer.width(), renderer.height(), renderer.draw(session, moveTicks));
    }
    auto bytes = renderer.drawSvg(session, moveTicks);
    if (bytes && isPdf(path)) bytes = pdfOf(*bytes);
    if (!bytes) return tl::unexpected(bytes.error());
    return sim::writeText(*bytes, path);
}

}  // namespace whorl::app
