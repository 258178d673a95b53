/* The nodes on which ranks run. */
#include "nodes.h"

int qtdec_ranks_per_node(MPI_Comm comm) {
  MPI_Comm node;
  int rank, ranks = 0;
  PMPI_Comm_rank(comm, &rank);
  if (!PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node)) {
    int own[2] = {rank, -rank}, ends[2] = {0, 0};
    PMPI_Allreduce(own, ends, 2, MPI_INT, MPI_MAX, node);
    PMPI_Comm_size(node, &ranks);
    if (ends[0] + ends[1] + 1 != ranks) ranks = 0;
    PMPI_Comm_free(&node);
  }
  int both[2] = {ranks, -ranks}, most[2] = {0, 0};
  if (PMPI_Allreduce(both, most, 2, MPI_INT, MPI_MAX, comm)) return 0;
  return most[0] == -most[1] ? most[0] : 0;
}
