/* Notes which algorithm Open MPI calls for a broadcast, and with what segment size. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>

static char seen[64];

void spy_begin(void)
{
    seen[0] = 0;
}

const char *spy_seen(void)
{
    return seen;
}

#define CALL void *buffer, int count, void *datatype, int root, void *comm, void *module
#define ARGUMENTS buffer, count, datatype, root, comm, module

/* An algorithm may call another one: the first is what was chosen. */
#define SPY(name, label, extra, passed, segment)                                        \
    int ompi_coll_base_bcast_intra_##name(CALL extra)                                   \
    {                                                                                   \
        typedef int function(CALL extra);                                               \
        static function *real;                                                          \
        if (!real)                                                                      \
            real = (function *) dlsym(RTLD_NEXT, "ompi_coll_base_bcast_intra_" #name);  \
        if (!seen[0])                                                                   \
            snprintf(seen, sizeof seen, "%s/%u", label, (unsigned) (segment));          \
        return real(ARGUMENTS passed);                                                  \
    }

#define COMMA ,
#define NOTHING
#define SEGMENT COMMA uint32_t size
#define SEGMENT_AND_NUMBER COMMA uint32_t size, int number

SPY(basic_linear, "basic_linear", NOTHING, NOTHING, 0)
SPY(chain, "chain", SEGMENT_AND_NUMBER, COMMA size COMMA number, size)
SPY(pipeline, "pipeline", SEGMENT, COMMA size, size)
SPY(split_bintree, "split_binary_tree", SEGMENT, COMMA size, size)
SPY(bintree, "binary_tree", SEGMENT, COMMA size, size)
SPY(binomial, "binomial", SEGMENT, COMMA size, size)
SPY(knomial, "knomial", SEGMENT_AND_NUMBER, COMMA size COMMA number, size)
SPY(scatter_allgather, "scatter_allgather", SEGMENT, COMMA size, size)
SPY(scatter_allgather_ring, "scatter_allgather_ring", SEGMENT, COMMA size, size)
