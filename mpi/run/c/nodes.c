/* The nodes on which ranks run. */
#include "nodes.h"

int qtdec_placement(MPI_Comm comm) {
  MPI_Comm node;
  int rank, place = 0;
  PMPI_Comm_rank(comm, &rank);
  /* The ranks of this node, its first rank, and whether they are not known. */
  int own[3] = {0, 0, 1}, most[3] = {0, 0, 1};
  if (!PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node)) {
    PMPI_Comm_rank(node, &place);
    PMPI_Comm_size(node, &own[0]);
    own[1] = rank;
    own[2] = PMPI_Bcast(&own[1], 1, MPI_INT, 0, node) != MPI_SUCCESS;
    PMPI_Comm_free(&node);
  }
  if (PMPI_Allreduce(own, most, 3, MPI_INT, MPI_MAX, comm) || most[2]) return 0;
  /* If nodes have the ranks in turn, the last node begins last. */
  int per_node = most[0], nodes = most[1] + 1;
  int others[2] = {place != rank % per_node, place != rank / nodes || own[1] != rank % nodes}, any[2] = {1, 1};
  if (PMPI_Allreduce(others, any, 2, MPI_INT, MPI_MAX, comm)) return 0;
  return !any[0] ? per_node : !any[1] ? -nodes : 0;
}
