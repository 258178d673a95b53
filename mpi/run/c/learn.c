/* Times of calls, from which the ranks of a communicator learn. */
#include <string.h>
#include <time.h>

#include "collective.h"

uint64_t qtdec_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void qtdec_note_time(const struct timing *timing) {
  if (timing->learner) qtdec_interposer_note(timing->learner, timing->began, qtdec_now() - timing->without);
}

/* The communicator is broken: the program will see it. */
static void give_up(const void *interposer, struct communicator *state) {
  qtdec_interposer_end_learning(interposer, state->learner);
  state->learner = NULL;
}

void qtdec_begin_agreement(const void *interposer, struct communicator *state) {
  uint64_t began = qtdec_now();
  memset(state->agreed, 0, sizeof state->agreed);
  int sent = qtdec_interposer_own(state->learner, state->own);
  if (PMPI_Iallreduce(state->own, state->agreed, sent, MPI_UINT64_T, MPI_MAX, state->messages, &state->agreement)) {
    state->agreement = MPI_REQUEST_NULL;
    give_up(interposer, state);
  }
  state->took = qtdec_now() - began;
}

void qtdec_end_agreement(const void *interposer, struct communicator *state) {
  uint64_t began = qtdec_now();
  if (state->agreement == MPI_REQUEST_NULL) return;
  if (PMPI_Wait(&state->agreement, MPI_STATUS_IGNORE)) return give_up(interposer, state);
  qtdec_interposer_learn(interposer, state->rank, state->learner, state->agreed, state->took + qtdec_now() - began);
}
