// PDF in memory: pictures turned from SVG, and pages for printing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "render/svg/cairo_handles.h"
#include "sim/base/error.h"

namespace whorl::app {

/// A page as large as the picture, 0.75 points a pixel, with its fonts embedded. The same picture gives the same bytes.
sim::Expected<std::string> pdfOf(std::string_view svg);

/// Pictures that stand below each other on a page.
using PdfPage = std::vector<std::string>;
/// A document of several pages, each as large as its pictures, with fonts embedded. `title`: of the document. The same
/// pictures give the same bytes.
sim::Expected<std::string> pdfOf(const std::vector<PdfPage>& pages, const std::string& title);

// Draws pages for printing: A4, in points, with text, lines and boxes, into a PDF in memory.

/// How text is drawn.
struct PageFont {
    double size = 9;
    bool bold = false;
    bool mono = false;
};

/// A colour as 0xRRGGBB.
using PageColour = std::uint32_t;

class PageCanvas {
  public:
    static constexpr double kWidth = 595.28;
    static constexpr double kHeight = 841.89;
    static constexpr double kMargin = 48;
    static constexpr double kRight = kWidth - kMargin;
    static constexpr PageColour kInk = 0x1b1f27;
    static constexpr PageColour kMuted = 0x6a7280;

    /// `footer` is at the bottom of each page, with the page's number.
    PageCanvas(const std::string& title, std::string footer);

    /// The width of a text, which is valid UTF-8 or is drawn with question marks.
    double width(const std::string& text, PageFont font) const;
    /// Draws a line of text from its baseline's left end.
    void text(double x, double baseline, const std::string& text, PageFont font, PageColour colour = kInk);
    /// Draws words in lines up to a width, the first on `baseline`; returns the baseline after the last.
    double paragraph(double x, double baseline, double width, const std::string& words, PageFont font,
                     PageColour colour = kInk);
    /// How much higher a paragraph makes its baseline.
    double heightOf(const std::string& words, double width, PageFont font) const;
    /// The text, cut with an ellipsis to fit.
    std::string fitted(const std::string& text, double width, PageFont font) const;

    void line(double x, double y, double toX, double toY, PageColour colour = kMuted, double width = 0.6);
    void fill(double x, double y, double width, double height, PageColour colour);
    void frame(double x, double y, double width, double height, PageColour colour = kMuted);

    /// The top of the space that is left, which grows downward. Starts a new page if less than `height` is left.
    double roomFor(double height);
    void advance(double height) { y_ += height; }
    void newPage();

    /// The file.
    sim::Expected<std::string> finished();

  private:
    void use(PageFont font) const;
    void use(PageColour colour) const;
    void endPage();

    std::string bytes_;
    svg::CairoSurface surface_;
    svg::CairoCanvas canvas_;
    std::string footer_;
    double y_ = kMargin;
    int page_ = 1;
};

}  // namespace whorl::app
