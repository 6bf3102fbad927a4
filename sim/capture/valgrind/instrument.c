#include "sim/capture/valgrind/instrument.h"

#include <libvex_guest_amd64.h>
#include <pub_tool_libcassert.h>
#include <pub_tool_machine.h>

#include "sim/capture/valgrind/recorder.h"

ULong whorl_instructions;

/// Accesses of one instruction that are not emitted yet.
#define MOST_PENDING 16
/// Records between two checks of the room. With those of one instruction and of a text they must fit into the margin.
#define MOST_GROUP 64

typedef struct {
    IRExpr* address;
    IRExpr* guard;  ///< null: always
    ULong size;
    UInt op;
} Pending;

typedef struct {
    IRSB* to;
    const whorl_wanted* wanted;
    Addr pc;
    Pending pending[MOST_PENDING];
    UInt count;         ///< of those pending
    IRTemp cursor;      ///< what the cursor was when the group began; IRTemp_INVALID: there is none
    UInt group;         ///< records in the group
    UInt instructions;  ///< not counted yet
} Block;

static void add(Block* b, IRStmt* statement) {
    addStmtToIRSB(b->to, statement);
}

static IRExpr* assigned(Block* b, IRType type, IRExpr* value) {
    const IRTemp t = newIRTemp(b->to->tyenv, type);
    add(b, IRStmt_WrTmp(t, value));
    return IRExpr_RdTmp(t);
}

static IRExpr* constant(ULong value) {
    return IRExpr_Const(IRConst_U64(value));
}
static IRExpr* place(const void* variable) {
    return constant((HWord)variable);
}
static IRExpr* loaded(Block* b, const void* variable) {
    return assigned(b, Ity_I64, IRExpr_Load(Iend_LE, Ity_I64, place(variable)));
}
static IRExpr* sum(Block* b, IRExpr* a, ULong more) {
    return more == 0 ? a : assigned(b, Ity_I64, IRExpr_Binop(Iop_Add64, a, constant(more)));
}
static void store(Block* b, IRExpr* where, IRExpr* what) {
    add(b, IRStmt_Store(Iend_LE, where, what));
}

/// Advances the cursor over what was stored, and makes room.
static void advance(Block* b, IRExpr* cursor) {
    store(b, place(&whorl_cursor), cursor);
    IRExpr* const full = assigned(b, Ity_I1, IRExpr_Binop(Iop_CmpLT64U, loaded(b, &whorl_limit), cursor));
    IRDirty* const call = unsafeIRDirty_0_N(0, "whorl_flush", VG_(fnptr_to_fnentry)(&whorl_flush), mkIRExprVec_0());
    call->guard = full;
    add(b, IRStmt_Dirty(call));
}

static void end_group(Block* b) {
    if (b->cursor == IRTemp_INVALID) return;
    advance(b, sum(b, IRExpr_RdTmp(b->cursor), b->group * sizeof(whorl_record)));
    b->cursor = IRTemp_INVALID;
    b->group = 0;
}

static void count_instructions(Block* b) {
    if (b->instructions == 0) return;
    store(b, place(&whorl_instructions), sum(b, loaded(b, &whorl_instructions), b->instructions));
    b->instructions = 0;
}

static void emit_always(Block* b, IRExpr* value, ULong what) {
    if (b->cursor == IRTemp_INVALID) {
        b->cursor = newIRTemp(b->to->tyenv, Ity_I64);
        add(b, IRStmt_WrTmp(b->cursor, IRExpr_Load(Iend_LE, Ity_I64, place(&whorl_cursor))));
    }
    IRExpr* const at = sum(b, IRExpr_RdTmp(b->cursor), b->group * sizeof(whorl_record));
    store(b, at, value);
    store(b, sum(b, at, 8), constant(what));
    if (++b->group == MOST_GROUP) end_group(b);
}

/// Stores a record whose second word is 0 unless the guard holds, and then does not advance over it.
static void emit_guarded(Block* b, IRExpr* value, ULong what, IRExpr* guard) {
    end_group(b);
    IRExpr* const at = loaded(b, &whorl_cursor);
    store(b, at, value);
    store(b, sum(b, at, 8), assigned(b, Ity_I64, IRExpr_ITE(guard, constant(what), constant(0))));
    IRExpr* const bytes = assigned(b, Ity_I64, IRExpr_ITE(guard, constant(sizeof(whorl_record)), constant(0)));
    advance(b, assigned(b, Ity_I64, IRExpr_Binop(Iop_Add64, at, bytes)));
}

static void emit(Block* b, IRExpr* value, ULong what, IRExpr* guard) {
    if (guard == NULL) {
        emit_always(b, value, what);
    } else {
        emit_guarded(b, value, what, guard);
    }
}

/// Emits the accesses of an instruction. It is done after the instruction, so that one that faults is not recorded.
static void end_instruction(Block* b) {
    for (UInt i = 0; i < b->count; ++i) {
        const Pending* const p = &b->pending[i];
        const Bool is_long = p->size > 255;
        if (is_long) emit(b, constant(p->size), WHORL_WHAT(WHORL_LONG, 0, 0), p->guard);
        emit(b, p->address, WHORL_WHAT(p->op, is_long ? 0 : p->size, b->pc), p->guard);
    }
    b->count = 0;
}

static Bool same(const IRExpr* a, const IRExpr* b) {
    return a == b || eqIRAtom(a, b);
}

static void access(Block* b, UInt op, IRExpr* address, ULong size, IRExpr* guard) {
    if (op == WHORL_WRITE && b->count > 0) {
        Pending* const last = &b->pending[b->count - 1];
        if (last->op == WHORL_READ && last->size == size && last->guard == guard && same(last->address, address)) {
            last->op = WHORL_MODIFY;
            return;
        }
    }
    if (b->count == MOST_PENDING) end_instruction(b);
    b->pending[b->count++] = (Pending){.address = address, .guard = guard, .size = size, .op = op};
}

/// A compare-and-swap, together with the load before it that the instruction begins with.
static void atomic(Block* b, IRExpr* address, ULong size) {
    if (b->count > 0) {
        Pending* const last = &b->pending[b->count - 1];
        if (last->op == WHORL_READ && last->guard == NULL && same(last->address, address)) --b->count;
    }
    access(b, WHORL_ATOMIC, address, size, NULL);
}

static ULong size_of(const Block* b, const IRExpr* data) {
    return (ULong)sizeofIRType(typeOfIRExpr(b->to->tyenv, data));
}

static IRExpr* guard_of(IRExpr* guard) {
    return guard == NULL || (guard->tag == Iex_Const && guard->Iex.Const.con->Ico.U1) ? NULL : guard;
}

static void helper_call(Block* b, const IRDirty* d) {
    if (d->mFx == Ifx_None) return;
    if (d->mFx != Ifx_Write) access(b, WHORL_READ, d->mAddr, (ULong)d->mSize, guard_of(d->guard));
    if (d->mFx != Ifx_Read) access(b, WHORL_WRITE, d->mAddr, (ULong)d->mSize, guard_of(d->guard));
}

static void loads_and_stores(Block* b, const IRStmt* s) {
    switch (s->tag) {
        case Ist_WrTmp: {
            const IRExpr* const data = s->Ist.WrTmp.data;
            if (data->tag != Iex_Load) break;
            access(b, WHORL_READ, data->Iex.Load.addr, (ULong)sizeofIRType(data->Iex.Load.ty), NULL);
            break;
        }
        case Ist_LoadG: {
            const IRLoadG* const l = s->Ist.LoadG.details;
            IRType type = Ity_INVALID;
            IRType widened = Ity_INVALID;
            typeOfIRLoadGOp(l->cvt, &widened, &type);
            access(b, WHORL_READ, l->addr, (ULong)sizeofIRType(type), guard_of(l->guard));
            break;
        }
        case Ist_Store:
            access(b, WHORL_WRITE, s->Ist.Store.addr, size_of(b, s->Ist.Store.data), NULL);
            break;
        case Ist_StoreG: {
            const IRStoreG* const g = s->Ist.StoreG.details;
            access(b, WHORL_WRITE, g->addr, size_of(b, g->data), guard_of(g->guard));
            break;
        }
        case Ist_CAS: {
            const IRCAS* const c = s->Ist.CAS.details;
            atomic(b, c->addr, size_of(b, c->dataLo) * (c->dataHi != NULL ? 2 : 1));
            break;
        }
        case Ist_Dirty:
            helper_call(b, s->Ist.Dirty.details);
            break;
        default:
            break;
    }
}

/// Shortens the turn of the thread: the counter of superblocks left, at offset 8 of the state of every guest, becomes
/// at most `quantum`.
static void limit_turn(Block* b, UInt quantum) {
    IRExpr* const left = assigned(b, Ity_I32, IRExpr_Get(8, Ity_I32));
    IRExpr* const most = IRExpr_Const(IRConst_U32(quantum));
    IRExpr* const is_more = assigned(b, Ity_I1, IRExpr_Binop(Iop_CmpLT32S, most, left));
    add(b, IRStmt_Put(8, assigned(b, Ity_I32, IRExpr_ITE(is_more, most, left))));
}

/// Records the stack pointer.
static void frame(Block* b, UInt op) {
    IRExpr* const stack = assigned(b, Ity_I64, IRExpr_Get(offsetof(VexGuestAMD64State, guest_RSP), Ity_I64));
    emit_always(b, stack, WHORL_WHAT(op, 0, b->pc));
}

void whorl_instrument(IRSB* to, const IRSB* from, const whorl_wanted* wanted) {
    Block b = {.to = to, .wanted = wanted, .cursor = IRTemp_INVALID};
    Bool is_first = True;
    for (Int i = 0; i < from->stmts_used; ++i) {
        IRStmt* const s = from->stmts[i];
        if (s == NULL || s->tag == Ist_NoOp) continue;
        if (s->tag == Ist_IMark) {
            end_instruction(&b);
            add(&b, s);
            b.pc = s->Ist.IMark.addr;
            if (is_first && wanted->quantum > 0) limit_turn(&b, wanted->quantum);
            if (is_first && wanted->enters) frame(&b, WHORL_ENTER);
            is_first = False;
            ++b.instructions;
            if (wanted->fetches) access(&b, WHORL_FETCH, constant(b.pc), s->Ist.IMark.len, NULL);
            continue;
        }
        if (s->tag == Ist_Exit) {
            end_instruction(&b);
            end_group(&b);
            count_instructions(&b);
        }
        // A helper may end the thread, or read what was recorded.
        if (s->tag == Ist_Dirty) end_group(&b);
        add(&b, s);
        loads_and_stores(&b, s);
    }
    end_instruction(&b);
    if (wanted->calls) frame(&b, WHORL_CALL);
    if (wanted->leaves) frame(&b, WHORL_LEAVE);
    end_group(&b);
    count_instructions(&b);
}

void whorl_instrument_return(IRSB* to) {
    Block b = {.to = to, .cursor = IRTemp_INVALID};
    frame(&b, WHORL_LEAVE);
    end_group(&b);
}
