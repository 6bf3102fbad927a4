#include "app/export/pdf.h"

#include <cairo-pdf.h>
#include <fmt/format.h>
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "render/svg/cairo_handles.h"
#include "sim/base/text.h"

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
            pictures.push_back(WHORL_TRY(pictureOf(svg)));
        }
        WHORL_TRY(drawPage(surface.get(), canvas.get(), pictures));
    }
    cairo_surface_finish(surface.get());
    if (const cairo_status_t status = cairo_surface_status(surface.get()); status != CAIRO_STATUS_SUCCESS) {
        return failure(cairo_status_to_string(status));
    }
    return bytes;
}

namespace {

constexpr double kLineHeight = 1.35;  // relative to the font size

/// cairo draws nothing more after a text that is not UTF-8, as the name of a file can be.
std::string drawable(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = sim::printableLength(text);
        out += length == 0 ? "?" : text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::vector<std::string> words;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t to = std::min(text.find(' ', from), text.size());
        if (to > from) words.push_back(text.substr(from, to - from));
        from = to + 1;
    }
    return words;
}

}  // namespace

PageCanvas::PageCanvas(const std::string& title, std::string footer)
    : surface_(cairo_pdf_surface_create_for_stream(svg::appendToString, &bytes_, kWidth, kHeight)),
      canvas_(cairo_create(surface_.get())),
      footer_(std::move(footer)) {
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_TITLE, drawable(title).c_str());
    // Without a date of its own, the file would hold the time at which it was made.
    cairo_pdf_surface_set_metadata(surface_.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
    // Widths then are the same at any resolution.
    cairo_font_options_t* const options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(canvas_.get(), options);
    cairo_font_options_destroy(options);
}

void PageCanvas::use(PageFont font) const {
    cairo_select_font_face(canvas_.get(), font.mono ? "DejaVu Sans Mono" : "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           font.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(canvas_.get(), font.size);
}

void PageCanvas::use(PageColour colour) const {
    const auto part = [&](unsigned shift) { return static_cast<double>(colour >> shift & 0xff) / 255; };
    cairo_set_source_rgb(canvas_.get(), part(16), part(8), part(0));
}

double PageCanvas::width(const std::string& text, PageFont font) const {
    use(font);
    cairo_text_extents_t extents;
    cairo_text_extents(canvas_.get(), drawable(text).c_str(), &extents);
    return extents.x_advance;
}

void PageCanvas::text(double x, double baseline, const std::string& text, PageFont font, PageColour colour) {
    use(font);
    use(colour);
    cairo_move_to(canvas_.get(), x, baseline);
    cairo_show_text(canvas_.get(), drawable(text).c_str());
}

double PageCanvas::paragraph(double x, double baseline, double width, const std::string& words, PageFont font,
                             PageColour colour) {
    std::string line;
    for (const std::string& word : wordsOf(words)) {
        const std::string longer = line.empty() ? word : fmt::format("{} {}", line, word);
        if (!line.empty() && this->width(longer, font) > width) {
            text(x, baseline, line, font, colour);
            baseline += font.size * kLineHeight;
            line = fitted(word, width, font);
        } else {
            line = line.empty() ? fitted(word, width, font) : longer;
        }
    }
    text(x, baseline, line, font, colour);
    return baseline + font.size * kLineHeight;
}

double PageCanvas::heightOf(const std::string& words, double width, PageFont font) const {
    double height = font.size * kLineHeight;
    std::string line;
    for (const std::string& word : wordsOf(words)) {
        const std::string longer = line.empty() ? word : fmt::format("{} {}", line, word);
        const bool breaks = !line.empty() && this->width(longer, font) > width;
        if (breaks) height += font.size * kLineHeight;
        line = breaks ? word : longer;
    }
    return height;
}

std::string PageCanvas::fitted(const std::string& text, double width, PageFont font) const {
    if (this->width(text, font) <= width) return text;
    std::string cut = drawable(text);
    while (!cut.empty() && this->width(cut + "…", font) > width) {
        while (cut.size() > 1 && (static_cast<unsigned char>(cut.back()) & 0xc0) == 0x80) cut.pop_back();
        cut.pop_back();
    }
    return cut + "…";
}

void PageCanvas::line(double x, double y, double toX, double toY, PageColour colour, double width) {
    use(colour);
    cairo_set_line_width(canvas_.get(), width);
    cairo_move_to(canvas_.get(), x, y);
    cairo_line_to(canvas_.get(), toX, toY);
    cairo_stroke(canvas_.get());
}

void PageCanvas::fill(double x, double y, double width, double height, PageColour colour) {
    use(colour);
    cairo_rectangle(canvas_.get(), x, y, width, height);
    cairo_fill(canvas_.get());
}

void PageCanvas::frame(double x, double y, double width, double height, PageColour colour) {
    use(colour);
    cairo_set_line_width(canvas_.get(), 0.6);
    cairo_rectangle(canvas_.get(), x, y, width, height);
    cairo_stroke(canvas_.get());
}

double PageCanvas::roomFor(double height) {
    if (y_ + height > kHeight - kMargin) newPage();
    return y_;
}

void PageCanvas::endPage() {
    constexpr PageFont kSmall{.size = 7.5};
    const std::string number = fmt::format("{}", page_);
    text(kMargin, kHeight - 26, fitted(footer_, kRight - kMargin - 40, kSmall), kSmall, kMuted);
    text(kRight - width(number, kSmall), kHeight - 26, number, kSmall, kMuted);
    cairo_show_page(canvas_.get());
}

void PageCanvas::newPage() {
    endPage();
    ++page_;
    y_ = kMargin;
}

sim::Expected<std::string> PageCanvas::finished() {
    endPage();
    cairo_surface_finish(surface_.get());
    for (const cairo_status_t status : {cairo_status(canvas_.get()), cairo_surface_status(surface_.get())}) {
        if (status != CAIRO_STATUS_SUCCESS) {
            return sim::fail("", "the pages cannot be written as a PDF", cairo_status_to_string(status));
        }
    }
    return bytes_;
}

}  // namespace whorl::app
