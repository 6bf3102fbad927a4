// Pages of the manual, for tests that what they say is true.
#pragma once

#include <string>

#include "support/folder.h"
#include "support/source_folder.h"

namespace whorl::sim::test {

/// A page of docs/ by its file name.
inline std::string docsPage(const std::string& name) {
    return bytesOf(sourceFolder() + "/docs/" + name);
}

/// The part of such a page under a heading; empty if there is none.
inline std::string docsSection(const std::string& name, const std::string& heading) {
    const std::string page = docsPage(name);
    const std::size_t begin = page.find("\n## " + heading + "\n");
    if (begin == std::string::npos) return {};
    return page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

}  // namespace whorl::sim::test
