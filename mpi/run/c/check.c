/* Results compared with those of the library, if this is asked for. */
#include <stdlib.h>
#include <string.h>

#include "collective.h"

/* Calls the library with buffers of bytes, or of elements for reductions. */
static int of_library(const struct result *result, void *into, MPI_Comm comm) {
  const struct qtdec_call *call = result->call;
  const void *from = result->send;
  MPI_Datatype type = result->type;
  int count = (int)(call->bytes / result->size), root = call->root;
  switch (call->collective) {
    case BCAST: return PMPI_Bcast(into, count, type, root, comm);
    case REDUCE: return PMPI_Reduce(from, into, count, type, result->op, root, comm);
    case ALLREDUCE: return PMPI_Allreduce(from, into, count, type, result->op, comm);
    case SCATTER: return PMPI_Scatter(from, count, type, into, count, type, root, comm);
    case GATHER: return PMPI_Gather(from, count, type, into, count, type, root, comm);
    case ALLGATHER: return PMPI_Allgather(from, count, type, into, count, type, comm);
    case ALLTOALL: return PMPI_Alltoall(from, count, type, into, count, type, comm);
    case REDUCE_SCATTER_BLOCK: return PMPI_Reduce_scatter_block(from, into, count, type, result->op, comm);
    default: return MPI_SUCCESS;
  }
}

/* Returns the bytes of floating-point numbers whose sums are rounded, 0 for elements that are compared by their bytes, and -1 for
   those that are not compared. */
static int width_of(const struct result *result) {
  int integers, addresses, types, combiner, count;
  MPI_Aint address;
  MPI_Datatype type = result->type;
  if (result->op == MPI_OP_NULL || result->op == MPI_MAX || result->op == MPI_MIN) return 0;
  PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  if (combiner == MPI_COMBINER_CONTIGUOUS) PMPI_Type_get_contents(type, 1, 0, 1, &count, &address, &type);
  if (type == MPI_FLOAT || type == MPI_REAL || type == MPI_REAL4 || type == MPI_COMPLEX || type == MPI_COMPLEX8 ||
       type == MPI_C_FLOAT_COMPLEX) return 4;
  if (type == MPI_DOUBLE || type == MPI_DOUBLE_PRECISION || type == MPI_REAL8 || type == MPI_DOUBLE_COMPLEX ||
      type == MPI_COMPLEX16 ||      type == MPI_C_DOUBLE_COMPLEX)
    return 8;
  if (type == MPI_LONG_DOUBLE || type == MPI_C_LONG_DOUBLE_COMPLEX || type == MPI_REAL16 || type == MPI_COMPLEX32) return -1;
  return 0;
}

int qtdec_check(const struct result *result, struct communicator *state) {
  const struct qtdec_call *call = result->call;
  int width = width_of(result), error, wrong, first;
  double own, largest = 0;
  void *library;
  if (call->collective == BARRIER || width < 0) return MPI_SUCCESS;
  library = malloc(result->received ? result->received : 1);
  if (!library) return MPI_ERR_NO_MEM;
  if (call->collective == BCAST && call->rank == call->root) memcpy(library, result->receive, result->received);
  if ((error = of_library(result, library, state->messages))) return error;
  if (width) {
    own = qtdec_interposer_largest(result->send, result->sent, width);
    if ((error = PMPI_Allreduce(&own, &largest, 1, MPI_DOUBLE, MPI_MAX, state->messages))) return error;
  }
  wrong = qtdec_interposer_agrees(call, result->receive, library, width, largest) ? state->ranks : state->rank;
  if ((error = PMPI_Allreduce(&wrong, &first, 1, MPI_INT, MPI_MIN, state->messages))) return error;
  if (first < state->ranks) {
    if (first == state->rank) qtdec_interposer_differs(result->plan, call);
    if (result->received) memcpy(result->receive, library, result->received);
    qtdec_let_go(state);
  }
  free(library);
  return MPI_SUCCESS;
}
