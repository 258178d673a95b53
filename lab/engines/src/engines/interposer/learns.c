/* Random calls of collectives, whose results are checked, on the world, its halves, and communicators that are freed again. Arguments:
   the number of calls, and a seed. Prints how many calls were right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 4096, COMMUNICATORS = 3 };

static unsigned long state;
static int from[8 * MOST], into[8 * MOST];

/* The next number below a limit, which all ranks have alike. */
static int below(int limit) {
  state = state * 6364136223846793005UL + 1442695040888963407UL;
  return (int)((state >> 33) % (unsigned long)limit);
}

static void require(int is_right, const char *what, int call) {
  if (is_right) return;
  fprintf(stderr, "WRONG: %s, call %d\n", what, call);
  MPI_Abort(MPI_COMM_WORLD, 7);
}

/* Makes a call with numbers of its own, of which there are `count` in a block. */
static void make(int call, MPI_Comm comm, int collective, int count, int chosen) {
  int rank, ranks, root, sum;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  root = chosen % ranks;
  sum = ranks * call + ranks * (ranks - 1) / 2;
  for (int at = 0; at < ranks * count; at++) from[at] = call + rank + at / count * 1000, into[at] = -1;
  switch (collective) {
    case 0:
      MPI_Bcast(rank == root ? from : into, count, MPI_INT, root, comm);
      require(rank == root || (into[0] == call + root && into[count - 1] == call + root), "bcast", call);
      break;
    case 1:
      MPI_Allreduce(from, into, count, MPI_INT, MPI_SUM, comm);
      require(into[0] == sum && into[count - 1] == sum, "allreduce", call);
      break;
    case 2:
      MPI_Reduce(from, into, count, MPI_INT, MPI_SUM, root, comm);
      require(rank != root || (into[0] == sum && into[count - 1] == sum), "reduce", call);
      break;
    case 3:
      MPI_Allgather(from, count, MPI_INT, into, count, MPI_INT, comm);
      for (int other = 0; other < ranks; other++) require(into[(other + 1) * count - 1] == call + other, "allgather", call);
      break;
    case 4:
      MPI_Alltoall(from, count, MPI_INT, into, count, MPI_INT, comm);
      for (int other = 0; other < ranks; other++) require(into[(other + 1) * count - 1] == call + other + rank * 1000, "alltoall", call);
      break;
    case 5:
      MPI_Gather(from, count, MPI_INT, into, count, MPI_INT, root, comm);
      for (int other = 0; other < ranks && rank == root; other++) require(into[(other + 1) * count - 1] == call + other, "gather", call);
      break;
    case 6:
      MPI_Scatter(from, count, MPI_INT, into, count, MPI_INT, root, comm);
      require(into[count - 1] == call + root + rank * 1000, "scatter", call);
      break;
    case 7:
      MPI_Reduce_scatter_block(from, into, count, MPI_INT, MPI_SUM, comm);
      require(into[count - 1] == sum + ranks * rank * 1000, "reduce_scatter_block", call);
      break;
    default: MPI_Barrier(comm);
  }
}

int main(int count, char **arguments) {
  static const int counts[] = {1, 2, 100, 300, MOST};
  MPI_Comm comms[COMMUNICATORS];
  int rank, calls = count > 1 ? atoi(arguments[1]) : 1000;
  state = count > 2 ? (unsigned long)atoi(arguments[2]) : 1;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  comms[0] = MPI_COMM_WORLD;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comms[1]);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[2]);
  for (int call = 0; call < calls; call++) {
    int collective = below(9), size = counts[below(5)], root = below(8), comm = below(4) % COMMUNICATORS;
    make(call, comms[comm], collective, size, root);
    if (call % 1500 == 1499) {
      MPI_Comm_free(&comms[2]);
      MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comms[2]);
    }
  }
  if (!rank) printf("%d calls were right\n", calls);
  MPI_Comm_free(&comms[1]);
  MPI_Comm_free(&comms[2]);
  MPI_Finalize();
  return 0;
}
