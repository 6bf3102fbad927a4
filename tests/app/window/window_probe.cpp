// A window with a few widgets at fixed places, for window_test.sh to drive. Each frame writes its changes to the file
// named by WHORL_PROBE_LOG, one per line. WHORL_PROBE_SLOW makes each frame that many milliseconds longer.
//
//   window_probe                  opens the window
//   window_probe --icon ID        writes the size of a window's icon, and the colours of a corner and of its middle
//   window_probe --ask-close ID   sends the window what a window manager sends when its close button is clicked
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "app/panels/imgui_style.h"
#include "app/window/display.h"
#include "app/window/window.h"
#include "render/gl/painter.h"
// Last: its macros clash with other headers.
#include <X11/Xatom.h>
#include <X11/Xlib.h>

namespace {

using namespace whorl;

class Log {
  public:
    explicit Log(const char* path) : file_(path != nullptr ? std::fopen(path, "w") : nullptr) {}
    ~Log() {
        if (file_ != nullptr) std::fclose(file_);
    }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    void line(const std::string& words) {
        if (file_ == nullptr) return;
        std::fprintf(file_, "%s\n", words.c_str());
        std::fflush(file_);
    }
    /// Logs a line when the value has changed.
    void value(const std::string& name, const std::string& value) {
        auto [known, isNew] = values_.try_emplace(name, value);
        if (!isNew && known->second == value) return;
        known->second = value;
        line(name + " " + value);
    }

  private:
    std::FILE* file_;
    std::map<std::string, std::string> values_;
};

struct Widgets {
    int clicks = 0;
    int doubleClicks = 0;
    int rightClicks = 0;
    int slider = 0;
    float left = 100;
    float right = 100;
    std::string words;
    bool givesKeyboard = false;  ///< to the text field, in the next frame

    void draw();
    void drawScroller(Log& log);
    void log(Log& log) const;
};

void Widgets::draw() {
    ImGui::SetCursorPos({20, 20});
    if (ImGui::Button("button", {200, 40})) ++clicks;
    if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0)) ++doubleClicks;
    if (ImGui::IsItemClicked(1)) ++rightClicks;
    ImGui::SetCursorPos({20, 80});
    ImGui::SetNextItemWidth(300);
    ImGui::SliderInt("##slider", &slider, 0, 100);
    ImGui::SetCursorPos({20, 130});
    ImGui::SetNextItemWidth(300);
    if (std::exchange(givesKeyboard, false)) ImGui::SetKeyboardFocusHere();
    ImGui::InputText("##words", &words);
    const ImRect handle(ImVec2(400 + left, 20), ImVec2(408 + left, 120));
    ImGui::SplitterBehavior(handle, ImGui::GetID("splitter"), ImGuiAxis_X, &left, &right, 20, 20);
    ImGui::SetCursorPos({420, 180});
    ImGui::TextUnformatted("\u23EE \u23EA \u23F4 \u23F8 \u23F5 \u23E9 \u23ED \u23F9 \u23FA  4 \u00D7 4 \u2026 \u21BB");
}

void Widgets::drawScroller(Log& log) {
    ImGui::SetCursorPos({20, 180});
    ImGui::BeginChild("scroller", {300, 120}, true);
    for (int i = 0; i < 200; ++i) ImGui::Text("line %d", i);
    log.value("scroll", ImGui::GetScrollY() == 0 ? "top" : "below");
    ImGui::EndChild();
}

void Widgets::log(Log& log) const {
    log.value("clicks", std::to_string(clicks));
    log.value("doubleClicks", std::to_string(doubleClicks));
    log.value("rightClicks", std::to_string(rightClicks));
    log.value("slider", std::to_string(slider));
    log.value("splitter", std::to_string(int(left)));
    log.value("words", "'" + words + "'");
}

void logWindow(const app::Window& window, Log& log) {
    const ImGuiIO& io = ImGui::GetIO();
    log.value("size", std::to_string(window.width()) + "x" + std::to_string(window.height()));
    log.value("typing", io.WantTextInput ? "yes" : "no");
    log.value("pointer", io.MousePos.x < -1e6F ? "outside" : "inside");
    log.value("held", ImGui::IsKeyDown(io.KeyMap[ImGuiKey_LeftArrow]) ? "Left" : "nothing");
    log.value("button", io.MouseDown[0] ? "down" : "up");
    log.value("focus", window.hasFocus() ? "yes" : "no");
    log.value("cursor", std::to_string(ImGui::GetMouseCursor()));
}

int show(app::Window& window, Log& log) {
    const char* slow = std::getenv("WHORL_PROBE_SLOW");
    const std::chrono::milliseconds longer(slow != nullptr ? std::atoi(slow) : 0);
    auto ground = scene::Ground::dark;
    float scale = window.scale();
    app::applyStyle(ground, scale);
    log.value("note", app::loadFonts(scale).note);
    Widgets widgets;
    int frames = 0;
    while (window.isOpen()) {
        if (window.idle()) {
            log.value("idle", "yes");
            window.waitForInput(std::chrono::milliseconds(250));
        }
        const auto presses = window.beginFrame();
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
        ImGui::Begin("root", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove);
        widgets.draw();
        widgets.drawScroller(log);
        ImGui::End();
        bool changesLook = false;
        for (const auto& press : presses) {
            log.line("key " + app::chord(press) + (press.repeat ? " again" : ""));
            changesLook |= press.name == "F2";
            if (press.name == "F3") {
                widgets.givesKeyboard = true;
                window.expectTextField();
            }
        }
        widgets.log(log);
        logWindow(window, log);
        window.endFrame([&] { gl::clear(scene::hex(0x0B0E14), window.width(), window.height()); });
        if (changesLook) {
            ground = ground == scene::Ground::dark ? scene::Ground::light : scene::Ground::dark;
            scale = scale == 1 ? 1.25F : 1;
            app::applyStyle(ground, scale);
            app::loadFonts(scale);
        }
        if (++frames == 5) log.line("ready");  // focus and first layout have settled
        std::this_thread::sleep_for(longer);
    }
    log.line("closed");
    return 0;
}

int askClose(unsigned long id) {
    Display* display = XOpenDisplay(nullptr);
    if (display == nullptr) return 1;
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = id;
    event.xclient.message_type = XInternAtom(display, "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(XInternAtom(display, "WM_DELETE_WINDOW", False));
    XSendEvent(display, id, False, NoEventMask, &event);
    XCloseDisplay(display);
    return 0;
}

int tellIcon(unsigned long id) {
    Display* display = XOpenDisplay(nullptr);
    if (display == nullptr) return 1;
    Atom type = 0;
    int format = 0;
    unsigned long count = 0;
    unsigned long rest = 0;
    unsigned char* data = nullptr;
    XGetWindowProperty(display, id, XInternAtom(display, "_NET_WM_ICON", False), 0, 1 << 20, False, XA_CARDINAL, &type,
                       &format, &count, &rest, &data);
    // Width, height, and the pixels as opacity, red, green and blue; each in a long, however long that is.
    const auto* const words = reinterpret_cast<const unsigned long*>(data);
    const bool isThere = format == 32 && count > 2 && count == 2 + words[0] * words[1];
    if (isThere) {
        const unsigned long middle = 2 + words[1] / 2 * words[0] + words[0] / 2;
        std::printf("%lux%lu %08lx %08lx\n", words[0], words[1], words[2] & 0xFFFFFFFF, words[middle] & 0xFFFFFFFF);
    }
    if (data != nullptr) XFree(data);
    XCloseDisplay(display);
    return isThere ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--ask-close") return askClose(std::strtoul(argv[2], nullptr, 0));
    if (argc == 3 && std::string_view(argv[1]) == "--icon") return tellIcon(std::strtoul(argv[2], nullptr, 0));
    const char* title = std::getenv("WHORL_PROBE_TITLE");
    app::Window::Options options;
    options.title = title != nullptr ? title : "probe";
    options.width = 800;
    options.height = 600;
    auto window = app::Window::open(options);
    if (!window) {
        std::fprintf(stderr, "%s\n", window.error().sentence().c_str());
        return 2;
    }
    Log log(std::getenv("WHORL_PROBE_LOG"));
    return show(**window, log);
}
