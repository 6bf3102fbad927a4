#include "app/tasks/freed_memory.h"

#include <malloc.h>

namespace whorl::app {

void returnFreedMemory() {
    malloc_trim(0);
}

}  // namespace whorl::app
