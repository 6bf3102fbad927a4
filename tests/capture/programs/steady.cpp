// Reads at random, in a table of which a part is read more often: the same from beginning to end.
#include <cstdint>
#include <cstdlib>

std::uint8_t table[1 << 18];

int main(int, char** argv) {
    const long times = std::atol(argv[1]);
    std::uint64_t state = 88172645463325252u;
    unsigned sum = 0;
    for (long i = 0; i < times; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const std::uint64_t at = state >> 20 & (state % 4 == 0 ? sizeof table - 1 : sizeof table / 32 - 1);
        sum += static_cast<volatile std::uint8_t*>(table)[at];
    }
    return sum == 1 ? 1 : 0;
}
