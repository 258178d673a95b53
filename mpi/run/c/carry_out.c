/* A call that is ours: its buffers as bytes, one after the other, and its messages. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "collective.h"

/* A call within another is the library's. */
static _Thread_local __attribute__((tls_model("initial-exec"))) int depth;

/* Returns the bytes of a buffer, or some number that is too large. */
static uint64_t bytes_of(const struct side *side) {
  uint64_t size = qtdec_size_of(side->type), count = (uint64_t)side->count;
  if (!size || !count) return 0;
  return size > INT_MAX || count > INT_MAX ? UINT64_MAX : count * size;
}

static int is_wrong(const struct side *side) { return side->count < 0 || side->type == MPI_DATATYPE_NULL; }

static int is_refused(const struct side *side) { return is_wrong(side) || !qtdec_is_accepted(side->type); }

static int is_reduction(int collective) {
  return collective == REDUCE || collective == ALLREDUCE || collective == REDUCE_SCATTER_BLOCK;
}

static int has_blocks(int collective) { return collective >= SCATTER && collective <= REDUCE_SCATTER_BLOCK; }

static int is_rooted(int collective) {
  return collective == BCAST || collective == REDUCE || collective == SCATTER || collective == GATHER;
}

/* The buffers that a rank has, with the blocks of all ranks counted, and where the input is if it is in the place of the result. */
struct buffers {
  struct side from, into;
  int in_place, is_discarded;
};

/* Finds the buffers and the size of a call. Returns whether it is one for us; the library says what is wrong with others. */
static int shape(const struct collective *call, const struct communicator *state, struct buffers *buffers, struct qtdec_call *shape) {
  int number = call->number, ranks = state->ranks, at_root = state->rank == call->root;
  const struct side *sized = &call->into;
  *buffers = (struct buffers){.from = call->from, .into = call->into};
  *shape = (struct qtdec_call){.collective = number, .ranks = ranks, .rank = state->rank, .commutative = 1,
    .placement = state->placement, .element_size = 1};
  if (number == BARRIER) return 1;
  if (is_rooted(number)) {
    if (call->root < 0 || call->root >= ranks) return 0;
    shape->root = call->root;
  }
  if (number == SCATTER && at_root) {
    sized = &call->from;
    buffers->is_discarded = call->into.data == MPI_IN_PLACE;
    if (buffers->is_discarded) buffers->into.count = call->from.count, buffers->into.type = call->from.type;
  } else if (number == GATHER && !at_root) {
    sized = &call->from;
  }
  if (is_wrong(sized)) return 0;
  if (number != SCATTER && number != BCAST && call->from.data == MPI_IN_PLACE) {
    MPI_Aint start, extent;
    PMPI_Type_get_extent(call->into.type, &start, &extent);
    buffers->in_place = 1;
    buffers->from = call->into;
    if (number == GATHER || number == ALLGATHER)
      buffers->from.data = (char *)call->into.data + (MPI_Aint)state->rank * call->into.count * extent;
  }
  int reads = number != BCAST && (number != SCATTER || at_root) && !buffers->in_place;
  int writes = ((number != GATHER && number != REDUCE) || at_root) && !buffers->is_discarded;
  if ((reads && is_refused(&buffers->from)) || (writes && is_refused(&buffers->into))) return 0;
  /* One buffer for both is a mistake that Open MPI lets pass for some counts. The input is copied. */
  if (reads && writes && call->from.data == call->into.data) buffers->in_place = 1;
  shape->bytes = bytes_of(sized);
  if (number == SCATTER || number == ALLTOALL || number == REDUCE_SCATTER_BLOCK) buffers->from.count *= ranks;
  if (number == GATHER || number == ALLGATHER || number == ALLTOALL) buffers->into.count *= ranks;
  if (is_reduction(number)) {
    if (call->op == MPI_OP_NULL || !qtdec_is_plain(sized->type) || !qtdec_is_reducible(sized->type, call->op)) return 0;
    PMPI_Op_commutative(call->op, &shape->commutative);
    shape->of_program = qtdec_is_of_program(call->op);
    shape->element_size = qtdec_size_of(sized->type);
  }
  return shape->bytes <= (has_blocks(number) ? INT_MAX / (uint64_t)ranks : INT_MAX);
}

/* Makes a type whose elements begin at an address that is not MPI_BOTTOM, which MPICH's MPI_Pack refuses. */
static int shift(struct side *side, MPI_Datatype *shifted) {
  int count = (int)side->count, error;
  MPI_Aint place = -1;
  *shifted = MPI_DATATYPE_NULL;
  if (side->data != MPI_BOTTOM) return MPI_SUCCESS;
  if ((error = PMPI_Type_create_hindexed(1, &count, &place, side->type, shifted))) return error;
  *side = (struct side){(char *)MPI_BOTTOM + 1, 1, *shifted};
  return PMPI_Type_commit(shifted);
}

static void forget(MPI_Datatype *shifted) {
  if (*shifted != MPI_DATATYPE_NULL) PMPI_Type_free(shifted);
}

/* Bytes one after the other, in memory of their own if they are not so in the caller's. */
struct bytes {
  void *data, *own;
};

/* Returns 0, or an error. */
static int stage(const struct side *side, uint64_t bytes, int copied, int filled, struct bytes *staged, MPI_Comm comm) {
  int plain = qtdec_is_plain(side->type), position = 0;
  staged->data = side->data;
  if (plain && !copied) return MPI_SUCCESS;
  staged->data = staged->own = malloc(bytes ? bytes : 1);
  if (!staged->own) return MPI_ERR_NO_MEM;
  if (!filled || !bytes) return MPI_SUCCESS;
  if (plain) {
    memcpy(staged->own, side->data, bytes);
    return MPI_SUCCESS;
  }
  struct side whole = *side;
  MPI_Datatype shifted;
  int error = shift(&whole, &shifted);
  if (!error) error = PMPI_Pack(whole.data, (int)whole.count, whole.type, staged->own, (int)bytes, &position, comm);
  forget(&shifted);
  return error;
}

static int unstage(const struct side *side, uint64_t bytes, const struct bytes *staged, MPI_Comm comm) {
  int position = 0, error;
  struct side whole = *side;
  MPI_Datatype shifted;
  if (!staged->own || !bytes) return MPI_SUCCESS;
  error = shift(&whole, &shifted);
  if (!error) error = PMPI_Unpack(staged->own, (int)bytes, &position, whole.data, (int)whole.count, whole.type, comm);
  forget(&shifted);
  return error;
}

static int combine(void *messages, const void *left, void *right, uint64_t bytes) {
  int error;
  /* An operation of the program may jump out of the call. */
  depth--;
  error = qtdec_combine(messages, left, right, bytes);
  depth++;
  return error;
}

/* Carries out a call of ours. After an error nothing is freed: messages may still be under way. */
static int run(const struct collective *call, struct buffers *buffers, const struct qtdec_call *shape, const void *plan,
               struct communicator *state, struct timing *timing) {
  MPI_Datatype type = is_reduction(call->number) ? call->into.type : MPI_BYTE;
  struct qtdec_messages messages = {.comm = state->messages, .type = type, .op = call->op, .size = shape->element_size};
  struct qtdec_channel channel = qtdec_channel_of(&messages);
  struct bytes send = {0}, receive = {0};
  uint64_t sent, received;
  int at_root = shape->rank == shape->root, error = MPI_SUCCESS;
  channel.combine = combine;
  qtdec_interposer_lengths(shape, &sent, &received);
  if (sent && (error = stage(&buffers->from, sent, buffers->in_place, 1, &send, call->comm))) return error;
  int is_input = call->number == BCAST && at_root;
  if (received && (error = stage(&buffers->into, received, buffers->is_discarded, is_input, &receive, call->comm))) return error;
  if ((error = qtdec_interposer_run(plan, shape, send.data, receive.data, &channel))) return error;
  if (qtdec_interposer_checks(qtdec_interposer())) {
    struct result result = {plan, shape, type, call->op, send.data, receive.data, sent, received, shape->element_size};
    uint64_t began = timing->learner ? qtdec_now() : 0;
    if ((error = qtdec_check(&result, state))) return error;
    /* The result was wrong: what was learned has ended. */
    if (!state->learner) timing->learner = NULL;
    if (timing->learner) timing->without = qtdec_now() - began;
  }
  if (!is_input && !buffers->is_discarded) error = unstage(&buffers->into, received, &receive, call->comm);
  free(send.own);
  free(receive.own);
  free(messages.requests);
  free(messages.statuses);
  return error;
}

/* Returns the schedule of a call, after beginning or ending an agreement about times where that is due. */
static const void *planned(const struct qtdec_call *shaped, struct communicator *state, struct timing *timing) {
  int and = NOTHING_ELSE;
  const void *interposer = qtdec_interposer(), *plan = qtdec_interposer_plan(interposer, state->learner, shaped, &and);
  while (and >= BEGIN) {
    if (and == BEGIN) qtdec_begin_agreement(interposer, state);
    else qtdec_end_agreement(interposer, state);
    plan = qtdec_interposer_plan(interposer, state->learner, shaped, &and);
  }
  if (and == MEASURE) timing->learner = state->learner;
  return plan;
}

int qtdec_carried_out(const struct collective *call, int *error, struct timing *timing) {
  struct communicator *state;
  struct buffers buffers;
  struct qtdec_call shaped;
  const void *plan = NULL;
  if (depth) return 0;
  depth++;
  state = qtdec_communicator(call->comm);
  if (state && shape(call, state, &buffers, &shaped)) plan = planned(&shaped, state, timing);
  if (timing->learner) timing->began = qtdec_now();
  if (plan) {
    *error = run(call, &buffers, &shaped, plan, state, timing);
    qtdec_interposer_drop(plan);
    if (!*error) qtdec_note_time(timing);
    if (*error < 0) *error = MPI_ERR_INTERN;
  }
  depth--;
  /* A handler of the program may jump out of the call. */
  if (plan && *error) PMPI_Comm_call_errhandler(call->comm, *error);
  return plan != NULL;
}
