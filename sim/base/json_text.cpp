#include "sim/base/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/text.h"

namespace whorl::sim {

namespace {

using nlohmann::json;

/// Finds duplicate keys within an object, which the parsed value no longer shows. Receives each parser event to track
/// the current path.
class Duplicates {
  public:
    Duplicates(const std::string& file, std::vector<Error>& found) : file_(file), found_(found) {}

    void take(json::parse_event_t event, const json& value) {
        using Event = json::parse_event_t;
        if (event == Event::object_end || event == Event::array_end) {
            open_.pop_back();
        } else if (event == Event::key) {
            open_.back().key = value.get<std::string>();
            if (!open_.back().keys.insert(open_.back().key).second) {
                found_.push_back(faultAt(path()));
            }
        } else {
            if (!open_.empty() && open_.back().list) ++open_.back().elements;
            if (event != Event::value) open_.push_back({.list = event == Event::array_start, .elements = 0});
        }
    }

  private:
    struct Frame {
        bool list = false;
        std::size_t elements = 0;  ///< of a list: seen so far
        std::string key = {};      ///< of an object: the current one
        std::set<std::string> keys = {};
    };

    /// The path of the innermost open object.
    std::string path() const {
        std::string out;
        for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
            const Frame& frame = open_[i];
            out = frame.list ? fmt::format("{}[{}]", out, frame.elements - 1) : jsonPath(out, frame.key);
        }
        return out;
    }

    Error faultAt(const std::string& path) const {
        return {.where = path.empty() ? file_ : fmt::format("{}: {}", file_, path),
                .what = fmt::format("the key {} appears twice in one object", quotedText(open_.back().key)),
                .hint = "remove one of them",
                .cancelled = false};
    }

    const std::string& file_;
    std::vector<Error>& found_;
    std::vector<Frame> open_;  ///< outermost first
};

/// The line and column, from 1, of the byte at which the parser stopped.
std::pair<std::size_t, std::size_t> lineAndColumn(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte == 0 ? 0 : std::min(byte - 1, text.size()));
    const std::size_t lineStart = before.rfind('\n');
    const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    return {line, before.size() - (lineStart == std::string_view::npos ? 0 : lineStart + 1) + 1};
}

/// The parser's message without its error code and position: "unexpected end of input; expected ']'".
std::string reasonIn(std::string_view message) {
    const std::size_t at = message.find(" - ");
    if (at != std::string_view::npos) message.remove_prefix(at + 3);
    return std::string(message);
}

}  // namespace

std::vector<Error> jsonErrors(std::string_view text, const std::string& file) {
    std::vector<Error> found;
    Duplicates duplicates(file, found);
    const json::parser_callback_t callback = [&](int, json::parse_event_t event, json& value) {
        duplicates.take(event, value);
        return true;
    };
    try {
        const json root = json::parse(text, callback);
        return found;
    } catch (const json::parse_error& e) {
        const auto [line, column] = lineAndColumn(text, e.byte);
        return {{.where = fmt::format("{}:{}:{}", file, line, column),
                 .what = fmt::format("this is not JSON: {}", reasonIn(e.what())),
                 .hint = "correct it here or just before",
                 .cancelled = false}};
    } catch (const json::exception& e) {
        return {{.where = file,
                 .what = fmt::format("this is not JSON: {}", reasonIn(e.what())),
                 .hint = {},
                 .cancelled = false}};
    }
}

std::string jsonPath(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
}

}  // namespace whorl::sim
