/* Broadcasts messages of the sizes it is given, and tells what a preloaded spy saw at the root: "size: seen". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    void (*begin)(void) = (void (*)(void)) dlsym(RTLD_DEFAULT, "spy_begin");
    const char *(*seen)(void) = (const char *(*)(void)) dlsym(RTLD_DEFAULT, "spy_seen");
    if (!begin || !seen)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 1; i < argc; i++) {
        int count = atoi(argv[i]);
        char *buffer = malloc(count + 1);
        for (int at = 0; at < count; at++)
            buffer[at] = rank == 0 ? (char) (at * 7) : 0;
        MPI_Barrier(MPI_COMM_WORLD);
        begin();
        MPI_Bcast(buffer, count, MPI_CHAR, 0, MPI_COMM_WORLD);
        if (rank == 0)
            printf("%d: %s\n", count, seen());
        for (int at = 0; at < count; at++)
            if (buffer[at] != (char) (at * 7))
                MPI_Abort(MPI_COMM_WORLD, 1);
        free(buffer);
    }
    MPI_Finalize();
    return 0;
}
