// What other programs ask of the window, line by line through a socket (--control), and the answers: "ok", JSON, or
// "error: …". Their commands are applied as those of keys are, so that they can be undone.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/control_request.h"
#include "app/system/line_server.h"

namespace whorl::app {

class Control {
  public:
    explicit Control(std::unique_ptr<LineServer> server) : server_(std::move(server)) {}

    /// Call once per frame: executes requests, for a few milliseconds at most. `settled`: nothing has been computed or
    /// moved for some frames, so that waiting clients may continue. Returns the number of applied commands.
    std::size_t update(Session& session, bool settled);
    /// Whether the next frame has something to do.
    bool hasNews() const { return !pictures_.empty() || server_->hasNews(); }
    /// Whether a client waits until the window has settled.
    bool isAwaited() const { return !waiting_.empty(); }

    /// The file for the picture of this frame; null: none is wanted. After saving the picture, call pictureIsSaved().
    const std::string* wantedPicture() const { return pictures_.empty() ? nullptr : &pictures_.front().file; }
    void pictureIsSaved(const sim::Expected<void>& saved);

  private:
    struct Picture {
        LineServer::ClientId client = 0;
        std::string file;
    };

    bool obey(Session& session, const LineServer::Request& asked);
    void obey(Session& session, LineServer::ClientId client, const Command& command);
    void letGo(const Session& session, bool settled);

    std::unique_ptr<LineServer> server_;
    std::vector<LineServer::ClientId> waiting_;
    std::deque<Picture> pictures_;                       ///< one a frame
    std::map<LineServer::ClientId, std::string> known_;  ///< by client: the last error on the screen reported to it
};

}  // namespace whorl::app
