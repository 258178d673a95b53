/* Times of calls, from which the ranks of a communicator learn. */
#include <time.h>

#include "collective.h"

uint64_t qtdec_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void qtdec_begin_timing(struct timing *timing) { timing->began = qtdec_now(); }

void qtdec_note_time(const struct timing *timing) {
  if (timing->learner) qtdec_interposer_note(timing->learner, timing->began, qtdec_now() - timing->without);
}

void qtdec_learn(struct communicator *state) {
  uint64_t own[QTDEC_TIMES] = {0}, agreed[QTDEC_TIMES], began = qtdec_now();
  qtdec_interposer_own(state->learner, own);
  if (PMPI_Allreduce(own, agreed, QTDEC_TIMES, MPI_UINT64_T, MPI_MAX, state->messages)) {
    /* The communicator is broken: the program will see it. */
    qtdec_interposer_end_learning(qtdec_interposer(), state->learner);
    state->learner = NULL;
    return;
  }
  qtdec_interposer_learn(qtdec_interposer(), state->rank, state->learner, agreed, qtdec_now() - began);
}
