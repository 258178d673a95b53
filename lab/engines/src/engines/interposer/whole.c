/* Reductions by an operation of the program, which is not asked about elements one by one: it counts on all of them at once. With the
   argument `cut` it does not, and takes any part. Counts are not divisible by the number of ranks, and so small that MPI libraries
   themselves do not cut. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int expected, may_cut;

static void whole(void *from, void *into, int *count, MPI_Datatype *type) {
  (void)type;
  if (*count != expected && !may_cut) {
    fprintf(stderr, "WRONG: %d of %d elements at once\n", *count, expected);
    MPI_Abort(MPI_COMM_WORLD, 7);
  }
  for (int at = 0; at < *count; at++) ((int *)into)[at] += ((int *)from)[at];
}

static void check(const int *sums, int ranks, int first, int what) {
  for (int at = 0; at < expected; at++) {
    if (sums[at] == ranks * (ranks - 1) / 2 + ranks * (first + at)) continue;
    fprintf(stderr, "WRONG: the sum of collective %d\n", what);
    MPI_Abort(MPI_COMM_WORLD, 7);
  }
}

int main(int count, char **arguments) {
  int rank, ranks;
  MPI_Op op;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  may_cut = count > 1 && !strcmp(arguments[1], "cut");
  MPI_Op_create(whole, 1, &op);
  for (expected = 1; expected < 200; expected = expected * 9 + 4) {
    int *from = malloc((size_t)(expected * ranks) * sizeof *from), *into = malloc((size_t)expected * sizeof *into);
    for (int at = 0; at < expected * ranks; at++) from[at] = rank + at;
    MPI_Reduce(from, into, expected, MPI_INT, op, 0, MPI_COMM_WORLD);
    if (!rank) check(into, ranks, 0, 0);
    MPI_Allreduce(from, into, expected, MPI_INT, op, MPI_COMM_WORLD);
    check(into, ranks, 0, 1);
    free(from);
    free(into);
  }
  MPI_Op_free(&op);
  if (!rank) puts("all is well");
  MPI_Finalize();
}
