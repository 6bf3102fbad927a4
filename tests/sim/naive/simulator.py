"""A slow simulator of memory hierarchies, written from docs/machines.md alone, to check Whorl's.

It reads cases, each a machine and a trace, from standard input, and prints for each all misses with their kinds, all
counts, the use of blocks and what the caches hold at the end. It favours plain code over speed: a set is a list of ways, an LRU order a
list, and OPT plays the trace several times.
"""

import json
import sys
from bisect import bisect_right

ADDRESS_SPACE = 1 << 64
MASK = ADDRESS_SPACE - 1
WORD = 4
STRIDE_ENTRIES = 64
MEMORY_WORD = 8
NEVER = float("inf")
COUNTS = ["reads", "writes", "read_misses", "write_misses", "fills", "evictions", "writebacks", "invalidations",
          "back_invalidations", "paged_out", "downgrades", "upgrades", "moves", "prefetches", "useful_prefetches"]
KINDS = ["compulsory", "capacity", "conflict", "true", "false"]


# The machine

def parse_size(value):
    """Number of bytes of 4096 or "4K"."""
    if not isinstance(value, str):
        return int(value)
    text = value.strip().upper().removesuffix("B").removesuffix("I")
    for exponent, unit in enumerate("KMGT", start=1):
        if text.endswith(unit):
            return int(float(text[:-1]) * 1024 ** exponent)
    return int(text)


class Level:
    """The description of one level; levels are numbered from 0 here, from 1 in what is printed."""

    def __init__(self, keys, number, levels, cpus, protocol):
        self.number = number
        self.block = parse_size(keys["block"])
        size = parse_size(keys["size"])
        self.ways = size // self.block if keys["ways"] == "full" else int(keys["ways"])
        self.sets = size // (self.block * self.ways)
        default_sharing = "all" if number == levels - 1 and levels > 1 else 1
        shared_by = keys.get("shared_by", default_sharing)
        self.shared_by = cpus if shared_by == "all" else int(shared_by)
        self.caches = -(-cpus // self.shared_by)
        self.coherent = self.caches > 1 and protocol != "none"
        self.policy = keys.get("policy", "lru")
        self.seed = keys.get("seed", 1)
        self.through = keys.get("write", "back") == "through"
        self.allocate = keys.get("allocate", True)
        self.inclusive = keys.get("inclusion", "none") == "inclusive"
        self.exclusive = keys.get("inclusion", "none") == "exclusive"
        self.prefetch = keys.get("prefetch", "none")
        self.degree = keys.get("degree", 1)
        self.latency = keys.get("latency", default_latency(number))


def default_latency(number):
    """4, 14, 40, 60, 80, ..."""
    return [4, 14][number] if number < 2 else 20 * number


class Machine:
    def __init__(self, keys, cpus_of_trace):
        self.cpus = max(keys.get("cpus", 1), cpus_of_trace)
        self.protocol = keys.get("protocol", "mesi")
        self.memory_latency = keys.get("memory_latency", 200)
        self.upgrade_latency = keys.get("upgrade_latency", 30)
        self.writeback_latency = keys.get("writeback_latency", 0)
        conventions = keys.get("conventions", {})
        self.writeback_first = conventions.get("writeback_first", False)
        self.modify_counts_once = conventions.get("modify_counts_once", False)
        self.full_write_fetches = conventions.get("full_write_fetches", True)
        self.straddle_counts_once = conventions.get("straddle_counts_once", False)
        self.tlb = keys.get("tlb")
        self.bounds = keys.get("memory")
        self.page = self.page_size()
        self.fault = self.bounds.get("fault", 100000) if self.bounds else 0
        self.levels = [Level(level, number, len(keys["levels"]), self.cpus, self.protocol)
                       for number, level in enumerate(keys["levels"])]


    def page_size(self):
        """Of the TLB and of bounded memory; None without either."""
        given = [keys["page"] for keys in (self.bounds, self.tlb) if keys and "page" in keys]
        return parse_size(given[0] if given else "4K") if self.bounds or self.tlb else None


class Access:
    def __init__(self, line):
        self.kind, address, size, cpu, site = line.split()
        self.first = int(address, 16)
        # An access at the end of the address space ends there: it does not wrap around
        self.last = min(self.first + int(size) - 1, MASK)
        self.cpu = int(cpu)
        self.site = int(site)
        self.writes = self.kind != "R"


# A cache

class Line:
    """A block in a cache."""

    def __init__(self, block, way, dirty, owned, prefetched):
        self.block = block
        self.way = way
        self.dirty = dirty
        self.owned = owned
        self.prefetched = prefetched
        self.used = set()    # addresses of bytes


class CacheSet:
    def __init__(self, ways):
        self.ways = [None] * ways    # the line in each way
        self.used = []               # the ways in use, least recently used first
        self.filled = []             # the ways in use, filled the longest ago first
        self.tree = {}               # plru: bit of each node (a, b); absent is 0, which points to the left
        self.predictions = [0] * ways    # srrip

    def is_full(self):
        return len(self.used) == len(self.ways)

    def use(self, way, policy):
        if way in self.used:
            self.used.remove(way)
        self.used.append(way)
        if policy == "plru":
            self.point_away_from(way)

    def point_away_from(self, way):
        a, b = 0, len(self.ways)
        while b - a > 1:
            middle = a + (b - a + 1) // 2
            if way < middle:
                self.tree[a, b] = 1
                b = middle
            else:
                self.tree[a, b] = 0
                a = middle

    def remove(self, way):
        self.ways[way] = None
        self.used.remove(way)
        self.filled.remove(way)

    def plru_victim(self):
        a, b = 0, len(self.ways)
        while b - a > 1:
            middle = a + (b - a + 1) // 2
            if self.tree.get((a, b), 0):
                a = middle
            else:
                b = middle
        return a

    def srrip_victim(self):
        while 3 not in self.predictions:
            self.predictions = [prediction + 1 for prediction in self.predictions]
        return self.predictions.index(3)


class Cache:
    def __init__(self, level, index, cpus, future):
        self.level = level
        self.index = index
        self.cpus = range(index * level.shared_by, min((index + 1) * level.shared_by, cpus))
        self.name = f"L{level.number + 1}.{index}"
        self.sets = {}
        self.lines = {}
        self.counts = dict.fromkeys(COUNTS, 0)
        self.random_state = (level.seed + index) & MASK
        self.strides = {}
        # Kinds of misses
        self.shadow = []            # least recently used block first
        self.requested = set()
        self.lost_to_writes = set()
        self.essential = {}         # position of the last essential miss of a block
        self.undecided = {}         # block: its coherence miss, of which it is open whether it is by true sharing
        self.used_bytes = 0         # of the blocks that have left
        # OPT: what happens to each block, (time, whether it is a request), as noted in this run and in one before
        self.time = 0
        self.events = {}
        self.future = future

    def set_of(self, block):
        number = block % self.level.sets
        if number not in self.sets:
            self.sets[number] = CacheSet(self.level.ways)
        return self.sets[number]

    def use(self, line):
        cache_set = self.set_of(line.block)
        cache_set.use(line.way, self.level.policy)
        cache_set.predictions[line.way] = 0

    def fill(self, block, dirty, owned, prefetched):
        assert block not in self.lines
        cache_set = self.set_of(block)
        way = cache_set.ways.index(None)
        line = Line(block, way, dirty, owned, prefetched)
        cache_set.ways[way] = line
        cache_set.filled.append(way)
        cache_set.use(way, self.level.policy)
        cache_set.predictions[way] = 2
        self.lines[block] = line
        self.lost_to_writes.discard(block)
        self.counts["fills"] += 1

    def remove(self, line):
        self.set_of(line.block).remove(line.way)
        del self.lines[line.block]
        self.used_bytes += len(line.used)
        self.undecided.pop(line.block, None)

    def victim(self, cache_set):
        policy = self.level.policy
        if policy == "fifo":
            way = cache_set.filled[0]
        elif policy == "mru":
            way = cache_set.used[-1]
        elif policy == "plru":
            way = cache_set.plru_victim()
        elif policy == "srrip":
            way = cache_set.srrip_victim()
        elif policy == "random":
            way = self.random() % self.level.ways
        elif policy == "opt" and self.future is not None:
            nexts = [self.next_request(line.block) for line in cache_set.ways]
            way = nexts.index(max(nexts))
        else:
            way = cache_set.used[0]
        return cache_set.ways[way]

    def random(self):
        """splitmix64."""
        self.random_state = (self.random_state + 0x9E3779B97F4A7C15) & MASK
        z = self.random_state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def note_event(self, block, is_request):
        if self.level.policy == "opt":
            self.events.setdefault(block, []).append((self.time, is_request))

    def next_request(self, block):
        events = self.future.get(block, [])
        position = bisect_right(events, (self.time, True))
        if position == len(events) or not events[position][1]:
            return NEVER
        return events[position][0]

    def shadow_use(self, block):
        if block in self.shadow:
            self.shadow.remove(block)
        self.shadow.append(block)
        if len(self.shadow) > self.level.sets * self.level.ways:
            del self.shadow[0]

    def shadow_request(self, block, write):
        """Whether the shadow has the block."""
        has = block in self.shadow
        if has and self.level.exclusive and not write:
            self.shadow.remove(block)
        elif has or self.would_fill(write):
            self.shadow_use(block)
        return has

    def would_fill(self, write):
        return not self.level.exclusive and (self.level.allocate or not write)


class Tlb:
    def __init__(self, keys):
        entries = keys["entries"]
        ways = keys.get("ways", entries)
        self.ways = entries if ways == "full" else ways
        self.set_number = entries // self.ways
        self.sets = {}
        self.misses = 0

    def pages_with(self, page):
        """The pages in the set of a page, least recently used first."""
        return self.sets.setdefault(page % self.set_number, [])

    def look_up(self, page):
        """Whether the page is there."""
        pages = self.pages_with(page)
        if page not in pages:
            self.misses += 1
            return False
        pages.remove(page)
        pages.append(page)
        return True

    def fill(self, page):
        pages = self.pages_with(page)
        if len(pages) == self.ways:
            del pages[0]
        pages.append(page)

    def remove(self, page):
        if page in self.pages_with(page):
            self.pages_with(page).remove(page)


class Frames:
    """Bounded memory."""

    def __init__(self, number, cpus):
        self.pages = [None] * number    # by frame
        self.used = []                  # pages, least recently used first
        self.dirty = set()
        self.faults = [0] * cpus
        self.written_back = [0] * cpus

    def use(self, page, write):
        if page in self.used:
            self.used.remove(page)
        self.used.append(page)
        if write:
            self.dirty.add(page)

    def remove(self, page):
        """Returns its frame."""
        frame = self.pages.index(page)
        self.pages[frame] = None
        self.used.remove(page)
        self.dirty.discard(page)
        return frame


# The hierarchy

class Simulator:
    def __init__(self, machine, trace, futures):
        self.machine = machine
        self.levels = machine.levels
        self.trace = trace
        self.caches = [[Cache(level, index, machine.cpus, futures.get((level.number, index)))
                        for index in range(level.caches)] for level in self.levels]
        self.families = {cache: self.family(cache) for caches in self.caches for cache in caches}
        self.peers = {cache: self.find_peers(cache) for caches in self.caches for cache in caches}
        self.tlbs = [Tlb(machine.tlb) for _ in range(machine.cpus)] if machine.tlb else []
        self.frames = None
        if machine.bounds and parse_size(machine.bounds["size"]) > 0:
            self.frames = Frames(parse_size(machine.bounds["size"]) // machine.page, machine.cpus)
        self.memory = {"reads": 0, "writes": 0}
        self.program = {"reads": 0, "writes": 0}
        self.cycles = [0] * machine.cpus
        self.misses = []         # [position of the access, cache, block, kind, whether it counts]
        self.using = None        # the bytes that the present request uses, the first and the last
        self.last_writes = {}    # word: (CPU, position of the access)

    def family(self, cache):
        """The caches that serve the CPUs of a cache at its level and all nearer ones, the nearest first."""
        return [near for level in self.caches[:cache.level.number + 1] for near in level if near.cpus[0] in cache.cpus]

    def find_peers(self, cache):
        number = cache.level.number
        others = [other for other in self.caches[number] if other is not cache]
        if number == len(self.levels) - 1:
            return others
        next_cache = self.cache_of(number + 1, cache.cpus[0])
        return [other for other in others if self.cache_of(number + 1, other.cpus[0]) is next_cache]

    def cache_of(self, number, cpu):
        return self.caches[number][cpu // self.levels[number].shared_by]

    def containing(self, number, block, farther):
        """The block of a farther level that contains this one; beyond the last level, blocks have no number."""
        if farther == len(self.levels):
            return None
        return block * self.levels[number].block // self.levels[farther].block

    def lines_within(self, cache, number, block):
        """The lines in a cache within a block of its or a farther level, ascending."""
        ratio = self.levels[number].block // cache.level.block
        if ratio == 1:
            return [cache.lines[block]] if block in cache.lines else []
        first = block * ratio
        found = [part for part in cache.lines if first <= part < first + ratio]
        return [cache.lines[part] for part in sorted(found)]

    # Accesses

    def run(self):
        for position, access in enumerate(self.trace):
            self.play(position, access)

    def play(self, position, access):
        self.position = position
        self.access = access
        self.counted = {}      # straddle_counts_once: level: whether the request counted there is a miss
        self.trained = set()
        self.count_access(access)
        if self.tlbs or self.frames:
            for page in range(access.first // self.machine.page, access.last // self.machine.page + 1):
                self.translate(page)
        size = self.levels[0].block if self.levels else MEMORY_WORD
        for block in range(access.first // size, access.last // size + 1):
            first = max(access.first, block * size)
            last = min(access.last, block * size + size - 1)
            self.reached = []    # by the demand for this block: (cache, block, whether it missed)
            if self.frames and first // self.machine.page not in self.frames.pages:
                self.translate(first // self.machine.page)
            self.decide_sharing(first, last)
            whole = access.writes and last - first + 1 == size
            self.using = (first, last)
            self.request(0, access.cpu, block, access.writes, True, access.writes, whole)
            self.use_on_path(self.levels)
            self.using = None
            for cache, reached_block, missed in list(self.reached):
                self.prefetch(cache, reached_block, missed, first)
        if access.writes:
            self.end_write(access)

    def translate(self, page):
        cpu = self.access.cpu
        missing = bool(self.tlbs) and not self.tlbs[cpu].look_up(page)
        if missing:
            self.wait(self.machine.tlb.get("walk", 30))
        if self.frames:
            if page not in self.frames.pages:
                self.fault(page)
            self.frames.use(page, self.access.writes)
        if missing:
            self.tlbs[cpu].fill(page)

    def fault(self, page):
        self.frames.faults[self.access.cpu] += 1
        self.wait(self.machine.fault)
        if None not in self.frames.pages:
            self.page_out(self.leaving_page())
        self.frames.pages[self.frames.pages.index(None)] = page

    def leaving_page(self):
        """The page used the longest ago, of those that the access does not touch if all that it touches fit."""
        size = self.machine.page
        touched = range(self.access.first // size, self.access.last // size + 1)
        fit = len(touched) <= len(self.frames.pages)
        return next(page for page in self.frames.used if not (fit and page in touched))

    def page_out(self, page):
        """A page leaves memory, and all that is known of it goes."""
        if page in self.frames.dirty:
            self.frames.written_back[self.access.cpu] += 1
        self.frames.remove(page)
        for tlb in self.tlbs:
            tlb.remove(page)
        farthest = len(self.levels) - 1
        blocks = self.machine.page // self.levels[farthest].block if self.levels else 0
        for block in range(page * blocks, (page + 1) * blocks):
            dirty = False
            for caches in self.caches:
                for cache in caches:
                    for line in self.lines_within(cache, farthest, block):
                        dirty = dirty or line.dirty
                        if line.dirty:
                            self.count_writeback(cache)
                        cache.counts["paged_out"] += 1
                        cache.remove(line)
            if dirty:
                self.memory["writes"] += 1
        for caches in self.caches:
            for cache in caches:
                self.lose_page(cache, page)

    def lose_page(self, cache, page):
        """Takes its blocks from the shadow, and, for OPT, notes that they are taken."""
        blocks = self.machine.page // cache.level.block
        cache.shadow = [block for block in cache.shadow if block // blocks != page]
        if cache.level.policy == "opt":
            cache.time += 1
            for block in range(page * blocks, (page + 1) * blocks):
                cache.note_event(block, False)

    def count_access(self, access):
        if access.kind == "M" and self.machine.modify_counts_once:
            return
        self.program["writes" if access.writes else "reads"] += 1

    def end_write(self, access):
        for word in range(access.first // WORD, access.last // WORD + 1):
            self.last_writes[word] = (access.cpu, self.position)
        for level in self.levels:
            if level.coherent:
                for cache in self.caches[level.number]:
                    if access.cpu not in cache.cpus:
                        self.lose_to_write(cache, access)

    def lose_to_write(self, cache, access):
        """Takes blocks from the shadow, and, for OPT, notes that they are taken."""
        outermost = max((level for level in self.levels[cache.level.number:]
                         if self.cache_of(level.number, access.cpu)
                         is not self.cache_of(level.number, cache.cpus[0])), key=lambda level: level.number)
        ratio = outermost.block // cache.level.block
        first = access.first // outermost.block * ratio
        last = (access.last // outermost.block + 1) * ratio - 1
        if cache.shadow:
            cache.shadow = [block for block in cache.shadow if not first <= block <= last]
        if cache.level.policy == "opt":
            cache.time += 1
            for block in range(first, last + 1):
                cache.note_event(block, False)

    # Requests

    def request(self, number, cpu, block, write, demand, owns, whole):
        """Plays a request; whether the block moved here dirty from an exclusive cache."""
        if number == len(self.levels):
            self.memory["writes" if write else "reads"] += 1
            self.wait(self.machine.memory_latency if demand else 0)
            return False
        cache = self.cache_of(number, cpu)
        line = cache.lines.get(block)
        first = block not in cache.requested
        cache.requested.add(block)
        cache.time += 1
        cache.note_event(block, True)
        shadow_has = cache.shadow_request(block, write)
        counts = self.count_request(cache, write, demand, line is None)
        if demand:
            self.reached.append((cache, block, line is None))
        if line:
            return self.hit(cache, cpu, line, write, demand, owns, whole)
        self.note_miss(cache, block, first, shadow_has, cache.would_fill(write), counts)
        return self.miss(cache, cpu, block, write, demand, owns, whole)

    def hit(self, cache, cpu, line, write, demand, owns, whole):
        if owns and cache.level.coherent and not line.owned:
            self.upgrade(cache.level.number, cpu, line.block, demand)
        cache.use(line)
        if demand:
            self.serve(cache)
        if line.prefetched:
            line.prefetched = False
            cache.counts["useful_prefetches"] += 1
        if write:
            self.write_into(cache, cpu, line.block, whole)
        elif cache.level.exclusive:
            cache.counts["moves"] += 1
            cache.remove(line)
            return line.dirty
        return False

    def miss(self, cache, cpu, block, write, demand, owns, whole):
        level = cache.level
        self.snoop_peers(cache, block, owns)
        if write and not level.allocate:
            self.pass_on(cache, cpu, block, whole)
        elif level.exclusive:
            farther = self.containing(level.number, block, level.number + 1)
            return self.request(level.number + 1, cpu, farther, write, demand, owns, whole)
        else:
            fetch = self.machine.full_write_fetches or not (write and whole)
            self.bring_in(cache, cpu, block, demand, owns, fetch, False)
            if write:
                self.write_into(cache, cpu, block, whole)
        return False

    def write_into(self, cache, cpu, block, whole):
        if cache.level.through:
            self.pass_on(cache, cpu, block, whole)
        else:
            cache.lines[block].dirty = True

    def pass_on(self, cache, cpu, block, whole, farther=None):
        """Writes a block, or a part of it, to a farther level, the next one if it is not named."""
        number = cache.level.number
        if farther is None:
            farther = number + 1
        whole = whole and farther < len(self.levels) and self.levels[farther].block == cache.level.block
        self.request(farther, cpu, self.containing(number, block, farther), True, False, True, whole)

    def bring_in(self, cache, cpu, block, demand, owns, fetch, prefetched):
        number = cache.level.number
        farther = self.containing(number, block, number + 1)
        dirty = False
        if self.machine.writeback_first:
            self.make_room(cache, cpu, block)
        if fetch:
            dirty = self.request(number + 1, cpu, farther, False, demand, owns, False)
        elif cache.level.coherent:
            self.upgrade(number + 1, cpu, farther, demand)
        if not self.machine.writeback_first:
            self.make_room(cache, cpu, block)
        owned = owns or self.nobody_else_has(cache, cpu, block)
        cache.fill(block, dirty, owned, prefetched)
        self.note_fill(cache, block)

    def make_room(self, cache, cpu, block):
        cache_set = cache.set_of(block)
        if not cache_set.is_full():
            return
        victim = cache.victim(cache_set)
        if cache.level.inclusive:
            self.invalidate_nearer(cache, victim)
        cache.remove(victim)
        cache.counts["evictions"] += 1
        if victim.dirty:
            self.count_writeback(cache)
        number = cache.level.number + 1
        if number < len(self.levels) and self.levels[number].exclusive:
            self.take_victim(self.cache_of(number, cpu), cpu, victim)
        elif victim.dirty:
            self.pass_on(cache, cpu, victim.block, True)

    def invalidate_nearer(self, cache, victim):
        for near in self.families[cache]:
            if near is not cache:
                for line in self.lines_within(near, cache.level.number, victim.block):
                    victim.dirty = victim.dirty or line.dirty
                    near.counts["back_invalidations"] += 1
                    near.remove(line)

    def take_victim(self, cache, cpu, victim):
        """An exclusive cache gets a victim of the nearer level."""
        block = victim.block
        nearer = [near for near in self.caches[cache.level.number - 1] if near.cpus[0] in cache.cpus]
        if any(block in near.lines for near in nearer):
            if victim.dirty:
                self.write_beyond_exclusive(cache, cpu, block)
        elif block in cache.lines:
            cache.lines[block].dirty = cache.lines[block].dirty or victim.dirty
        else:
            self.make_room(cache, cpu, block)
            cache.fill(block, victim.dirty, victim.owned, False)
            self.note_fill(cache, block)
            cache.shadow_use(block)

    def write_beyond_exclusive(self, cache, cpu, block):
        """Writes a block to the first farther level that is not exclusive."""
        farther = cache.level.number + 1
        while farther < len(self.levels) and self.levels[farther].exclusive:
            farther += 1
        self.pass_on(cache, cpu, block, True, farther)

    # Prefetches

    def prefetch(self, cache, block, missed, address):
        level = cache.level
        blocks = []
        if level.prefetch == "next-line" and missed:
            blocks = [block + ahead for ahead in range(1, level.degree + 1)]
        elif level.prefetch == "stride" and level.number not in self.trained and self.access.kind != "M":
            self.trained.add(level.number)
            blocks = self.predict(cache, block, address)
        for wanted in blocks:
            inside = 0 <= wanted < ADDRESS_SPACE // level.block
            if inside and wanted not in cache.lines and self.is_in_memory(level, wanted):
                cache.counts["prefetches"] += 1
                if wanted not in cache.shadow:
                    cache.shadow_use(wanted)
                self.snoop_peers(cache, wanted, False)
                self.bring_in(cache, self.access.cpu, wanted, False, False, True, True)

    def is_in_memory(self, level, block):
        return not self.frames or block * level.block // self.machine.page in self.frames.pages

    def predict(self, cache, block, address):
        site = self.access.site
        entry = cache.strides.get(site % STRIDE_ENTRIES)
        if entry is None or entry["site"] != site:
            cache.strides[site % STRIDE_ENTRIES] = {"site": site, "last": address, "stride": 0, "confidence": 0}
            return []
        step = address - entry["last"]
        entry["last"] = address
        if step == entry["stride"] and step != 0:
            entry["confidence"] = min(entry["confidence"] + 1, 3)
        else:
            entry["confidence"] = max(entry["confidence"] - 1, 0)
            if entry["confidence"] == 0:
                entry["stride"] = step
        if entry["confidence"] < 2:
            return []
        blocks = []
        before = block
        for ahead in range(1, cache.level.degree + 1):
            predicted = (address + ahead * entry["stride"]) // cache.level.block
            if predicted not in (block, before):
                blocks.append(predicted)
            before = predicted
        return blocks

    # Coherence

    def snoop_peers(self, cache, block, owns):
        if not cache.level.coherent:
            return
        for peer in self.peers[cache]:
            for other in self.families[peer]:
                for line in self.lines_within(other, cache.level.number, block):
                    self.snoop(other, line, owns)

    def snoop(self, cache, line, owns):
        had_rights = line.owned or line.dirty
        if line.dirty:
            line.dirty = False
            self.count_writeback(cache)
            self.write_beyond_exclusive(cache, cache.cpus[0], line.block)
        if cache.lines.get(line.block) is not line:
            return
        if owns:
            cache.counts["invalidations"] += 1
            cache.remove(line)
            cache.lost_to_writes.add(line.block)
        elif had_rights:
            cache.counts["downgrades"] += 1
            line.owned = False

    def upgrade(self, number, cpu, block, demand):
        """Gains write permission for a block at this level and beyond."""
        while number < len(self.levels) and self.levels[number].coherent:
            cache = self.cache_of(number, cpu)
            line = cache.lines.get(block)
            if line and line.owned:
                return
            if line:
                cache.counts["upgrades"] += 1
                self.wait(self.machine.upgrade_latency if demand else 0)
            self.snoop_peers(cache, block, True)
            if line:
                line.owned = True
            block = self.containing(number, block, number + 1)
            number += 1

    def nobody_else_has(self, cache, cpu, block):
        """MESI: whether a filled block is owned at once."""
        if self.machine.protocol != "mesi" or not cache.level.coherent:
            return False
        while True:
            number = cache.level.number
            for peer in self.peers[cache]:
                if any(self.lines_within(other, number, block) for other in self.families[peer]):
                    return False
            block = self.containing(number, block, number + 1)
            if number + 1 == len(self.levels) or not self.levels[number + 1].coherent:
                return True
            cache = self.cache_of(number + 1, cpu)
            if block in cache.lines:
                return cache.lines[block].owned

    # Counts and cycles

    def wait(self, cycles):
        self.cycles[self.access.cpu] += cycles

    def count_writeback(self, cache):
        cache.counts["writebacks"] += 1
        self.wait(self.machine.writeback_latency)

    def count_request(self, cache, write, demand, missed):
        """Whether it counts as a miss."""
        number = cache.level.number
        kind = "write" if write else "read"
        if self.machine.modify_counts_once and self.access.kind == "M" and number == 0 and not missed:
            return False
        if demand:
            self.wait(cache.level.latency)
        if demand and self.machine.straddle_counts_once:
            if number in self.counted:
                worse = missed and not self.counted[number]
                if worse:
                    self.counted[number] = True
                    cache.counts[kind + "_misses"] += 1
                return worse
            self.counted[number] = missed
        cache.counts[kind + "s"] += 1
        if missed:
            cache.counts[kind + "_misses"] += 1
        return missed

    # Use of blocks

    def serve(self, cache):
        """The present request is served in a cache."""
        self.use_on_path(self.levels if cache.level.number == 0 else [cache.level])

    def note_fill(self, cache, block):
        on_path = cache is self.cache_of(cache.level.number, self.access.cpu)
        if self.using and on_path and block == self.using[0] // cache.level.block:
            self.serve(cache)

    def use_on_path(self, levels):
        """The bytes of the present request are used in the CPU's caches of these levels that have them."""
        first, last = self.using
        for level in levels:
            line = self.cache_of(level.number, self.access.cpu).lines.get(first // level.block)
            if line:
                line.used.update(range(first, last + 1))

    # Kinds of misses

    def note_miss(self, cache, block, first, shadow_has, fills, counts):
        miss = [self.position, cache, block, "capacity", counts]
        self.misses.append(miss)
        if first:
            miss[3] = "compulsory"
        elif block in cache.lost_to_writes:
            self.note_coherence_miss(miss, fills)
        elif shadow_has:
            miss[3] = "conflict"
        if miss[3] != "false":
            cache.essential[block] = self.position

    def note_coherence_miss(self, miss, fills):
        _, cache, block, _, _ = miss
        miss[3] = "false"
        behind = self.access.cpu in cache.cpus
        if behind and self.uses_foreign_word(cache, block, self.access.first, self.access.last):
            miss[3] = "true"
        elif fills:
            cache.undecided[block] = miss

    def decide_sharing(self, first, last):
        """The access uses its words, from the byte `first` to `last`: some misses before may be by true sharing."""
        for level in self.levels:
            cache = self.cache_of(level.number, self.access.cpu)
            block = first // level.block
            if block in cache.undecided and self.uses_foreign_word(cache, block, first, last):
                miss = cache.undecided.pop(block)
                miss[3] = "true"
                cache.essential[block] = miss[0]

    def uses_foreign_word(self, cache, block, first, last):
        """Whether one of the bytes that are in the block has been written elsewhere since the last essential miss."""
        size = cache.level.block
        first = max(first, block * size)
        last = min(last, block * size + size - 1)
        for word in range(first // WORD, last // WORD + 1) if first <= last else []:
            if word in self.last_writes:
                cpu, position = self.last_writes[word]
                if cpu not in cache.cpus and position >= cache.essential.get(block, -1):
                    return True
        return False


# Cases

def simulate(keys, trace):
    machine = Machine(keys, max((access.cpu for access in trace), default=0) + 1)
    futures = {}
    for level in machine.levels:
        if level.policy == "opt":
            # This level plays LRU, since it has no future yet; its requests are the same
            simulator = Simulator(machine, trace, futures)
            simulator.run()
            for cache in simulator.caches[level.number]:
                futures[level.number, cache.index] = cache.events
    simulator = Simulator(machine, trace, futures)
    simulator.run()
    return simulator


def flags(cache, line):
    return (("d" if line.dirty else "") + ("o" if line.owned and cache.level.coherent else "")
            + ("p" if line.prefetched else ""))


def report(simulator):
    caches = [cache for level in simulator.caches for cache in level]
    kinds = {(cache, kind): 0 for cache in caches for kind in KINDS}
    for position, cache, block, kind, counts in simulator.misses:
        print(f"miss {position} {cache.name} {block:x} {kind}")
        kinds[cache, kind] += counts
    for cache in caches:
        print(cache.name, *(f"{key}={cache.counts[key]}" for key in COUNTS))
        print("kinds", *(kinds[cache, kind] for kind in KINDS))
        print("used", cache.used_bytes + sum(len(line.used) for line in cache.lines.values()))
    print(f"memory reads={simulator.memory['reads']} writes={simulator.memory['writes']}")
    for cpu, tlb in enumerate(simulator.tlbs):
        print(f"tlb {cpu} {tlb.misses}")
    if simulator.frames:
        for cpu, faults in enumerate(simulator.frames.faults):
            print(f"pages {cpu} faults={faults} written_back={simulator.frames.written_back[cpu]}")
        for frame, page in enumerate(simulator.frames.pages):
            if page is not None:
                print(f"frame {frame} {page:x}{':d' if page in simulator.frames.dirty else ''}")
    for cpu, cycles in enumerate(simulator.cycles):
        print(f"cycles {cpu} {cycles}")
    print(f"program reads={simulator.program['reads']} writes={simulator.program['writes']}")
    for cache in caches:
        lines = [cache.lines[block] for block in sorted(cache.lines)]
        print("contents", cache.name, *(f"{line.block:x}:{flags(cache, line)}" for line in lines))


def main():
    for text in sys.stdin:
        line = text.strip()
        if line.startswith("case"):
            print(line)
            trace = []
        elif line.startswith("machine"):
            keys = json.loads(line.removeprefix("machine"))
        elif line == "end":
            report(simulate(keys, trace))
        elif line:
            trace.append(Access(line))


if __name__ == "__main__":
    main()
