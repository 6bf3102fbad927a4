// Owners of what cairo and librsvg hand out, for the files that draw an SVG by them.
#pragma once

#include <cairo.h>
#include <librsvg/rsvg.h>

#include <memory>
#include <string>

namespace whorl::svg {

template <auto free>
struct FreedBy {
    template <class T>
    void operator()(T* object) const {
        free(object);
    }
};
using SvgHandle = std::unique_ptr<RsvgHandle, FreedBy<g_object_unref>>;
using CairoSurface = std::unique_ptr<cairo_surface_t, FreedBy<cairo_surface_destroy>>;
using CairoCanvas = std::unique_ptr<cairo_t, FreedBy<cairo_destroy>>;

/// Appends to the std::string at `to` what cairo writes to a stream.
inline cairo_status_t appendToString(void* to, const unsigned char* bytes, unsigned int count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace whorl::svg
