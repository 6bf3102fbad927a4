#include "render/gl/offscreen_context.h"

#include <epoxy/egl.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace whorl::gl {

// The display is left initialised when a context goes: EGL has one display a platform for the whole process, and
// another context may live on it.
struct OffscreenContext::Handles {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    // The state that was current in the thread before, to be restored.
    EGLDisplay displayBefore = eglGetCurrentDisplay();
    EGLContext contextBefore = eglGetCurrentContext();
    EGLSurface drawBefore = eglGetCurrentSurface(EGL_DRAW);
    EGLSurface readBefore = eglGetCurrentSurface(EGL_READ);
};

namespace {

std::string eglErrorText() {
    const EGLint code = eglGetError();
    switch (code) {
        case EGL_SUCCESS:
            return "no reason given";
        case EGL_NOT_INITIALIZED:
            return "not initialised";
        case EGL_BAD_ALLOC:
            return "not enough resources";
        case EGL_BAD_ATTRIBUTE:
            return "unknown attribute";
        case EGL_BAD_CONFIG:
            return "bad configuration";
        case EGL_BAD_DISPLAY:
            return "bad display";
        case EGL_BAD_MATCH:
            return "OpenGL 3.3 core is not offered";
        case EGL_BAD_PARAMETER:
            return "not supported";
        default:
            return fmt::format("EGL error {:#x}", code);
    }
}

EGLConfig configFor(EGLDisplay display) {
    if (epoxy_has_egl_extension(display, "EGL_KHR_no_config_context")) return EGL_NO_CONFIG_KHR;
    const std::array<EGLint, 5> wanted{EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    EGLint count = 0;
    eglChooseConfig(display, wanted.data(), &config, 1, &count);
    return config;
}

/// Makes a context on the display current. Returns why it cannot, or the empty string.
std::string makeCurrentOn(EGLDisplay display, EGLContext& context) {
    if (display == EGL_NO_DISPLAY) return "no display (" + eglErrorText() + ")";
    if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE) return "no start (" + eglErrorText() + ")";
    if (!epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context")) return "no contexts without a window";
    if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return "no OpenGL (" + eglErrorText() + ")";
    const std::array<EGLint, 7> wanted{
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    context = eglCreateContext(display, configFor(display), EGL_NO_CONTEXT, wanted.data());
    if (context == EGL_NO_CONTEXT) return "no context (" + eglErrorText() + ")";
    if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) {
        const std::string words = eglErrorText();
        eglDestroyContext(display, context);
        context = EGL_NO_CONTEXT;
        return "the context cannot be used (" + words + ")";
    }
    return {};
}

EGLDisplay surfaceless() {
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) return EGL_NO_DISPLAY;
    return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

/// Tries one device after the other.
std::string makeCurrentOnDevice(EGLDisplay& display, EGLContext& context) {
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration")) {
        return "not offered";
    }
    std::array<EGLDeviceEXT, 16> devices{};
    EGLint count = 0;
    if (eglQueryDevicesEXT(EGLint(devices.size()), devices.data(), &count) != EGL_TRUE || count == 0) return "none";
    std::string said;
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr);
        const std::string words = makeCurrentOn(display, context);
        if (words.empty()) return {};
        if (said.find(words) == std::string::npos) said += (said.empty() ? "" : ", ") + words;
    }
    return said;
}

}  // namespace

OffscreenContext::OffscreenContext(std::unique_ptr<Handles> handles) : handles_(std::move(handles)) {}

sim::Expected<std::unique_ptr<OffscreenContext>> OffscreenContext::create() {
    if (!epoxy_has_egl()) {
        return sim::fail({}, "OpenGL without a window needs EGL, and there is none", "install libegl1");
    }
    setenv("EGL_LOG_LEVEL", "fatal", 0);  // what goes wrong is told by the error
    auto handles = std::make_unique<Handles>();
    EGLContext& context = handles->context;
    handles->display = surfaceless();
    const std::string bySurfaceless = makeCurrentOn(handles->display, context);
    std::string byDevice;
    std::string byDefault;
    if (context == EGL_NO_CONTEXT) byDevice = makeCurrentOnDevice(handles->display, context);
    if (context == EGL_NO_CONTEXT) {
        handles->display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
        byDefault = makeCurrentOn(handles->display, context);
    }
    if (context == EGL_NO_CONTEXT) {
        return sim::fail({},
                         fmt::format("OpenGL 3.3 cannot be started without a window (Mesa's surfaceless platform: {}; "
                                     "the devices: {}; the default display: {})",
                                     bySurfaceless, byDevice, byDefault),
                         "install libegl-mesa0 and libgl1-mesa-dri, or a graphics driver with EGL");
    }
    return std::unique_ptr<OffscreenContext>(new OffscreenContext(std::move(handles)));
}

OffscreenContext::~OffscreenContext() {
    if (eglGetCurrentContext() == handles_->context) {
        eglMakeCurrent(handles_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (handles_->contextBefore != EGL_NO_CONTEXT) {
            eglMakeCurrent(handles_->displayBefore, handles_->drawBefore, handles_->readBefore,
                           handles_->contextBefore);
        }
    }
    eglDestroyContext(handles_->display, handles_->context);
}

}  // namespace whorl::gl
