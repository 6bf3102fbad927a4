// Turns SVG into PDF.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace whorl::app {

/// A page as large as the picture, 0.75 points a pixel, with its fonts embedded. The same picture gives the same bytes.
sim::Expected<std::string> pdfOf(std::string_view svg);

/// Pictures that stand below each other on a page.
using PdfPage = std::vector<std::string>;
/// A document of several pages, each as large as its pictures, with fonts embedded. `title`: of the document. The same
/// pictures give the same bytes.
sim::Expected<std::string> pdfOf(const std::vector<PdfPage>& pages, const std::string& title);

}  // namespace whorl::app
