/* Calls of every collective, which a profile has to count, on all ranks and on both halves, with several roots. With the argument
   `late` the last rank is late for every scan on all ranks, with `signal` every rank raises SIGUSR1 between the two parts, and with
   `dies` a rank ends there. */
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 3, COUNT = 5, MOST = 16 };

static void all_of(MPI_Comm comm, int late) {
  int rank, ranks, counts[MOST], places[MOST], ints[MOST * COUNT * 4], others[MOST * COUNT * 4];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  memset(ints, 0, sizeof ints);
  for (int at = 0, sum = 0; at < ranks; at++) {
    counts[at] = at + 1;
    places[at] = sum;
    sum += counts[at];
  }
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (int call = 0; call < CALLS; call++) {
    int root = call % ranks;
    MPI_Barrier(comm);
    MPI_Bcast(ints, COUNT, pair, root, comm);
    MPI_Reduce(ints, others, COUNT, MPI_INT, MPI_SUM, root, comm);
    MPI_Allreduce(MPI_IN_PLACE, others, COUNT, MPI_INT, MPI_SUM, comm);
    if (late && rank == ranks - 1) usleep(100000);
    MPI_Scan(ints, others, COUNT, MPI_INT, MPI_SUM, comm);
    MPI_Exscan(ints, others, COUNT, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(ints, others, COUNT, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter(ints, others, counts, MPI_INT, MPI_SUM, comm);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, others, COUNT, MPI_INT, comm);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, others, COUNT, MPI_INT, comm);
    MPI_Gather(ints, COUNT, MPI_INT, others, rank == root ? COUNT : -1, rank == root ? MPI_INT : MPI_DATATYPE_NULL, root, comm);
    MPI_Scatter(ints, rank == root ? COUNT : -1, rank == root ? MPI_INT : MPI_DATATYPE_NULL, others, COUNT, MPI_INT, root, comm);
    MPI_Allgatherv(ints, counts[rank], MPI_INT, others, counts, places, MPI_INT, comm);
    MPI_Gatherv(ints, counts[rank], MPI_INT, others, counts, places, MPI_INT, root, comm);
    MPI_Scatterv(ints, counts, places, MPI_INT, others, counts[rank], MPI_INT, root, comm);
    for (int at = 0; at < ranks; at++) counts[at] = COUNT, places[at] = at * COUNT;
    MPI_Alltoallv(ints, counts, places, MPI_INT, others, counts, places, MPI_INT, comm);
    for (int at = 0, sum = 0; at < ranks; at++) {
      counts[at] = at + 1;
      places[at] = sum;
      sum += counts[at];
    }
    MPI_Request request;
    MPI_Iallreduce(ints, others, COUNT, MPI_INT, MPI_SUM, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibarrier(comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#if MPI_VERSION >= 4
    MPI_Bcast_c(ints, COUNT, pair, root, comm);
#endif
  }
  MPI_Type_free(&pair);
}

/* Calls between the first rank and the others. What is not significant at a rank cannot be read. */
static void between(MPI_Comm world) {
  int rank, others, ints[MOST] = {0}, into[MOST], counts[MOST], places[MOST];
  MPI_Comm group, groups;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_split(world, rank > 0, rank, &group);
  MPI_Intercomm_create(group, 0, world, !rank, 0, &groups);
  MPI_Comm_remote_size(groups, &others);
  int root = rank ? 0 : MPI_ROOT;
  int *of_root = rank ? NULL : counts;
  for (int at = 0; at < others; at++) counts[at] = 1, places[at] = at;
  MPI_Bcast(ints, 1, MPI_INT, root, groups);
  MPI_Reduce(ints, rank ? NULL : into, 1, MPI_INT, MPI_SUM, root, groups);
  MPI_Gather(ints, 1, MPI_INT, into, rank ? -1 : 1, rank ? MPI_DATATYPE_NULL : MPI_INT, root, groups);
  MPI_Scatter(ints, rank ? -1 : 1, rank ? MPI_DATATYPE_NULL : MPI_INT, into, 1, MPI_INT, root, groups);
  MPI_Gatherv(ints, 1, MPI_INT, into, of_root, rank ? NULL : places, rank ? MPI_DATATYPE_NULL : MPI_INT, root, groups);
  MPI_Scatterv(ints, of_root, rank ? NULL : places, rank ? MPI_DATATYPE_NULL : MPI_INT, into, 1, MPI_INT, root, groups);
  MPI_Allgatherv(ints, 1, MPI_INT, into, counts, places, MPI_INT, groups);
  MPI_Alltoallv(ints, counts, places, MPI_INT, into, counts, places, MPI_INT, groups);
  MPI_Comm_free(&groups);
  MPI_Comm_free(&group);
}

int main(int count, char **arguments) {
  int rank, ranks, value = 0;
  MPI_Comm half, groups;
  MPI_Init(&count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  all_of(MPI_COMM_WORLD, count > 1 && !strcmp(arguments[1], "late"));
  if (count > 1 && !strcmp(arguments[1], "signal")) {
    raise(SIGUSR1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (count > 1 && !strcmp(arguments[1], "dies") && rank == 1) raise(SIGKILL);
  MPI_Comm_split(MPI_COMM_WORLD, rank < ranks / 2, rank, &half);
  all_of(half, 0);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < ranks / 2 ? ranks / 2 : 0, 0, &groups);
  MPI_Allreduce(&rank, &value, 1, MPI_INT, MPI_SUM, groups);
  MPI_Comm_free(&groups);
  MPI_Comm_free(&half);
  between(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
