/* The nodes on which ranks run. */
#include "nodes.h"

int qtdec_placement(MPI_Comm comm) {
  MPI_Comm node;
  int rank, size, place, ranks, placement = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  if (!PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node)) {
    PMPI_Comm_rank(node, &place);
    PMPI_Comm_size(node, &ranks);
    int nodes = size / ranks, following = rank - place, in_turn = rank - place * nodes;
    /* What all ranks of the node have in common is its own negative at most. */
    int own[4] = {following, -following, in_turn, -in_turn}, most[4] = {0, 1, 0, 1};
    PMPI_Allreduce(own, most, 4, MPI_INT, MPI_MAX, node);
    placement = most[0] == -most[1] ? ranks : most[2] == -most[3] ? -nodes : 0;
    PMPI_Comm_free(&node);
  }
  int both[2] = {placement, -placement}, most[2] = {0, 0};
  if (PMPI_Allreduce(both, most, 2, MPI_INT, MPI_MAX, comm)) return 0;
  return most[0] == -most[1] ? placement : 0;
}
