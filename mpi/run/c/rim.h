/* The functions of MPI that the library of qtdec calls. What touches mpi.h is behind them; they decide nothing.

   Functions return 0, or an error that `describe` explains, unless they say otherwise. Communicators and requests are numbers. */
#ifndef QTDEC_RIM_H
#define QTDEC_RIM_H

#include <stdint.h>

enum { QTDEC_TEXT = 8192 };

struct qtdec_mpi {
  int (*start)(void);
  int (*finish)(void);
  void (*abort)(int code);
  /* Writes the library's version, the name of the processor, or the explanation of an error, to QTDEC_TEXT bytes. */
  int (*version)(char *text);
  int (*processor)(char *text);
  void (*describe)(int error, char *text);
  int (*rank)(void);
  int (*size)(void);
  /* Returns what nodes.h says of the nodes; all ranks call this. */
  int (*placement)(void);

  /* Makes a communicator of the first `ranks` of all ranks, which prefers or avoids components of Open MPI if `preference` is not
     NULL. Communicator 0 is that of all ranks, and 1 is a duplicate of it for control traffic. */
  int (*part)(int ranks, const char *preference, int *comm);
  int (*drop)(int comm);
  /* Writes a control variable: 0, or 1 if there is none of this name, or 2 if it cannot be written. */
  int (*set)(const char *name, int value);

  int (*send)(int comm, const void *data, uint64_t bytes, int peer, int tag);
  int (*receive)(int comm, void *data, uint64_t bytes, int peer, int tag);
  int (*post_send)(int comm, const void *data, uint64_t bytes, int peer, int tag, int request);
  int (*post_receive)(int comm, void *data, uint64_t bytes, int peer, int tag, int request);
  /* Has room for `requests`. */
  int (*reserve)(int requests);
  /* Waits for some of the first `requests` requests. `count` is the number of those that are complete, or negative for none. */
  int (*wait_some)(int requests, int *count, int *complete);
  /* right = left + right, for 32-bit integers. */
  int (*add)(const void *left, void *right, uint64_t count);

  int (*share)(int comm, void *data, uint64_t bytes, int root);
  int (*collect)(int comm, const void *data, uint64_t bytes, void *all, int root);
  int (*barrier)(int comm);

  /* Calls a collective by its place in the list of rim.c; `count` elements have `size` bytes, 1 or 4. Those with a count for each rank
     have `counts`, and `places` of the blocks, in elements. */
  int (*collective)(int number, int comm, const void *from, void *into, uint64_t count, const int *counts, const int *places, int size,
                    int root);
};

int qtdec_bench(int count, char **arguments, const struct qtdec_mpi *mpi);

#endif
