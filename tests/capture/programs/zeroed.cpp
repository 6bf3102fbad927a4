// Has 3 GB of static variables.
char zeroed[3000000000];

int main() {
    for (unsigned long i = 0; i < sizeof zeroed; i += 100000000) zeroed[i] = 1;
    return 0;
}
