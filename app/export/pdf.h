// Turns SVG into PDF.
#pragma once

#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace whorl::app {

/// A page as large as the picture, 0.75 points a pixel, with its fonts embedded. The same picture gives the same bytes.
sim::Expected<std::string> pdfOf(std::string_view svg);

}  // namespace whorl::app
