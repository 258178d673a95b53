/* Processes of other worlds: those that a program spawns or connects with. What may reach them is left to the library. */
#define _GNU_SOURCE
#define LIBRARY "libqtdec_mpi.so"
#include "collective.h"
#include "next.h"

/* Whether this process has been in a group with one of another world. */
static int has_met;

int qtdec_has_met(void) { return __atomic_load_n(&has_met, __ATOMIC_RELAXED); }

/* Returns whether a group has a process that is not in this process's world, and frees the group. */
static int is_beyond(MPI_Group group) {
  MPI_Group world, both;
  int has_world = 0, all = 0, within = 0;
  PMPI_Initialized(&has_world);
  PMPI_Group_size(group, &all);
  if (has_world) {
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_intersection(group, world, &both);
    PMPI_Group_size(both, &within);
    /* MPI lets nobody free the empty group. */
    if (both != MPI_GROUP_EMPTY) PMPI_Group_free(&both);
    PMPI_Group_free(&world);
  }
  if (group != MPI_GROUP_EMPTY) PMPI_Group_free(&group);
  return within < all;
}

int qtdec_spans_worlds(MPI_Comm comm) {
  MPI_Group group;
  if (!qtdec_has_met() || comm == MPI_COMM_WORLD) return 0;
  return !PMPI_Comm_group(comm, &group) && is_beyond(group);
}

/* Looks at a communicator between groups: whatever spans worlds is made from such ones, on all of its ranks. */
static void look(int error, MPI_Comm between) {
  MPI_Group group;
  if (error || between == MPI_COMM_NULL || qtdec_has_met()) return;
  if (!PMPI_Comm_remote_group(between, &group) && is_beyond(group)) __atomic_store_n(&has_met, 1, __ATOMIC_RELAXED);
}

#define IN_C(function, parameters, arguments) \
  int function parameters { \
    static void *next; \
    int error = ((int (*) parameters)find(&next, #function)) arguments; \
    look(error, *made); \
    return error; \
  }

#define TO_SPAWN int root, MPI_Comm comm, MPI_Comm *made, int *errors
IN_C(MPI_Comm_get_parent, (MPI_Comm *made), (made))
IN_C(MPI_Comm_join, (int socket, MPI_Comm *made), (socket, made))
IN_C(MPI_Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made), (port, info, root, comm, made))
IN_C(MPI_Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *made), (port, info, root, comm, made))
IN_C(MPI_Comm_spawn, (const char *command, char *arguments[], int most, MPI_Info info, TO_SPAWN),
     (command, arguments, most, info, root, comm, made, errors))
IN_C(MPI_Comm_spawn_multiple,
     (int count, char *commands[], char **arguments[], const int most[], const MPI_Info infos[], TO_SPAWN),
     (count, commands, arguments, most, infos, root, comm, made, errors))
IN_C(MPI_Intercomm_create, (MPI_Comm local, int leader, MPI_Comm peer, int remote, int tag, MPI_Comm *made),
     (local, leader, peer, remote, tag, made))

/* MPICH's functions in Fortran call those in C. */
#ifdef OPEN_MPI
typedef MPI_Fint *F;
/* A text's length comes after all arguments. */
#define FUNCTION_IN_FORTRAN(function, parameters, arguments) \
  void function parameters; \
  void function parameters { \
    static void *next; \
    MPI_Fint own; \
    if (!ierror) ierror = &own; \
    ((void (*) parameters)find(&next, #function)) arguments; \
    look((int)*ierror, MPI_Comm_f2c(*made)); \
  }
#define IN_FORTRAN(name, parameters, arguments) \
  FUNCTION_IN_FORTRAN(mpi_##name##_, parameters, arguments) \
  FUNCTION_IN_FORTRAN(mpi_##name##_f08_, parameters, arguments)
#define MORE_TO_SPAWN F root, F comm, F made, F errors, F ierror, size_t length, size_t argument_length
IN_FORTRAN(comm_get_parent, (F made, F ierror), (made, ierror))
IN_FORTRAN(comm_join, (F socket, F made, F ierror), (socket, made, ierror))
IN_FORTRAN(comm_accept, (char *port, F info, F root, F comm, F made, F ierror, size_t length), (port, info, root, comm, made, ierror, length))
IN_FORTRAN(comm_connect, (char *port, F info, F root, F comm, F made, F ierror, size_t length), (port, info, root, comm, made, ierror, length))
IN_FORTRAN(comm_spawn, (char *command, char *arguments, F most, F info, MORE_TO_SPAWN),
           (command, arguments, most, info, root, comm, made, errors, ierror, length, argument_length))
IN_FORTRAN(comm_spawn_multiple, (F count, char *commands, char *arguments, F most, F infos, MORE_TO_SPAWN),
           (count, commands, arguments, most, infos, root, comm, made, errors, ierror, length, argument_length))
IN_FORTRAN(intercomm_create, (F local, F leader, F peer, F remote, F tag, F made, F ierror),
           (local, leader, peer, remote, tag, made, ierror))
#endif
