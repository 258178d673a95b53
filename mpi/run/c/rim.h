/* The functions of MPI that the library of qtdec calls. What touches mpi.h is behind them; they decide nothing.

   Functions return 0, or an error that `describe` explains, unless they say otherwise. Communicators are numbers. */
#ifndef QTDEC_RIM_H
#define QTDEC_RIM_H

#include <stdint.h>

#include "channel.h"

enum { QTDEC_TEXT = 1 << 14 };

struct qtdec_mpi {
  int (*start)(void);
  int (*finish)(void);
  void (*abort)(int code);
  /* Writes the library's version, the name of the processor, or the explanation of an error, to QTDEC_TEXT bytes that are 0. */
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

  /* Returns the channel of a communicator, which adds 32-bit integers. It is that of the last one that was asked for. */
  const struct qtdec_channel *(*channel)(int comm);

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
