/* A call of a collective on its way through the files of the interposer. */
#ifndef QTDEC_COLLECTIVE_H
#define QTDEC_COLLECTIVE_H

#include <mpi.h>
#include <stdint.h>

#include "interposer.h"

/* A buffer of the caller. */
struct side {
  void *data;
  MPI_Count count;
  MPI_Datatype type;
};

/* A call as the caller makes it. A collective with one buffer has `into` alone. */
struct collective {
  enum qtdec_collective number;
  MPI_Comm comm;
  int root;
  MPI_Op op;
  struct side from, into;
};

/* What a communicator has for our collectives. */
struct communicator {
  /* The communicator of their messages, or MPI_COMM_NULL if all is left to the library. */
  MPI_Comm messages;
  int rank, ranks;
  /* Or 0, as nodes.h says, or if no decision asks for it. */
  int placement;
  /* What is learned on it, or NULL. */
  const void *learner;
  /* The agreement about times that goes on, or MPI_REQUEST_NULL; what it works on, and the nanoseconds that its beginning took. */
  MPI_Request agreement;
  uint64_t own[QTDEC_TIMES], agreed[QTDEC_TIMES], took;
  /* The next one on which something is learned. */
  struct communicator *next;
};

/* The time of a call, if it is measured, and by how much it is shorter. */
struct timing {
  const void *learner;
  uint64_t began, without;
};

/* Returns the decisions of this process. */
void *qtdec_interposer(void);

/* Returns what a communicator has, or NULL if our collectives are not used on it. All ranks call this for the first time together. */
struct communicator *qtdec_communicator(MPI_Comm comm);

/* Returns whether this process has been in a group with one of another world, which was spawned or connected. Unless it is
   MPI_COMM_WORLD, a communicator without ours may then reach such processes, or be made from one that does. */
int qtdec_has_met(void);
/* Returns whether a communicator has processes of several worlds. All of its ranks know. */
int qtdec_spans_worlds(MPI_Comm comm);

/* Leaves all to the library, as MPI ends, and writes what was learned. */
void qtdec_end(void);
/* Leaves the calls of this thread on a communicator to the library, as it is freed. Returns the one before, to be set again. */
MPI_Comm qtdec_freed(MPI_Comm comm);

/* Frees the communicator of messages: from now on all is left to the library. */
void qtdec_let_go(struct communicator *state);

/* Returns whether elements of a type lie in memory as they do in messages, and their bytes. */
int qtdec_is_plain(MPI_Datatype type);
uint64_t qtdec_size_of(MPI_Datatype type);
/* Returns whether the library takes a type in messages, and in reductions by an operation, without an error that a program sees. */
int qtdec_is_accepted(MPI_Datatype type);
int qtdec_is_reducible(MPI_Datatype type, MPI_Op op);
/* Returns whether an operation is of the program, which may count on all elements at once. */
int qtdec_is_of_program(MPI_Op op);

/* Returns whether a call was carried out, and its error. Otherwise the library is to be called, and the time noted after it. */
int qtdec_carried_out(const struct collective *call, int *error, struct timing *timing);

/* Notes the time of a call if it is measured. */
void qtdec_note_time(const struct timing *timing);
/* Returns nanoseconds. */
uint64_t qtdec_now(void);
/* Lets the ranks begin to agree about times. All of them end this at the same later call of MPI. */
void qtdec_begin_agreement(const void *interposer, struct communicator *state);
/* Waits until the ranks have agreed, if they began to, and learns from what they agreed about. */
void qtdec_end_agreement(const void *interposer, struct communicator *state);

/* A result compared with that of the library: the buffers are those of bytes, and elements are of a type of `size` bytes. */
struct result {
  const void *plan;
  const struct qtdec_call *call;
  MPI_Datatype type;
  MPI_Op op;
  const void *send;
  void *receive;
  uint64_t sent, received, size;
};

/* Compares a result with that of the library, which takes its place if any rank finds a difference. */
int qtdec_check(const struct result *result, struct communicator *state);

#endif
