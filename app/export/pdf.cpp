#include "app/export/pdf.h"

#include <cairo-pdf.h>

#include <algorithm>
#include <memory>

#include "render/svg/cairo_handles.h"

namespace whorl::app {

namespace {

constexpr double kPointsPerPixel = 0.75;

tl::unexpected<sim::Error> failure(const char* why) {
    return sim::fail("", "the picture cannot be turned into a PDF", why);
}

/// A picture, and its size in points.
struct PdfPicture {
    svg::SvgHandle handle;
    double width = 0;
    double height = 0;
};

sim::Expected<PdfPicture> pictureOf(std::string_view svg) {
    GError* error = nullptr;
    PdfPicture picture;
    picture.handle.reset(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
    const std::unique_ptr<GError, svg::FreedBy<g_error_free>> parsing(error);
    if (!picture.handle) return failure(parsing->message);
    rsvg_handle_get_intrinsic_size_in_pixels(picture.handle.get(), &picture.width, &picture.height);
    picture.width *= kPointsPerPixel;
    picture.height *= kPointsPerPixel;
    return picture;
}

sim::Expected<void> drawPage(cairo_surface_t* surface, cairo_t* canvas, const std::vector<PdfPicture>& pictures) {
    double width = 0;
    double height = 0;
    for (const PdfPicture& picture : pictures) {
        width = std::max(width, picture.width);
        height += picture.height;
    }
    cairo_pdf_surface_set_size(surface, width, height);
    double top = 0;
    for (const PdfPicture& picture : pictures) {
        const RsvgRectangle place{0, top, picture.width, picture.height};
        GError* error = nullptr;
        const bool drawn = rsvg_handle_render_document(picture.handle.get(), canvas, &place, &error) != FALSE;
        const std::unique_ptr<GError, svg::FreedBy<g_error_free>> rendering(error);
        if (!drawn) return failure(rendering->message);
        top += picture.height;
    }
    cairo_show_page(canvas);
    return {};
}

}  // namespace

sim::Expected<std::string> pdfOf(std::string_view svg) {
    return pdfOf({PdfPage{std::string(svg)}}, "");
}

sim::Expected<std::string> pdfOf(const std::vector<PdfPage>& pages, const std::string& title) {
    std::string bytes;
    svg::CairoSurface surface(cairo_pdf_surface_create_for_stream(svg::appendToString, &bytes, 1, 1));
    // Without a date of its own, the file would hold the time at which it was made.
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
    if (!title.empty()) cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, title.c_str());
    const svg::CairoCanvas canvas(cairo_create(surface.get()));
    for (const PdfPage& page : pages) {
        std::vector<PdfPicture> pictures;
        for (const std::string& svg : page) {
            auto picture = pictureOf(svg);
            if (!picture) return tl::unexpected(picture.error());
            pictures.push_back(*std::move(picture));
        }
        WHORL_TRY(drawPage(surface.get(), canvas.get(), pictures));
    }
    cairo_surface_finish(surface.get());
    if (const cairo_status_t status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS) {
        return failure(cairo_status_to_string(status));
    }
    return bytes;
}

}  // namespace whorl::app
