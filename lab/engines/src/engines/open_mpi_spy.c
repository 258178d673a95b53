/* Notes which algorithm Open MPI calls for a collective, with what segment size, for chains how many of them, and how many requests
 * a rank may have open at once if there is a limit. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static char seen[80];

void spy_begin(void)
{
    seen[0] = 0;
}

const char *spy_seen(void)
{
    return seen;
}

/* An algorithm may call others, also of other collectives: the first is what was chosen. */
#define SPY(collective, name, label, parameters, arguments, segment)                            \
    SPY_LIMITED(collective, name, label, parameters, arguments, segment, 0)

/* Open MPI makes one chain if there are to be none. */
#define SPY_CHAINS(collective, parameters, arguments, requests)                                 \
    SPY_AS(collective, intra_chain, parameters, arguments,                                      \
           (#collective " chain/%u of %d", (unsigned) size, number < 1 ? 1 : number), requests)

/* Algorithms that limit the requests that a rank has open. */
#define SPY_LIMITED(collective, name, label, parameters, arguments, segment, requests)          \
    SPY_AS(collective, name, parameters, arguments, (#collective " " label "/%u", (unsigned) (segment)), requests)

#define PRINT(...) snprintf(seen, sizeof seen, __VA_ARGS__)

static void limit(int requests)
{
    size_t length = strlen(seen);
    if (requests > 0)
        snprintf(seen + length, sizeof seen - length, " with %d requests", requests);
}

#define SPY_AS(collective, name, parameters, arguments, what, requests)                         \
    int ompi_coll_base_##collective##_##name parameters                                         \
    {                                                                                           \
        typedef int function parameters;                                                        \
        static function *real;                                                                  \
        if (!real)                                                                              \
            real = (function *) dlsym(RTLD_NEXT, "ompi_coll_base_" #collective "_" #name);      \
        if (!seen[0]) {                                                                         \
            PRINT what;                                                                         \
            limit(requests);                                                                    \
        }                                                                                       \
        return real arguments;                                                                  \
    }

/* Each list of parameters, with those that only some algorithms take at the end. */
#define COMMA ,
#define ALLGATHER(more) (const void *send, int count, void *type, void *into, int room, void *kind, void *comm, void *module more)
#define ALLGATHER_(more) (send, count, type, into, room, kind, comm, module more)
#define ALLGATHERV (const void *send, int count, void *type, void *into, const int *rooms, const int *at, void *kind, void *comm, void *module)
#define ALLGATHERV_ (send, count, type, into, rooms, at, kind, comm, module)
#define ALLTOALLV (const void *send, const int *counts, const int *from, void *type, void *into, const int *rooms, const int *at, void *kind, void *comm, void *module)
#define ALLTOALLV_ (send, counts, from, type, into, rooms, at, kind, comm, module)
#define BARRIER (void *comm, void *module)
#define BARRIER_ (comm, module)
#define BCAST(more) (void *buffer, int count, void *type, int root, void *comm, void *module more)
#define BCAST_(more) (buffer, count, type, root, comm, module more)
#define GATHER(more) (const void *send, int count, void *type, void *into, int room, void *kind, int root, void *comm, void *module more)
#define GATHER_(more) (send, count, type, into, room, kind, root, comm, module more)
#define REDUCE(more) (const void *send, void *into, int count, void *type, void *op, int root, void *comm, void *module more)
#define REDUCE_(more) (send, into, count, type, op, root, comm, module more)
#define SCAN(more) (const void *send, void *into, int count, void *type, void *op, void *comm, void *module more)
#define SCAN_(more) (send, into, count, type, op, comm, module more)
#define REDUCE_SCATTER (const void *send, void *into, const int *counts, void *type, void *op, void *comm, void *module)
#define REDUCE_SCATTER_ (send, into, counts, type, op, comm, module)

#define NO
#define SIZE COMMA uint32_t size
#define SIZE_ COMMA size
#define SIZE_NUMBER SIZE COMMA int number
#define SIZE_NUMBER_ SIZE_ COMMA number
#define SIZE_NUMBERS SIZE_NUMBER COMMA int second
#define SIZE_NUMBERS_ SIZE_NUMBER_ COMMA second
#define NUMBER COMMA int number
#define NUMBER_ COMMA number

SPY(allgather, intra_basic_linear, "linear", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY(allgather, intra_bruck, "bruck", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY(allgather, intra_recursivedoubling, "recursive_doubling", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY(allgather, intra_ring, "ring", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY(allgather, intra_neighborexchange, "neighbor", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY(allgather, intra_sparbit, "sparbit", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY(allgather, intra_two_procs, "two_proc", ALLGATHER(NO), ALLGATHER_(NO), 0)

SPY(allgatherv, intra_basic_default, "default", ALLGATHERV, ALLGATHERV_, 0)
SPY(allgatherv, intra_bruck, "bruck", ALLGATHERV, ALLGATHERV_, 0)
SPY(allgatherv, intra_ring, "ring", ALLGATHERV, ALLGATHERV_, 0)
SPY(allgatherv, intra_neighborexchange, "neighbor", ALLGATHERV, ALLGATHERV_, 0)
SPY(allgatherv, intra_sparbit, "sparbit", ALLGATHERV, ALLGATHERV_, 0)
SPY(allgatherv, intra_two_procs, "two_proc", ALLGATHERV, ALLGATHERV_, 0)

SPY(allreduce, intra_basic_linear, "basic_linear", SCAN(NO), SCAN_(NO), 0)
SPY(allreduce, intra_nonoverlapping, "nonoverlapping", SCAN(NO), SCAN_(NO), 0)
SPY(allreduce, intra_recursivedoubling, "recursive_doubling", SCAN(NO), SCAN_(NO), 0)
SPY(allreduce, intra_ring, "ring", SCAN(NO), SCAN_(NO), 0)
SPY(allreduce, intra_ring_segmented, "segmented_ring", SCAN(SIZE), SCAN_(SIZE_), size)
SPY(allreduce, intra_redscat_allgather, "rabenseifner", SCAN(NO), SCAN_(NO), 0)

SPY(alltoall, intra_basic_linear, "linear", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY(alltoall, intra_pairwise, "pairwise", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY(alltoall, intra_bruck, "modified_bruck", ALLGATHER(NO), ALLGATHER_(NO), 0)
SPY_LIMITED(alltoall, intra_linear_sync, "linear_sync", ALLGATHER(NUMBER), ALLGATHER_(NUMBER_), 0, number)
SPY(alltoall, intra_two_procs, "two_proc", ALLGATHER(NO), ALLGATHER_(NO), 0)

SPY(alltoallv, intra_basic_linear, "basic_linear", ALLTOALLV, ALLTOALLV_, 0)
SPY(alltoallv, intra_pairwise, "pairwise", ALLTOALLV, ALLTOALLV_, 0)

SPY(barrier, intra_basic_linear, "linear", BARRIER, BARRIER_, 0)
SPY(barrier, intra_doublering, "double_ring", BARRIER, BARRIER_, 0)
SPY(barrier, intra_recursivedoubling, "recursive_doubling", BARRIER, BARRIER_, 0)
SPY(barrier, intra_bruck, "bruck", BARRIER, BARRIER_, 0)
SPY(barrier, intra_two_procs, "two_proc", BARRIER, BARRIER_, 0)
SPY(barrier, intra_tree, "tree", BARRIER, BARRIER_, 0)

SPY(bcast, intra_basic_linear, "basic_linear", BCAST(NO), BCAST_(NO), 0)
SPY_CHAINS(bcast, BCAST(SIZE_NUMBER), BCAST_(SIZE_NUMBER_), 0)
SPY(bcast, intra_pipeline, "pipeline", BCAST(SIZE), BCAST_(SIZE_), size)
SPY(bcast, intra_split_bintree, "split_binary_tree", BCAST(SIZE), BCAST_(SIZE_), size)
SPY(bcast, intra_bintree, "binary_tree", BCAST(SIZE), BCAST_(SIZE_), size)
SPY(bcast, intra_binomial, "binomial", BCAST(SIZE), BCAST_(SIZE_), size)
SPY(bcast, intra_knomial, "knomial", BCAST(SIZE_NUMBER), BCAST_(SIZE_NUMBER_), size)
SPY(bcast, intra_scatter_allgather, "scatter_allgather", BCAST(SIZE), BCAST_(SIZE_), size)
SPY(bcast, intra_scatter_allgather_ring, "scatter_allgather_ring", BCAST(SIZE), BCAST_(SIZE_), size)

SPY(exscan, intra_linear, "linear", SCAN(NO), SCAN_(NO), 0)
SPY(exscan, intra_recursivedoubling, "recursive_doubling", SCAN(NO), SCAN_(NO), 0)

SPY(gather, intra_basic_linear, "basic_linear", GATHER(NO), GATHER_(NO), 0)
SPY(gather, intra_binomial, "binomial", GATHER(NO), GATHER_(NO), 0)
SPY(gather, intra_linear_sync, "linear_sync", GATHER(NUMBER), GATHER_(NUMBER_), number)

SPY(reduce, intra_basic_linear, "linear", REDUCE(NO), REDUCE_(NO), 0)
SPY_CHAINS(reduce, REDUCE(SIZE_NUMBERS), REDUCE_(SIZE_NUMBERS_), second)
SPY_LIMITED(reduce, intra_pipeline, "pipeline", REDUCE(SIZE_NUMBER), REDUCE_(SIZE_NUMBER_), size, number)
SPY_LIMITED(reduce, intra_binary, "binary", REDUCE(SIZE_NUMBER), REDUCE_(SIZE_NUMBER_), size, number)
SPY_LIMITED(reduce, intra_binomial, "binomial", REDUCE(SIZE_NUMBER), REDUCE_(SIZE_NUMBER_), size, number)
SPY_LIMITED(reduce, intra_in_order_binary, "in-order_binary", REDUCE(SIZE_NUMBER), REDUCE_(SIZE_NUMBER_), size, number)
SPY(reduce, intra_redscat_gather, "rabenseifner", REDUCE(NO), REDUCE_(NO), 0)

SPY(reduce_scatter, intra_nonoverlapping, "non-overlapping", REDUCE_SCATTER, REDUCE_SCATTER_, 0)
SPY(reduce_scatter, intra_basic_recursivehalving, "recursive_halving", REDUCE_SCATTER, REDUCE_SCATTER_, 0)
SPY(reduce_scatter, intra_ring, "ring", REDUCE_SCATTER, REDUCE_SCATTER_, 0)
SPY(reduce_scatter, intra_butterfly, "butterfly", REDUCE_SCATTER, REDUCE_SCATTER_, 0)

SPY(reduce_scatter_block, basic_linear, "basic_linear", SCAN(NO), SCAN_(NO), 0)
SPY(reduce_scatter_block, intra_recursivedoubling, "recursive_doubling", SCAN(NO), SCAN_(NO), 0)
SPY(reduce_scatter_block, intra_recursivehalving, "recursive_halving", SCAN(NO), SCAN_(NO), 0)
SPY(reduce_scatter_block, intra_butterfly, "butterfly", SCAN(NO), SCAN_(NO), 0)

SPY(scan, intra_linear, "linear", SCAN(NO), SCAN_(NO), 0)
SPY(scan, intra_recursivedoubling, "recursive_doubling", SCAN(NO), SCAN_(NO), 0)

SPY(scatter, intra_basic_linear, "basic_linear", GATHER(NO), GATHER_(NO), 0)
SPY(scatter, intra_binomial, "binomial", GATHER(NO), GATHER_(NO), 0)
SPY(scatter, intra_linear_nb, "linear_nb", GATHER(NUMBER), GATHER_(NUMBER_), 0)
