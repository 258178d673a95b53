/* Calls collectives, each with a message of some size, as COLLECTIVE:BYTES, where the bytes are those of the buffer or of
 * one block of it. Checks what arrives, and tells what a preloaded spy saw: "COLLECTIVE:BYTES: rank 0;rank 1;…". Ends with 4
 * and MPI's words on standard error where a call fails. With QTDEC_PARTS=N, each of N parts of the ranks calls on a communicator of
 * its own, and the first one tells. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORLD world
#define BYTE MPI_UNSIGNED_CHAR
#define SEEN 512

static MPI_Comm world = MPI_COMM_WORLD;
static int rank, ranks, bytes, part;
static unsigned char *sent, *received;
static int *counts, *offsets;

/* What a rank sends at some place. */
static unsigned char value(int from, long at)
{
    return (unsigned char) (from * 31 + at * 7 + at / 251 + 1);
}

/* The exclusive or of what the ranks below `end` send. (Sums of bytes end at 255 in Open MPI 4.1.) */
static unsigned char combined(int end, long at)
{
    unsigned char all = 0;
    for (int from = 0; from < end; from++)
        all ^= value(from, at);
    return all;
}

/* One call, and what is to arrive at some place of block `block`; -1 where nothing is. */
struct collective {
    const char *name;
    int (*call)(void);
    int (*expected)(int block, int at);
};

#define COLLECTIVE(name, what, arrives)                \
    static int call_##name(void) { return what; }      \
    static int expected_##name(int block, int at)      \
    {                                                  \
        (void) block, (void) at;                       \
        return arrives;                                \
    }
#define OWN(at) ((long) rank * bytes + (at))

COLLECTIVE(allgather, MPI_Allgather(sent, bytes, BYTE, received, bytes, BYTE, WORLD), value(block, at))
COLLECTIVE(allgatherv, MPI_Allgatherv(sent, bytes, BYTE, received, counts, offsets, BYTE, WORLD), value(block, at))
COLLECTIVE(allreduce, MPI_Allreduce(sent, received, bytes, BYTE, MPI_BXOR, WORLD), block ? -1 : combined(ranks, at))
COLLECTIVE(alltoall, MPI_Alltoall(sent, bytes, BYTE, received, bytes, BYTE, WORLD), value(block, OWN(at)))
COLLECTIVE(alltoallv, MPI_Alltoallv(sent, counts, offsets, BYTE, received, counts, offsets, BYTE, WORLD), value(block, OWN(at)))
COLLECTIVE(barrier, MPI_Barrier(WORLD), -1)
COLLECTIVE(bcast, MPI_Bcast(rank ? received : sent, bytes, BYTE, 0, WORLD), block || !rank ? -1 : value(0, at))
COLLECTIVE(exscan, MPI_Exscan(sent, received, bytes, BYTE, MPI_BXOR, WORLD), block || !rank ? -1 : combined(rank, at))
COLLECTIVE(gather, MPI_Gather(sent, bytes, BYTE, received, bytes, BYTE, 0, WORLD), rank ? -1 : value(block, at))
COLLECTIVE(reduce, MPI_Reduce(sent, received, bytes, BYTE, MPI_BXOR, 0, WORLD), block || rank ? -1 : combined(ranks, at))
COLLECTIVE(reduce_scatter, MPI_Reduce_scatter(sent, received, counts, BYTE, MPI_BXOR, WORLD), block ? -1 : combined(ranks, OWN(at)))
COLLECTIVE(reduce_scatter_block, MPI_Reduce_scatter_block(sent, received, bytes, BYTE, MPI_BXOR, WORLD), block ? -1 : combined(ranks, OWN(at)))
COLLECTIVE(scan, MPI_Scan(sent, received, bytes, BYTE, MPI_BXOR, WORLD), block ? -1 : combined(rank + 1, at))
COLLECTIVE(scatter, MPI_Scatter(sent, bytes, BYTE, received, bytes, BYTE, 0, WORLD), block ? -1 : value(0, OWN(at)))

#define ROW(name) { #name, call_##name, expected_##name }
static const struct collective collectives[] = {
    ROW(allgather), ROW(allgatherv), ROW(allreduce), ROW(alltoall), ROW(alltoallv), ROW(barrier), ROW(bcast), ROW(exscan),
    ROW(gather), ROW(reduce), ROW(reduce_scatter), ROW(reduce_scatter_block), ROW(scan), ROW(scatter), { 0, 0, 0 },
};

static const struct collective *find(const char *name, size_t length)
{
    const struct collective *found = collectives;
    while (found->name && (strncmp(found->name, name, length) || found->name[length]))
        found++;
    if (!found->name)
        MPI_Abort(WORLD, 2);
    return found;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &ranks);
    const char *parts = getenv("QTDEC_PARTS");
    if (parts) {
        part = rank / (ranks / atoi(parts));
        MPI_Comm_split(MPI_COMM_WORLD, part, rank, &world);
        MPI_Comm_rank(WORLD, &rank);
        MPI_Comm_size(WORLD, &ranks);
    }
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    void (*begin)(void) = (void (*)(void)) dlsym(RTLD_DEFAULT, "spy_begin");
    const char *(*seen)(void) = (const char *(*)(void)) dlsym(RTLD_DEFAULT, "spy_seen");
    if (!begin || !seen)
        MPI_Abort(WORLD, 1);
    counts = malloc(ranks * sizeof *counts);
    offsets = malloc(ranks * sizeof *offsets);
    char *all = malloc((size_t) ranks * SEEN);
    for (int i = 1; i < argc; i++) {
        const char *colon = strchr(argv[i], ':');
        const struct collective *collective = find(argv[i], colon - argv[i]);
        bytes = atoi(colon + 1);
        size_t total = (size_t) bytes * ranks;
        sent = malloc(total + 1);
        received = calloc(total + 1, 1);
        for (size_t at = 0; at < total; at++)
            sent[at] = value(rank, at);
        for (int block = 0; block < ranks; block++) {
            counts[block] = bytes;
            offsets[block] = block * bytes;
        }
        MPI_Barrier(WORLD);
        begin();
        int code = collective->call();
        if (code != MPI_SUCCESS) {
            char text[MPI_MAX_ERROR_STRING];
            int length;
            MPI_Error_string(code, text, &length);
            fprintf(stderr, "rank %d: %s: %s\n", rank, argv[i], text);
            MPI_Finalize();
            return 4;
        }
        char own[SEEN] = "";
        strncpy(own, seen(), SEEN - 1);
        MPI_Gather(own, SEEN, MPI_CHAR, all, SEEN, MPI_CHAR, 0, WORLD);
        for (int block = 0; block < ranks; block++)
            for (int at = 0; at < bytes; at++) {
                int right = collective->expected(block, at);
                if (right >= 0 && received[(size_t) block * bytes + at] != right) {
                    fprintf(stderr, "rank %d: what %s brings is wrong at byte %d of block %d\n", rank, argv[i], at, block);
                    MPI_Abort(WORLD, 3);
                }
            }
        if (rank == 0 && part == 0) {
            printf("%s: ", argv[i]);
            for (int from = 0; from < ranks; from++)
                printf("%s%s", from ? ";" : "", all + (size_t) from * SEEN);
            printf("\n");
        }
        free(sent);
        free(received);
    }
    MPI_Finalize();
    return 0;
}
