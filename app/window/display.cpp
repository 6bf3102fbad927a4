#include "app/window/display.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <span>
#include <utility>

#include "app/system/ending.h"
#include "sim/base/unfinished.h"

namespace whorl::app {
namespace {

struct CloseDisplay {
    void operator()(Display* display) const { XCloseDisplay(display); }
};

/// One connection for the lifetime of the program; null if there is no display. An X server resets when its last client
/// disconnects, and SFML aborts if it connects during a reset: the connection must therefore stay open from the check
/// for a display until the window is created.
Display* connection() {
    static std::unique_ptr<Display, CloseDisplay> kept;
    if (!kept) kept.reset(XOpenDisplay(nullptr));
    return kept.get();
}

/// Parses a scale; 0 if it is not a positive number.
float parsedScale(const char* words, float unit) {
    if (words == nullptr) return 0;
    char* end = nullptr;
    const float value = std::strtof(words, &end) / unit;
    return end != words && std::isfinite(value) && value > 0 ? std::clamp(value, 0.5F, 4.0F) : 0;
}

/// Whether the root window lists the hint as supported by the window manager.
bool managerKnows(Display* display, Atom hint) {
    const Atom supported = XInternAtom(display, "_NET_SUPPORTED", True);
    if (supported == None) return false;
    Atom type = None;
    int format = 0;
    unsigned long count = 0;
    unsigned long left = 0;
    unsigned char* data = nullptr;
    const int status = XGetWindowProperty(display, DefaultRootWindow(display), supported, 0, 4096, False, XA_ATOM,
                                          &type, &format, &count, &left, &data);
    bool knows = false;
    if (status == Success && type == XA_ATOM && format == 32) {
        const std::span atoms(reinterpret_cast<const Atom*>(data), count);
        knows = std::find(atoms.begin(), atoms.end(), hint) != atoms.end();
    }
    if (data != nullptr) XFree(data);
    return knows;
}

/// Asks the window manager for one or two states of a window, or to end them. False if it knows no such state.
bool askState(Display& display, std::uintptr_t window, bool on, Atom first, Atom second) {
    if (!managerKnows(&display, first)) return false;
    constexpr long kFromProgram = 1;
    XEvent request{};
    request.xclient.type = ClientMessage;
    request.xclient.window = window;
    request.xclient.message_type = XInternAtom(&display, "_NET_WM_STATE", False);
    request.xclient.format = 32;
    request.xclient.data.l[0] = on ? 1 : 0;
    request.xclient.data.l[1] = static_cast<long>(first);
    request.xclient.data.l[2] = static_cast<long>(second);
    request.xclient.data.l[3] = kFromProgram;
    XSendEvent(&display, DefaultRootWindow(&display), False, SubstructureNotifyMask | SubstructureRedirectMask,
               &request);
    XFlush(&display);
    return true;
}

/// What to do when the display is lost.
std::function<void()>& lastAct() {
    static std::function<void()> kept;
    return kept;
}

}  // namespace

DisplayLoss::DisplayLoss(std::function<void()> last) {
    lastAct() = std::move(last);
    XSetIOErrorHandler([](Display*) {
        if (const auto act = std::exchange(lastAct(), nullptr)) act();
        sim::removeUnfinished();
        _exit(kExitError);  // no destructor may use the display
        return 0;
    });
}

DisplayLoss::~DisplayLoss() {
    XSetIOErrorHandler(nullptr);
    lastAct() = nullptr;
}

void tolerateDisplayErrors() {
    XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
}

bool displayAvailable(std::string* why) {
    const auto refuse = [why](std::string reason) {
        if (why != nullptr) *why = std::move(reason);
        return false;
    };
    const char* name = std::getenv("DISPLAY");
    if (name == nullptr || *name == '\0') return refuse("there is no display to open a window on (DISPLAY is not set)");
    Display* const display = connection();
    if (display == nullptr) return refuse("cannot reach the display \"" + std::string(name) + "\"");
    int opcode = 0;
    int event = 0;
    int error = 0;
    if (!XQueryExtension(display, "GLX", &opcode, &event, &error)) {
        return refuse("the display \"" + std::string(name) + "\" cannot show OpenGL (it has no GLX)");
    }
    return true;
}

float displayScale() {
    if (const float scale = parsedScale(std::getenv("WHORL_SCALE"), 1); scale > 0) return scale;
    Display* const display = connection();
    if (display == nullptr) return 1;
    if (const float scale = parsedScale(XGetDefault(display, "Xft", "dpi"), 96); scale > 0) return scale;
    const int screen = DefaultScreen(display);
    return scaleOfScreen(DisplayHeight(display, screen), DisplayHeightMM(display, screen));
}

float scaleOfScreen(int pixels, int millimetres) {
    constexpr float kMinDpi = 144;
    constexpr float kMaxDpi = 800;
    const float dpi = millimetres > 0 ? 25.4F * static_cast<float>(pixels) / static_cast<float>(millimetres) : 0;
    // Millimetres are whole.
    if (dpi < kMinDpi - 0.5F || dpi > kMaxDpi) return 1;
    return std::clamp(std::round(dpi / 96 * 4) / 4, 1.0F, 4.0F);
}

void hintMinimumSize(std::uintptr_t window, int width, int height) {
    Display* const display = connection();
    if (display == nullptr) return;
    XSizeHints hints{};
    long supplied = 0;
    if (XGetWMNormalHints(display, window, &hints, &supplied) == 0) hints.flags = 0;
    hints.flags |= PMinSize;
    hints.min_width = width;
    hints.min_height = height;
    XSetWMNormalHints(display, window, &hints);
    XFlush(display);
}

bool askMaximised(std::uintptr_t window) {
    Display* const display = connection();
    if (display == nullptr) return false;
    const Atom across = XInternAtom(display, "_NET_WM_STATE_MAXIMIZED_HORZ", False);
    const Atom down = XInternAtom(display, "_NET_WM_STATE_MAXIMIZED_VERT", False);
    return askState(*display, window, true, across, down);
}

bool askFullScreen(std::uintptr_t window, bool on) {
    Display* const display = connection();
    if (display == nullptr) return false;
    return askState(*display, window, on, XInternAtom(display, "_NET_WM_STATE_FULLSCREEN", False), None);
}

}  // namespace whorl::app
