/* The functions of the library of qtdec that decide about collectives and carry them out. */
#ifndef QTDEC_INTERPOSER_H
#define QTDEC_INTERPOSER_H

#include <stdint.h>

#include "channel.h"

/* Collectives, as qtdec numbers them. */
enum qtdec_collective { BCAST, REDUCE, ALLREDUCE, SCATTER, GATHER, ALLGATHER, ALLTOALL, REDUCE_SCATTER_BLOCK, BARRIER };

/* A call, by values that are the same on all ranks apart from `rank`. `bytes` are those of MPI's count, as in its signature, and
   elements of `element_size` bytes stay whole. `of_program` says that the operation is not one of MPI's. `placement` is 0 if no
   decision asks for it and nothing is learned, or as nodes.h says. */
struct qtdec_call {
  int collective, ranks, rank, root, commutative, of_program, placement;
  uint64_t bytes, element_size;
};

/* What ranks must have in common. */
enum { QTDEC_PROPERTIES = 7 };

/* A tree that is compiled in. */
struct qtdec_tree {
  const char *collective, *text;
  uint64_t bytes;
};

/* The trees of the file trees.c, and then one without a collective. */
extern const struct qtdec_tree qtdec_trees[];

/* Reads the environment, and the trees of its folder or otherwise these. NULL if this fails. */
void *qtdec_interposer_open(const struct qtdec_tree *trees);
/* `communicators` have collectives of ours at present. `is_apart` says that this one may come from one of several worlds. `number` is
   the largest of a communicator on which this process has learned; it becomes the last property. */
void qtdec_interposer_identify(const void *interposer, const char *version, int threads, int communicators, int is_apart,
                               uint64_t number, uint64_t *identity);
/* The first rank says once, if it is to print decisions, that communicators with processes of other worlds are the library's. */
void qtdec_interposer_is_apart(const void *interposer, int rank);
/* Returns 0 if the ranks, of whose properties these are the largest and the smallest, leave all to the library, 1 if they carry out
   collectives by themselves, and 2 if they learn too. The first rank says if they do not although they should. */
int qtdec_interposer_agree(const void *interposer, int rank, const uint64_t *largest, const uint64_t *smallest);

/* Returns whether a decision depends on the nodes of the ranks. */
int qtdec_interposer_asks_nodes(const void *interposer);
/* What else there is to do for a call: nothing, to measure its time, or to begin or end an agreement about times and to ask for the plan
   again. */
enum { NOTHING_ELSE, MEASURE, BEGIN, END };
/* Returns the schedule of a call, which must be dropped, or NULL if the library carries it out. `learner` may be NULL. */
const void *qtdec_interposer_plan(const void *interposer, const void *learner, const struct qtdec_call *call, int *and);
void qtdec_interposer_drop(const void *plan);
/* Writes how many bytes a rank sends and receives; the buffer of a broadcast counts as received. */
void qtdec_interposer_lengths(const struct qtdec_call *call, uint64_t *send, uint64_t *receive);
/* Returns 0, MPI's error, or -1 for another failure, which was said. After a failure, buffers and requests are still in use. */
int qtdec_interposer_run(const void *plan, const struct qtdec_call *call, const void *send, void *receive,
                         const struct qtdec_channel *channel);

/* The most times about which ranks agree: the largest of each. */
enum { QTDEC_TIMES = 42 };

/* Begins and ends learning on a communicator, whose number is larger than those of all earlier ones of its ranks. */
const void *qtdec_interposer_begin_learning(const void *interposer, int ranks, uint64_t number);
void qtdec_interposer_end_learning(const void *interposer, const void *learner);
/* Notes when the call of the last plan began and ended, in nanoseconds. */
void qtdec_interposer_note(const void *learner, uint64_t began, uint64_t ended);
/* Begins an agreement, writes what this rank has for it, and returns how many of these times all ranks send. */
int qtdec_interposer_own(const void *learner, uint64_t *own);
/* Ends an agreement, and learns from the largest values of all ranks, for which this one took some nanoseconds. The first rank says what
   takes over if calls are traced. */
void qtdec_interposer_learn(const void *interposer, int rank, const void *learner, const uint64_t *agreed, uint64_t took);
/* Writes the files of what was learned, on the first rank of a world. */
void qtdec_interposer_write(const void *interposer);

/* Returns whether results are compared with those of the library. */
int qtdec_interposer_checks(const void *interposer);
/* Returns the largest absolute value of floating-point numbers of `width` bytes; 0 if `width` is 0. */
double qtdec_interposer_largest(const void *numbers, uint64_t bytes, int width);
/* Returns whether two results agree: in all bytes if `width` is 0, otherwise but for rounding. */
int qtdec_interposer_agrees(const struct qtdec_call *call, const void *ours, const void *library, int width, double largest);
/* Says that a result is wrong. */
void qtdec_interposer_differs(const void *plan, const struct qtdec_call *call);

#endif
