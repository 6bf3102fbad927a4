// Any words, a line each, as options of a picture's views: read as the commands that draw pictures read them, but not
// drawn. What is accepted is within the bounds that the window keeps too.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/option_parser.h"
#include "app/cli/space_options.h"
#include "app/cli/view_options.h"
#include "app/session/state_file.h"
#include "fuzz/check.h"
#include "render/scene/rings/view.h"
#include "support/sharing_trace.h"

namespace {

using namespace whorl;

struct Picture {
    app::Session session;
    app::ViewOptions view;
    app::SpaceOptions space;
};

void checkViews(const app::ViewSettings& views, const sim::MachineConfig& machine) {
    check(!views.shown.empty() && views.shows(views.active));
    for (const app::ViewId& view : views.shown) check(view.level < machine.levels.size());
    for (const float height : {views.sources.height, views.objects.height}) check(height >= 0.1f && height <= 10);
    if (views.lens) check(views.lens->from < views.lens->to);
    if (views.direction) check(std::isfinite(views.direction->x) && std::isfinite(views.direction->y));
    if (views.perspective) check(*views.perspective >= 0 && *views.perspective <= 1);
}

void checkSession(app::Session session) {
    const sim::Run& run = *session.opened.run;
    check(!session.cpu || *session.cpu < run.machine().cpus);
    check(!session.lapse || (*session.lapse > 0 && *session.lapse <= app::Session::kMaxLapse));
    check(session.ringView.gauge.window > 0 && session.ringView.gauge.window <= sim::GaugeSettings::kMaxWindow);
    check(session.ringView.gauge.region < run.trace().regions().size() || session.ringView.gauge.region == 0);
    check(!session.range || (session.range->from < session.range->to && session.range->to.value <= run.trace().size()));
    const auto& shown = session.camera.now();
    check(shown.zoom >= 1 && shown.zoom <= scene::View::kMaxZoom);
    check(std::abs(shown.focus.x) <= 1 && std::abs(shown.focus.y) <= 1);
    checkViews(session.viewSettings, run.machine());
    session.trails = std::min(session.trails, app::Session::kMaxTrails);  // a picture may show more
    app::Session saved;
    check(app::takeState(app::stateOf(session), "fuzz.json", saved).has_value());
}

/// Parses the words; gives what is said on standard error.
std::string complaintOf(std::vector<std::string> words, int& status) {
    static const app::Session kOpen = app::sharingSession();
    Picture picture{.session = kOpen, .view = {}, .space = {}};
    app::OptionParser program("whorl", "", "");
    app::OptionParser& command = program.addCommand("frame", "");
    app::addViewOptions(command, picture.view, picture.session);
    app::addSpaceOptions(command, picture.space, picture.session);
    command.onRun([&]() -> sim::Expected<void> {
        if (auto taken = takeOver(picture.view, picture.session); !taken) return taken;
        if (auto taken = takeOver(picture.space, picture.session); !taken) return taken;
        checkSession(picture.session);
        return {};
    });
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::array<char, 1 << 16> said{};
    std::FILE* const usual = std::exchange(stderr, fmemopen(said.data(), said.size(), "w"));
    status = program.run(static_cast<int>(words.size()), arguments.data());
    std::fclose(std::exchange(stderr, usual));
    return said.data();
}

}  // namespace

/// --help is an answer too, which nobody reads here.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    check(nowhere >= 0 && dup2(nowhere, STDOUT_FILENO) >= 0);
    close(nowhere);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    // Words of a command line end with a NUL.
    if (size > 1 << 14 || std::find(data, data + size, 0) != data + size) return 0;
    std::vector<std::string> words = {"whorl", "frame", ""};
    for (const char c : std::string_view(reinterpret_cast<const char*>(data), size)) {
        if (c == '\n') {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    int status = 0;
    std::string complaint = complaintOf(std::move(words), status);
    if (status == 0) {
        check(complaint.empty());
        return 0;
    }
    check(status == 2 && complaint.starts_with("whorl: ") && complaint.ends_with('\n'));
    complaint.pop_back();
    checkSentence(complaint);
    return 0;
}
