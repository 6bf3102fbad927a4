#include "app/export/pdf.h"

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

#include <memory>

namespace whorl::app {

namespace {

template <auto free>
struct Freeing {
    template <class T>
    void operator()(T* object) const {
        free(object);
    }
};
using Handle = std::unique_ptr<RsvgHandle, Freeing<g_object_unref>>;
using Surface = std::unique_ptr<cairo_surface_t, Freeing<cairo_surface_destroy>>;
using Canvas = std::unique_ptr<cairo_t, Freeing<cairo_destroy>>;

constexpr double kPointsPerPixel = 0.75;

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

tl::unexpected<sim::Error> failure(const char* why) {
    return sim::fail("", "the picture cannot be turned into a PDF", why);
}

}  // namespace

sim::Expected<std::string> pdfOf(std::string_view svg) {
    GError* error = nullptr;
    const Handle handle(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
    const std::unique_ptr<GError, Freeing<g_error_free>> parsing(error);
    if (!handle) return failure(parsing->message);
    gdouble width = 0;
    gdouble height = 0;
    rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height);
    std::string bytes;
    Surface surface(
        cairo_pdf_surface_create_for_stream(append, &bytes, width * kPointsPerPixel, height * kPointsPerPixel));
    // Without a date of its own, the file would hold the time at which it was made.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
    const Canvas canvas(cairo_create(surface.get()));
    const RsvgRectangle page{0, 0, width * kPointsPerPixel, height * kPointsPerPixel};
    error = nullptr;
    const bool drawn = rsvg_handle_render_document(handle.get(), canvas.get(), &page, &error) != FALSE;
    const std::unique_ptr<GError, Freeing<g_error_free>> rendering(error);
    if (!drawn) return failure(rendering->message);
    cairo_show_page(canvas.get());
    cairo_surface_finish(surface.get());
    if (const cairo_status_t status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS) {
        return failure(cairo_status_to_string(status));
    }
    return bytes;
}

}  // namespace whorl::app
