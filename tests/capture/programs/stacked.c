/* Memory that is neither on the heap nor of a constant size on the stack, and memory that the program hands out. */
#define _GNU_SOURCE
#include <alloca.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct pool {
    char* memory;
    unsigned long used;
};
struct item {
    long key;
    struct item* next;
};

__attribute__((noinline)) void* pool_alloc(struct pool* p, unsigned long size) {
    void* piece = p->memory + p->used;
    p->used += (size + 15) / 16 * 16;
    return piece;
}
void* handed(struct pool* p, unsigned long size) {
    return pool_alloc(p, size);
}

/* Its name does not say so, but what it returns and takes does. */
__attribute__((noinline)) void* carve(struct pool* from, unsigned long bytes) {
    char* piece = from->memory + from->used;
    from->used += (bytes + 15) / 16 * 16;
    return piece;
}

double walk(int n) {
    double grid[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) grid[i][j] = i * j;
    double s = 0;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) s += grid[i][j];
    return s;
}
int scratch(int n, int r) {
    int* buffer = alloca(n * sizeof(int));
    int s = 0;
    for (int i = 0; i < n; i++) buffer[i] = i * r;
    for (int i = 0; i < n; i += 16) s += buffer[i];
    return s;
}

int main(int argc, char** argv) {
    double s = walk(60);
    for (int r = 0; r < 5; r++) s += scratch(2000, r);
    long* big = mmap(0, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 1 << 13; i++) big[i] = i;
    FILE* file = fopen(argv[0], "r");
    char* text = file == NULL ? NULL : mmap(0, 4096, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    for (int i = 0; text != NULL && i < 4096; i++) s += text[i];
    struct pool pool = {malloc(1 << 16), 0};
    struct item* list = NULL;
    for (int i = 0; i < 500; i++) {
        struct item* made = handed(&pool, sizeof(struct item));
        made->key = i;
        made->next = list;
        list = made;
    }
    long* weights = handed(&pool, 800 * sizeof(long));
    for (int i = 0; i < 800; i++) weights[i] = i;
    long* marks = carve(&pool, 600 * sizeof(long));
    for (int i = 0; i < 600; i++) marks[i] = i;
    for (struct item* i = list; i != NULL; i = i->next) s += (double)(i->key + weights[i->key]);
    printf("%g %ld %ld %d\n", s, big[77], marks[argc], argc);
    return 0;
}
