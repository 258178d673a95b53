/* Broadcasts by the interposer and by the library, by turns: prints the time of each in each pair, in nanoseconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { CALLS = 20 };

static double seconds(int ours, char *data, int bytes) {
  struct timespec begin, end;
  PMPI_Barrier(MPI_COMM_WORLD);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int call = 0; call < CALLS; call++) {
    if (ours) MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    else PMPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    PMPI_Barrier(MPI_COMM_WORLD);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec);
}

int main(int count, char **arguments) {
  int rank, pairs = count > 1 ? atoi(arguments[1]) : 0, bytes = count > 2 ? atoi(arguments[2]) : 0;
  char *data = calloc((size_t)bytes + 1, 1);
  if (!data) return 1;
  MPI_Init(&count, &arguments);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  seconds(1, data, bytes);
  seconds(0, data, bytes);
  for (int pair = 0; pair < pairs; pair++) {
    int first = pair % 2;
    double times[2];
    times[first] = seconds(first, data, bytes);
    times[!first] = seconds(!first, data, bytes);
    if (rank == 0) printf("%.0f %.0f\n", times[1], times[0]);
  }
  free(data);
  return MPI_Finalize();
}
