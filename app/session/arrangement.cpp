#include "app/session/arrangement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/text.h"

namespace whorl::app {

namespace {

/// Shares are whole numbers whose sum is about this where they are not simple: a tile of 4000 pixels is sized in steps
/// smaller than one.
constexpr std::uint64_t kFine = 10'000;
constexpr std::size_t kMaxDepth = 32;

std::uint64_t sumOf(const std::vector<std::uint64_t>& shares) {
    return std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
}

/// Shares without a common factor, rounded if they are large. Rounding raises the sum a little, but not so far that it
/// would be rounded again.
std::vector<std::uint64_t> simpleShares(std::vector<std::uint64_t> shares) {
    if (const std::uint64_t sum = sumOf(shares); sum > 2 * kFine) {
        const double scale = static_cast<double>(kFine) / static_cast<double>(sum);
        for (std::uint64_t& share : shares) {
            share = std::max<std::uint64_t>(
                1, static_cast<std::uint64_t>(std::llround(static_cast<double>(share) * scale)));
        }
    }
    std::uint64_t factor = 0;
    for (const std::uint64_t share : shares) factor = std::gcd(factor, share);
    for (std::uint64_t& share : shares) share /= std::max<std::uint64_t>(1, factor);
    return shares;
}

std::vector<std::uint64_t> sharesOf(const std::vector<TileTree>& parts) {
    std::vector<std::uint64_t> shares;
    shares.reserve(parts.size());
    for (const TileTree& part : parts) shares.push_back(std::max(1u, part.share));
    return shares;
}

void setShares(std::vector<TileTree>& parts, const std::vector<std::uint64_t>& shares) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].share = static_cast<std::uint32_t>(shares[i]);
}

/// Puts parts that are split in the same direction in the place of their split, with as much room as they had.
std::vector<TileTree> inlined(std::vector<TileTree> parts, bool isRow) {
    const auto isSame = [&](const TileTree& part) { return !part.isLeaf() && part.isRow == isRow; };
    const auto within = [](const TileTree& part) { return static_cast<double>(sumOf(sharesOf(part.parts))); };
    // All shares are multiplied by this, so that those of inner parts are whole numbers; unless it is too large.
    constexpr double kMost = 1e9;
    double factor = 1;
    for (const TileTree& part : parts) factor = std::min(kMost, factor * (isSame(part) ? within(part) : 1));
    std::vector<TileTree> out;
    std::vector<std::uint64_t> shares;
    const auto add = [&](TileTree part, double share) {
        shares.push_back(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(share))));
        out.push_back(std::move(part));
    };
    for (TileTree& part : parts) {
        const double share = factor * std::max(1u, part.share);
        if (!isSame(part)) {
            add(std::move(part), share);
            continue;
        }
        const double each = share / within(part);
        for (TileTree& inner : part.parts) {
            const double ofInner = each * inner.share;
            add(std::move(inner), ofInner);
        }
    }
    setShares(out, simpleShares(std::move(shares)));
    return out;
}

/// The tree without views that are left out; none if nothing remains. Not yet in normal form.
std::optional<TileTree> kept(TileTree tree, const std::function<bool(const ViewId&)>& isKept) {
    if (tree.isLeaf()) return isKept(tree.view) ? std::optional(std::move(tree)) : std::nullopt;
    std::vector<TileTree> parts;
    for (TileTree& part : tree.parts) {
        if (auto rest = kept(std::move(part), isKept)) parts.push_back(*std::move(rest));
    }
    if (parts.empty()) return std::nullopt;
    tree.parts = std::move(parts);
    return tree;
}

void forEachLeaf(TileTree& tree, const std::function<void(TileTree&)>& f) {
    if (tree.isLeaf()) return f(tree);
    for (TileTree& part : tree.parts) forEachLeaf(part, f);
}

/// The tree with a view beside its leaf `target`, in a split of its own; normalTree() joins that with those around it.
TileTree beside(TileTree tree, const ViewId& view, TileSide side, const ViewId& target) {
    const bool isFirst = side == TileSide::left || side == TileSide::above;
    forEachLeaf(tree, [&](TileTree& leaf) {
        if (leaf.view != target) return;
        TileTree split{.isRow = side == TileSide::left || side == TileSide::right, .share = leaf.share};
        split.parts = {TileTree{.view = isFirst ? view : target}, TileTree{.view = isFirst ? target : view}};
        leaf = std::move(split);
    });
    return normalTree(std::move(tree));
}

TileTree treeOf(const ViewId& view) {
    return {.view = view.withoutRun()};
}

/// The boxes of the parts of a split: they and the gaps fill the whole, each at least a pixel long.
std::vector<scene::PixelBox> boxesOf(const TileTree& split, const scene::PixelBox& whole, int gap) {
    const int from = split.isRow ? whole.low.x : whole.low.y;
    const int length = split.isRow ? whole.width() : whole.height();
    const auto count = static_cast<int>(split.parts.size());
    const double room = std::max(count, length - (count - 1) * gap);
    const auto sum = static_cast<double>(sumOf(sharesOf(split.parts)));
    std::vector<scene::PixelBox> boxes;
    boxes.reserve(split.parts.size());
    int at = from;
    double before = 0;
    for (int i = 0; i < count; ++i) {
        before += split.parts[static_cast<std::size_t>(i)].share;
        const int end = std::max(at + 1, from + i * gap + static_cast<int>(std::lround(room * before / sum)));
        scene::PixelBox box = whole;
        (split.isRow ? box.low.x : box.low.y) = at;
        (split.isRow ? box.high.x : box.high.y) = end;
        boxes.push_back(box);
        at = end + gap;
    }
    return boxes;
}

/// Calls f with each split and the boxes of its parts, from the outermost on, and with each leaf and its box.
void walk(const TileTree& tree, const scene::PixelBox& whole, int gap,
          const std::function<void(const TileTree&, const std::vector<scene::PixelBox>&)>& f) {
    if (tree.isLeaf()) return f(tree, {whole});
    const std::vector<scene::PixelBox> boxes = boxesOf(tree, whole, gap);
    f(tree, boxes);
    for (std::size_t i = 0; i < boxes.size(); ++i) walk(tree.parts[i], boxes[i], gap, f);
}

}  // namespace

TileTree normalTree(TileTree tree) {
    if (tree.isLeaf()) return {.view = tree.view, .share = std::max(1u, tree.share)};
    for (TileTree& part : tree.parts) part = normalTree(std::move(part));
    tree.parts = inlined(std::move(tree.parts), tree.isRow);
    tree.view = {};
    if (tree.parts.size() > 1) return tree;
    TileTree only = std::move(tree.parts.front());
    only.share = tree.share;
    return only;
}

std::vector<ViewId> viewsIn(const TileTree& tree) {
    if (tree.isLeaf()) return {tree.view};
    std::vector<ViewId> views;
    for (const TileTree& part : tree.parts) {
        const std::vector<ViewId> inner = viewsIn(part);
        views.insert(views.end(), inner.begin(), inner.end());
    }
    return views;
}

int automaticColumns(int count, glm::ivec2 size, int gap, int together) {
    const auto share = [gap](int length, int parts) { return std::max(1, (length - (parts - 1) * gap) / parts); };
    int best = 1;
    int largest = 0;
    for (int columns = 1; columns <= count; ++columns) {
        if (columns % together != 0 && together % columns != 0 && count > together) continue;
        const int rows = (count + columns - 1) / columns;
        const int side = std::min(share(size.x, columns), share(size.y, rows));
        if (side > largest) {
            largest = side;
            best = columns;
        }
    }
    return best;
}

TileTree automaticTree(std::span<const ViewId> views, glm::ivec2 size, int together) {
    constexpr int kGap = 2;
    const auto count = static_cast<int>(views.size());
    const int columns = automaticColumns(count * together, size, kGap, together);
    const auto inRow = static_cast<std::size_t>(std::max(1, columns / together));
    TileTree tree;
    for (std::size_t i = 0; i < views.size(); ++i) {
        if (i % inRow == 0) tree.parts.push_back({.isRow = true});
        tree.parts.back().parts.push_back(treeOf(views[i]));
    }
    return normalTree(std::move(tree));
}

TileTree withViews(const TileTree& tree, std::span<const ViewId> views, glm::ivec2 size) {
    const auto isWanted = [&](const ViewId& view) { return std::ranges::find(views, view) != views.end(); };
    const std::optional<TileTree> rest = kept(tree, isWanted);
    if (!rest) return automaticTree(views, size);
    TileTree out = normalTree(*rest);
    for (const ViewId& view : views) {
        const std::vector<PlacedView> placed = placedViews(out, {{0, 0}, size}, 0);
        if (std::ranges::find(placed, view, &PlacedView::view) != placed.end()) continue;
        const auto area = [](const PlacedView& p) { return std::int64_t{p.where.width()} * p.where.height(); };
        const PlacedView& largest = *std::ranges::max_element(placed, {}, area);
        const bool isWide = largest.where.width() >= largest.where.height();
        out = beside(std::move(out), view, isWide ? TileSide::right : TileSide::below, largest.view);
    }
    return out;
}

TileTree withMoved(const TileTree& tree, const ViewId& view, TileSide side, const ViewId& target) {
    const std::vector<ViewId> views = viewsIn(tree);
    const auto has = [&](const ViewId& v) { return std::ranges::find(views, v) != views.end(); };
    if (view == target || !has(view) || !has(target)) return tree;
    if (side != TileSide::swap) {
        const auto rest = kept(tree, [&](const ViewId& v) { return v != view; });
        return beside(normalTree(*rest), view, side, target);
    }
    TileTree out = tree;
    forEachLeaf(out, [&](TileTree& leaf) {
        if (leaf.view == view) {
            leaf.view = target;
        } else if (leaf.view == target) {
            leaf.view = view;
        }
    });
    return out;
}

std::vector<PlacedView> placedViews(const TileTree& tree, const scene::PixelBox& canvas, int gap) {
    std::vector<PlacedView> placed;
    walk(tree, canvas, gap, [&](const TileTree& part, const std::vector<scene::PixelBox>& boxes) {
        if (part.isLeaf()) placed.push_back({part.view, boxes.front()});
    });
    return placed;
}

std::vector<TileBorder> bordersOf(const TileTree& tree, const scene::PixelBox& canvas, int gap) {
    std::vector<TileBorder> borders;
    walk(tree, canvas, gap, [&](const TileTree& part, const std::vector<scene::PixelBox>& boxes) {
        for (std::size_t i = 0; !part.isLeaf() && i + 1 < boxes.size(); ++i) {
            const scene::PixelBox both{boxes[i].low, boxes[i + 1].high};
            scene::PixelBox where = both;
            (part.isRow ? where.low.x : where.low.y) = part.isRow ? boxes[i].high.x : boxes[i].high.y;
            (part.isRow ? where.high.x : where.high.y) = part.isRow ? boxes[i + 1].low.x : boxes[i + 1].low.y;
            borders.push_back({part.isRow, where, both});
        }
    });
    return borders;
}

namespace {

/// Changes the border with this number, counted as bordersOf() does; what is left of the number else.
std::size_t setBorder(TileTree& tree, std::size_t border, double share) {
    if (tree.isLeaf()) return border;
    const std::size_t own = tree.parts.size() - 1;
    if (border < own) {
        std::vector<std::uint64_t> shares = sharesOf(tree.parts);
        for (std::uint64_t& s : shares) s *= kFine;
        const std::uint64_t both = shares[border] + shares[border + 1];
        const auto first = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(both)));
        shares[border] = std::clamp<std::uint64_t>(first, 1, both - 1);
        shares[border + 1] = both - shares[border];
        setShares(tree.parts, simpleShares(std::move(shares)));
        return 0;
    }
    border -= own;
    for (TileTree& part : tree.parts) {
        const std::size_t inside = bordersOf(part, {{0, 0}, {1, 1}}, 0).size();
        if (border < inside) return setBorder(part, border, share);
        border -= inside;
    }
    return border;
}

}  // namespace

TileTree withBorder(const TileTree& tree, std::size_t border, double share) {
    TileTree out = tree;
    if (share > 0 && share < 1) setBorder(out, border, share);
    return out;
}

namespace {

std::string textOf(const TileTree& tree) {
    std::string text;
    for (const TileTree& part : tree.parts) {
        text += (text.empty() ? "" : ",") + textOf(part);
        if (part.share != 1) text += fmt::format("*{}", part.share);
    }
    if (tree.isLeaf()) return wordOf(tree.view);
    return fmt::format("{}({})", tree.isRow ? "row" : "column", text);
}

std::string listOf(std::span<const ViewId> views) {
    std::string text;
    for (const ViewId& view : views) text += (text.empty() ? "" : ",") + wordOf(view);
    return text;
}

constexpr const char* kTilingHint = "write it as row(rings*3,column(memory,block:0)*2), or auto(rings,memory)";

class TilingReader {
  public:
    explicit TilingReader(std::string_view text) : text_(text) {}

    sim::Expected<Tiling> read() {
        TileTree tree = WHORL_TRY(part(0));
        skip();
        if (at_ < text_.size()) return wrong("goes on after its end");
        std::vector<ViewId> views = isAutomatic_ && tree.isLeaf() ? std::vector<ViewId>{} : viewsIn(tree);
        std::ranges::sort(views);
        if (const auto twice = std::ranges::adjacent_find(views); twice != views.end()) {
            return wrong(fmt::format("has {} twice", wordOf(*twice)));
        }
        const bool isTree = !isAutomatic_ && views.size() > 1;
        return Tiling{std::move(views), isTree ? Arrangement(normalTree(std::move(tree))) : std::nullopt};
    }

  private:
    tl::unexpected<sim::Error> wrong(const std::string& what) const {
        return sim::fail({}, fmt::format("{} {}", sim::quotedText(text_), what), kTilingHint);
    }

    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == ',')) ++at_;
    }
    bool takes(char c) {
        skip();
        if (at_ >= text_.size() || text_[at_] != c) return false;
        ++at_;
        return true;
    }
    std::string_view word() {
        skip();
        const std::size_t from = at_;
        at_ = std::min(text_.find_first_of(" ,()*", at_), text_.size());
        return text_.substr(from, at_ - from);
    }

    sim::Expected<TileTree> part(std::size_t depth) {
        const std::string name(word());
        TileTree tree;
        if (name == "row" || name == "column" || (name == "auto" && depth == 0)) {
            if (depth == 0) isAutomatic_ = name == "auto";
            tree.isRow = name == "row";
            if (takes('(')) {
                WHORL_TRY(inside(tree, depth));
            } else if (name != "auto") {
                return wrong("has a row or column without parts");
            }
        } else {
            const auto view = viewOf(name);
            if (!view || view->run != 0) return wrong(fmt::format("has no view called {}", sim::quotedText(name)));
            tree.view = *view;
        }
        return tree;
    }

    sim::Expected<void> inside(TileTree& tree, std::size_t depth) {
        while (!takes(')')) {
            if (depth == kMaxDepth || at_ >= text_.size()) return wrong("has no end, or too many parts in parts");
            TileTree inner = WHORL_TRY(part(depth + 1));
            if (takes('*')) {
                const auto share = sim::wholeNumber(word());
                if (!share || *share < 1 || *share > 2 * kFine) {
                    return wrong(fmt::format("has a share that is no number from 1 to {}", 2 * kFine));
                }
                inner.share = static_cast<std::uint32_t>(*share);
            }
            tree.parts.push_back(std::move(inner));
        }
        if (tree.parts.empty()) return wrong("has a row or column without parts");
        return {};
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool isAutomatic_ = false;
};

}  // namespace

std::string textOf(const Tiling& tiling) {
    if (tiling.arrangement) return textOf(*tiling.arrangement);
    return tiling.shown.empty() ? "auto" : fmt::format("auto({})", listOf(tiling.shown));
}

sim::Expected<Tiling> tilingFrom(std::string_view text) {
    return TilingReader(text).read();
}

}  // namespace whorl::app
