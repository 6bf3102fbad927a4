// Whether the file of a film is complete. ffmpeg may end in peace although the disk was full.
#pragma once

#include <string>
#include <string_view>

namespace whorl::app {

/// Whether a file is complete as far as its structure tells: an "mp4" consists of whole boxes (ISO/IEC 14496-12, 4.2),
/// among them the movie's and its media; a "webm" is a head and one
/// segment that reaches to its end (RFC 8794); a "gif" begins with its signature and ends with its trailer.
bool isCompleteFilm(const std::string& path, std::string_view format);

}  // namespace whorl::app
