// The smallest program: it names nothing of the library, whose allocation functions are linked anyway.
int main() {}
