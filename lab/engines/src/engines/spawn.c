/* Processes that are spawned, and that connect: collectives in each world, on what has processes of both, and on what is made of
   that. Arguments: `freed` or `kept`, which is what becomes of the communicator of both worlds, or `port`, by which children connect
   too. Calls in one world have one integer, and others three. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ONE = 1, THREE = 3 };

static const char *mode;
static int is_child;

static void check(int is_right, const char *what) {
  if (is_right) return;
  fprintf(stderr, "WRONG: %s, %s, %s\n", what, mode, is_child ? "a child" : "a parent");
  MPI_Abort(MPI_COMM_WORLD, 7);
}

/* Some collectives, again and again. */
static void calls(MPI_Comm comm, int count, const char *what) {
  int rank, ranks, sums[THREE], ints[THREE];
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  for (int call = 0; call < 3; call++) {
    for (int at = 0; at < count; at++) ints[at] = rank + at, sums[at] = -1;
    MPI_Allreduce(ints, sums, count, MPI_INT, MPI_SUM, comm);
    for (int at = 0; at < count; at++) check(sums[at] == ranks * (ranks - 1) / 2 + at * ranks, what);
    for (int at = 0; at < count; at++) ints[at] = rank == ranks - 1 ? 7 + at + call : -1;
    MPI_Bcast(ints, count, MPI_INT, ranks - 1, comm);
    for (int at = 0; at < count; at++) check(ints[at] == 7 + at + call, what);
    MPI_Barrier(comm);
  }
}

/* Makes a communicator of both groups, and others of that. */
static void merge(MPI_Comm between) {
  MPI_Comm both, copy, own, line;
  int ranks, yes = 1;
  MPI_Intercomm_merge(between, is_child, &both);
  calls(both, THREE, "both worlds");
  MPI_Comm_dup(both, &copy);
  calls(copy, THREE, "a copy of both worlds");
  MPI_Comm_split(copy, is_child, 0, &own);
  calls(own, THREE, "a world made of both");
  MPI_Comm_size(own, &ranks);
  MPI_Cart_create(own, 1, &ranks, &yes, 0, &line);
  calls(line, THREE, "a line made of both");
  MPI_Comm_free(&line);
  MPI_Comm_free(&own);
  MPI_Comm_free(&copy);
  if (strcmp(mode, "kept")) MPI_Comm_free(&both);
}

static void connect(MPI_Comm between) {
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm connected;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!is_child && !rank) MPI_Open_port(MPI_INFO_NULL, port);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, is_child ? 0 : rank ? MPI_PROC_NULL : MPI_ROOT, between);
  if (is_child) MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &connected);
  else MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &connected);
  merge(connected);
  MPI_Comm_disconnect(&connected);
  if (!is_child && !rank) MPI_Close_port(port);
}

int main(int count, char **arguments) {
  MPI_Comm between, copy;
  int rank;
  MPI_Init(&count, &arguments);
  mode = count > 1 ? arguments[1] : "kept";
  char *same[] = {(char *)mode, NULL};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_get_parent(&between);
  is_child = between != MPI_COMM_NULL;
  calls(MPI_COMM_WORLD, ONE, "a world");
  if (!is_child) MPI_Comm_spawn(arguments[0], same, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
  if (!strcmp(mode, "port")) connect(between);
  else merge(between);
  MPI_Comm_disconnect(&between);
  calls(MPI_COMM_WORLD, ONE, "a world after all");
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  calls(copy, THREE, "a copy of a world after all");
  MPI_Comm_free(&copy);
  if (!is_child && !rank) puts("all is well");
  MPI_Finalize();
}
