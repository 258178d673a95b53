/* A broadcast whose last byte is wrong on the last rank, of messages that are not short. */
#include <mpi.h>

int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  int rank, ranks, error = PMPI_Bcast(buffer, count, type, root, comm);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  if (type == MPI_BYTE && count > 1000 && rank == ranks - 1) ((unsigned char *)buffer)[count - 1] ^= 1;
  return error;
}
