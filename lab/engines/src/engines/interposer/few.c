/* A few calls of which a test knows what becomes of them. With the argument `lies` an operation claims to commute, and with `dies` a
   rank ends between two calls. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void mix(void *from, void *into, int *count, MPI_Datatype *type) {
  (void)type;
  for (int at = 0; at < *count; at++) ((int *)into)[at] = 3 * ((int *)from)[at] + 5 * ((int *)into)[at];
}

int main(int count, char **arguments) {
  int rank, number, result, expected;
  MPI_Op op;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int call = 0; call < 3; call++) {
    number = rank == 1 ? 7 + call : -1;
    MPI_Bcast(&number, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (number != 7 + call) MPI_Abort(MPI_COMM_WORLD, 7);
  }
  if (count > 1 && !strcmp(arguments[1], "lies")) {
    MPI_Op_create(mix, 1, &op);
    for (int call = 0; call < 2; call++) {
      number = 1 << (3 * rank);
      MPI_Allreduce(&number, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
      PMPI_Allreduce(&number, &expected, 1, MPI_INT, op, MPI_COMM_WORLD);
      if (result != expected) MPI_Abort(MPI_COMM_WORLD, 8);
    }
    MPI_Op_free(&op);
  }
  if (count > 1 && !strcmp(arguments[1], "dies")) {
    if (rank == 1) raise(SIGKILL);
    MPI_Bcast(&number, 1, MPI_INT, 1, MPI_COMM_WORLD);
  }
  if (!rank) puts("all is well");
  MPI_Finalize();
}
