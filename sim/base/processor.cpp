#include "sim/base/processor.h"

namespace whorl::sim {

bool hasAvx2() {
#ifdef WHORL_AVX2
    static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0;
    return has;
#else
    return false;
#endif
}

}  // namespace whorl::sim
