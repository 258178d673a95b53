/* One broadcast of 256 KiB again and again. Argument: how often. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1 << 18 };
static char bytes[BYTES];

int main(int count, char **arguments) {
  int rank, calls = count > 1 ? atoi(arguments[1]) : 1;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int call = 0; call < calls; call++) {
    bytes[BYTES - 1] = rank ? 0 : (char)(call % 100);
    MPI_Bcast(bytes, BYTES, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (bytes[BYTES - 1] != call % 100) MPI_Abort(MPI_COMM_WORLD, 7);
  }
  if (!rank) puts("all is well");
  MPI_Finalize();
  return 0;
}
