// What the caches, TLBs and bounded memory of a machine hold at a moment, as tables and as an answer.
#pragma once

#include <memory>
#include <vector>

#include "sim/cache/contents.h"
#include "sim/replay/simulator.h"
#include "sim/report/document.h"
#include "sim/report/table.h"
#include "sim/trace/trace.h"

namespace whorl::sim {

/// A machine in the middle of its trace, and the stores in question.
struct ContentsQuery {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const Simulator> now;
    std::vector<Store> stores;  ///< they exist
};

/// A row for each way of a store, set by set: set, way, valid and dirty (0 or 1), tag, address of the block and its
/// name, order (see Contents::hasOrder), what the policy keeps, and the state of the protocol. Empty ways have no tag.
/// With `inUse`, only the sets that hold a block, and of those all ways.
Table contentsTable(const ContentsQuery& query, const Store& store, bool inUse = false);

/// The first byte of a block of a store that lies in a region, and so names it; the block's first byte if none does.
ByteAddress namedByteOf(const Contents& contents, const Trace& trace, BlockAddress block);

/// "4 sets of 2 ways, blocks of 32 bytes, LRU".
std::string shapeInWords(const Contents& contents);
/// The tables of all stores in question. In text without empty sets, whose number is said. JSON: {"at", "stores":
/// [{"name", "kind", "sets", "ways", "block", "policy", "contents": [rows]}]}. CSV: all rows, with the store's name.
Document contentsDocument(const ContentsQuery& query);

}  // namespace whorl::sim
