/* Collectives again and again, as iterative programs have them, between which ranks compute for times of their own. Arguments: the calls of an
   iteration (`mixed`, or only a sum and a broadcast of so many bytes), and the number of iterations; then a line, the file that the first rank
   writes it to, and the iteration before which it does. Prints the seconds of all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 1 << 16, MEDIUM = 1 << 13, BLOCK = 1 << 10, RANKS = 64 };
static char large[LARGE], block[BLOCK], blocks[BLOCK * RANKS];
static double numbers[MEDIUM / 8], sums[MEDIUM / 8];
static int rank, ranks;

static void write(const char *line, const char *path) {
  FILE *file = fopen(path, "w");
  if (!file || fprintf(file, "%s\n", line) < 0 || fclose(file)) MPI_Abort(MPI_COMM_WORLD, 5);
}

static void compute(double seconds) {
  double end = MPI_Wtime() + seconds;
  while (MPI_Wtime() < end) continue;
}

static void require(int is_right) {
  if (!is_right) MPI_Abort(MPI_COMM_WORLD, 7);
}

static void broadcast(int bytes, int iteration) {
  if (!rank) memset(large, iteration, bytes);
  MPI_Bcast(large, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  require(large[bytes - 1] == (char)iteration);
}

static void sum(int count) {
  numbers[count - 1] = rank;
  MPI_Allreduce(numbers, sums, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  require(sums[count - 1] == ranks * (ranks - 1) / 2);
}

static void gather(int iteration) {
  memset(block, rank + iteration, BLOCK);
  MPI_Allgather(block, BLOCK, MPI_CHAR, blocks, BLOCK, MPI_CHAR, MPI_COMM_WORLD);
  require(blocks[BLOCK * ranks - 1] == (char)(ranks - 1 + iteration));
}

int main(int count, char **arguments) {
  double began;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > RANKS || count < 3) MPI_Abort(MPI_COMM_WORLD, 6);
  int is_mixed = !strcmp(arguments[1], "mixed"), bytes = is_mixed ? LARGE : atoi(arguments[1]);
  if (bytes < 1 || bytes > LARGE) MPI_Abort(MPI_COMM_WORLD, 6);
  int iterations = atoi(arguments[2]), written = count > 5 ? atoi(arguments[5]) : -1;
  MPI_Barrier(MPI_COMM_WORLD);
  began = MPI_Wtime();
  for (int iteration = 0; iteration < iterations; iteration++) {
    if (!rank && iteration == written) write(arguments[3], arguments[4]);
    broadcast(bytes, iteration);
    compute(1e-5 * ((rank + iteration) % 4));
    sum(1);
    if (!is_mixed) continue;
    sum(MEDIUM / 8);
    gather(iteration);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (!rank) printf("%.6f\n", MPI_Wtime() - began);
  MPI_Finalize();
  return 0;
}
