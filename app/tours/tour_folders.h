// Where the files that a tour names may lie. A tour may be somebody else's, so its paths reach only what lies beside
// it, and the folders that the user names.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/folder_root.h"

namespace whorl::app {

class TourFolders {
  public:
    /// The folder of a tour's file, and the folders given by --sources.
    TourFolders(const std::string& tour, const std::vector<std::string>& sources);

    /// The path of a file that the tour names, relative to the folder of the tour or to one of the others. The file may
    /// be missing; an error if it lies in none of them, links resolved, is hidden (a name on its path starts with a
    /// dot) or is not a regular file.
    sim::Expected<std::string> pathOf(const std::string& named) const;

    /// Whether an input is a file rather than a program: it is there, or has a slash or a dot in it.
    bool isFile(const std::string& input) const;

  private:
    struct Folder {
        std::string path;
        sim::FolderRoot root;
    };

    std::filesystem::path here_;   ///< the folder of the tour, without links
    std::vector<Folder> folders_;  ///< the same, if it can be opened, and the others

    void add(const std::string& folder);
};

}  // namespace whorl::app
