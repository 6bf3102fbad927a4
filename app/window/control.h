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
#include "app/tasks/line_server.h"

namespace whorl::app {

class Control {
  public:
    explicit Control(std::unique_ptr<LineServer> server) : server_(std::move(server)) {}

    /// Once per frame: does what was asked, for a few milliseconds at most. `settled`: nothing has been computed or
    /// moved for some frames, so that who waits may go on. Returns how many commands were applied.
    std::size_t update(Session& session, bool settled);
    /// Whether the next frame has something to do.
    bool hasNews() const { return !pictures_.empty() || server_->hasNews(); }
    /// Whether somebody waits for what is settled.
    bool isAwaited() const { return !waiting_.empty(); }

    /// The file that the picture of this frame is wanted in; null: it is not. Then pictureIsSaved() is to be called.
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
    std::map<LineServer::ClientId, std::string> known_;  ///< the error on the screen that a client has been told
};

}  // namespace whorl::app
