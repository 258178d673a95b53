/* Collectives again and again, as iterative programs have them, between which ranks compute for times of their own. Argument: the number of
   iterations. Prints the seconds of all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 1 << 16, MEDIUM = 1 << 13, BLOCK = 1 << 10, RANKS = 64 };
static char large[LARGE], block[BLOCK], blocks[BLOCK * RANKS];
static double numbers[MEDIUM / 8], sums[MEDIUM / 8];

static void compute(double seconds) {
  double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) continue;
}

int main(int count, char **arguments) {
  int rank, ranks, iterations = count > 1 ? atoi(arguments[1]) : 100;
  double began, one = 1, all = 0;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > RANKS) MPI_Abort(MPI_COMM_WORLD, 6);
  MPI_Barrier(MPI_COMM_WORLD);
  began = MPI_Wtime();
  for (int iteration = 0; iteration < iterations; iteration++) {
    if (!rank) memset(large, iteration, LARGE);
    memset(block, rank + iteration, BLOCK);
    MPI_Bcast(large, LARGE, MPI_CHAR, 0, MPI_COMM_WORLD);
    compute(1e-5 * ((rank + iteration) % 4));
    MPI_Allreduce(&one, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    numbers[MEDIUM / 8 - 1] = rank;
    MPI_Allreduce(numbers, sums, MEDIUM / 8, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(block, BLOCK, MPI_CHAR, blocks, BLOCK, MPI_CHAR, MPI_COMM_WORLD);
    if (large[LARGE - 1] != (char)iteration || all != ranks || sums[MEDIUM / 8 - 1] != ranks * (ranks - 1) / 2 ||
        blocks[BLOCK * ranks - 1] != (char)(ranks - 1 + iteration))
      MPI_Abort(MPI_COMM_WORLD, 7);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) printf("%.6f\n", MPI_Wtime() - began);
  MPI_Finalize();
  return 0;
}
