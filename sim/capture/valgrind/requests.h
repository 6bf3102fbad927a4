// Requests of the preloaded wrappers to the tool, besides those of whorl.h.
#pragma once

enum {
    WHORL_REQUEST_ALLOC = 0x57480101,    /* base, bytes */
    WHORL_REQUEST_FREE = 0x57480102,     /* base */
    WHORL_REQUEST_NAME = 0x57480103,     /* name of the calling thread */
    WHORL_REQUEST_SYNC = 0x57480104,     /* object, WHORL_SYNC_... */
    WHORL_REQUEST_THREADS = 0x57480105,  /* there will be another thread */
    WHORL_REQUEST_ALLOCATES = 0x57480106 /* the library begins to allocate */
};
