/* The functions of rim.h, and the program. */
#include "rim.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"

static MPI_Comm *comms;
static int comm_count;
static MPI_Request *requests;
static MPI_Status *statuses;
static int request_count;

static int add_comm(MPI_Comm comm, int *number) {
  int place = 0;
  while (place < comm_count && comms[place] != MPI_COMM_NULL) place++;
  if (place == comm_count) {
    MPI_Comm *more = realloc(comms, (size_t)(comm_count + 1) * sizeof *comms);
    if (!more) return MPI_ERR_NO_MEM;
    comms = more;
    comm_count++;
  }
  comms[place] = comm;
  *number = place;
  return MPI_SUCCESS;
}

static int rim_start(void) {
  int provided, number, error;
  MPI_Comm control;
  if ((error = MPI_Init(NULL, NULL))) return error;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if ((error = MPI_T_init_thread(MPI_THREAD_SINGLE, &provided))) return error;
  if ((error = MPI_Comm_dup(MPI_COMM_WORLD, &control))) return error;
  if ((error = add_comm(MPI_COMM_WORLD, &number))) return error;
  return add_comm(control, &number);
}

static int rim_finish(void) {
  for (int place = 1; place < comm_count; place++)
    if (comms[place] != MPI_COMM_NULL) MPI_Comm_free(&comms[place]);
  MPI_T_finalize();
  return MPI_Finalize();
}

static void rim_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

static int rim_version(char *text) {
  int length;
  static char long_text[MPI_MAX_LIBRARY_VERSION_STRING + 1];
  int error = MPI_Get_library_version(long_text, &length);
  strncpy(text, long_text, QTDEC_TEXT - 1);
  text[QTDEC_TEXT - 1] = 0;
  return error;
}

static int rim_processor(char *text) {
  int length;
  char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
  int error = MPI_Get_processor_name(name, &length);
  memcpy(text, name, sizeof name < QTDEC_TEXT ? sizeof name : QTDEC_TEXT);
  text[QTDEC_TEXT - 1] = 0;
  return error;
}

static void rim_describe(int error, char *text) {
  int length;
  char message[MPI_MAX_ERROR_STRING + 1] = "";
  MPI_Error_string(error, message, &length);
  memcpy(text, message, sizeof message < QTDEC_TEXT ? sizeof message : QTDEC_TEXT);
  text[QTDEC_TEXT - 1] = 0;
}

static int rim_rank(void) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static int rim_size(void) {
  int size = -1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

static int rim_placement(void) { return qtdec_placement(comms[1]); }

static int rim_part(int ranks, const char *preference, int *number) {
  MPI_Comm part = MPI_COMM_NULL;
  int rank = rim_rank(), error;
  *number = -1;
  if ((error = MPI_Comm_split(comms[1], rank < ranks ? 0 : MPI_UNDEFINED, rank, &part))) return error;
  if (part == MPI_COMM_NULL) return MPI_SUCCESS;
  if (preference) {
    MPI_Info info;
    MPI_Comm without = part;
    if ((error = MPI_Info_create(&info))) return error;
    MPI_Info_set(info, "ompi_comm_coll_preference", preference);
    error = MPI_Comm_dup_with_info(without, info, &part);
    MPI_Info_free(&info);
    MPI_Comm_free(&without);
    if (error) return error;
  }
  return add_comm(part, number);
}

static int rim_drop(int comm) { return MPI_Comm_free(&comms[comm]); }

static int rim_set(const char *name, int value) {
  int index, count, result = 0;
  MPI_T_cvar_handle handle;
  if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS) return 1;
  if (MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) return 2;
  if (count != 1 || MPI_T_cvar_write(handle, &value) != MPI_SUCCESS) result = 2;
  MPI_T_cvar_handle_free(&handle);
  return result;
}

static int too_long(uint64_t bytes) { return bytes > INT_MAX; }

static int rim_send(int comm, const void *data, uint64_t bytes, int peer, int tag) {
  if (too_long(bytes)) return MPI_ERR_COUNT;
  return MPI_Send(data, (int)bytes, MPI_BYTE, peer, tag, comms[comm]);
}

static int rim_receive(int comm, void *data, uint64_t bytes, int peer, int tag) {
  if (too_long(bytes)) return MPI_ERR_COUNT;
  return MPI_Recv(data, (int)bytes, MPI_BYTE, peer, tag, comms[comm], MPI_STATUS_IGNORE);
}

static int rim_post_send(int comm, const void *data, uint64_t bytes, int peer, int tag, int request) {
  if (too_long(bytes)) return MPI_ERR_COUNT;
  return MPI_Isend(data, (int)bytes, MPI_BYTE, peer, tag, comms[comm], &requests[request]);
}

static int rim_post_receive(int comm, void *data, uint64_t bytes, int peer, int tag, int request) {
  if (too_long(bytes)) return MPI_ERR_COUNT;
  return MPI_Irecv(data, (int)bytes, MPI_BYTE, peer, tag, comms[comm], &requests[request]);
}

static int rim_reserve(int count) {
  if (count <= request_count) return MPI_SUCCESS;
  MPI_Request *more = realloc(requests, (size_t)count * sizeof *requests);
  if (!more) return MPI_ERR_NO_MEM;
  requests = more;
  /* Nobody reads them, but compilers warn of MPICH's MPI_STATUSES_IGNORE. */
  MPI_Status *more_statuses = realloc(statuses, (size_t)count * sizeof *statuses);
  if (!more_statuses) return MPI_ERR_NO_MEM;
  statuses = more_statuses;
  while (request_count < count) requests[request_count++] = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

static int rim_wait_some(int count, int *complete_count, int *complete) {
  int error = MPI_Waitsome(count, requests, complete_count, complete, statuses), class = MPI_SUCCESS;
  if (error) MPI_Error_class(error, &class);
  for (int at = 0; class == MPI_ERR_IN_STATUS && at < *complete_count; at++)
    if (statuses[at].MPI_ERROR) return statuses[at].MPI_ERROR;
  if (*complete_count == MPI_UNDEFINED) *complete_count = -1;
  return error;
}

static int rim_add(const void *left, void *right, uint64_t count) {
  if (too_long(count)) return MPI_ERR_COUNT;
  return MPI_Reduce_local(left, right, (int)count, MPI_INT32_T, MPI_SUM);
}

static int rim_share(int comm, void *data, uint64_t bytes, int root) {
  if (too_long(bytes)) return MPI_ERR_COUNT;
  return MPI_Bcast(data, (int)bytes, MPI_BYTE, root, comms[comm]);
}

static int rim_collect(int comm, const void *data, uint64_t bytes, void *all, int root) {
  if (too_long(bytes)) return MPI_ERR_COUNT;
  return MPI_Gather(data, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, root, comms[comm]);
}

static int rim_barrier(int comm) { return MPI_Barrier(comms[comm]); }

static int rim_collective(int number, int comm, const void *from, void *into, uint64_t elements, const int *counts, const int *places,
                          int size, int root) {
  MPI_Comm c = comms[comm];
  MPI_Datatype type = size == 4 ? MPI_INT32_T : MPI_BYTE;
  int count = (int)elements;
  if (too_long(elements)) return MPI_ERR_COUNT;
  switch (number) {
    case 0: return MPI_Bcast(into, count, type, root, c);
    case 1: return MPI_Reduce(from, into, count, type, MPI_SUM, root, c);
    case 2: return MPI_Allreduce(from, into, count, type, MPI_SUM, c);
    case 3: return MPI_Scatter(from, count, type, into, count, type, root, c);
    case 4: return MPI_Gather(from, count, type, into, count, type, root, c);
    case 5: return MPI_Allgather(from, count, type, into, count, type, c);
    case 6: return MPI_Alltoall(from, count, type, into, count, type, c);
    case 7: return MPI_Reduce_scatter_block(from, into, count, type, MPI_SUM, c);
    case 8: return MPI_Barrier(c);
    case 9: return MPI_Scatterv(from, counts, places, type, into, count, type, root, c);
    case 10: return MPI_Gatherv(from, count, type, into, counts, places, type, root, c);
    case 11: return MPI_Allgatherv(from, count, type, into, counts, places, type, c);
    case 12: return MPI_Alltoallv(from, counts, places, type, into, counts, places, type, c);
    case 13: return MPI_Reduce_scatter(from, into, counts, type, MPI_SUM, c);
    case 14: return MPI_Scan(from, into, count, type, MPI_SUM, c);
    case 15: return MPI_Exscan(from, into, count, type, MPI_SUM, c);
    default: return MPI_ERR_OTHER;
  }
}

static const struct qtdec_mpi mpi = {
  .start = rim_start, .finish = rim_finish, .abort = rim_abort, .version = rim_version,
  .processor = rim_processor, .describe = rim_describe, .rank = rim_rank, .size = rim_size,
  .placement = rim_placement,
  .part = rim_part, .drop = rim_drop, .set = rim_set, .send = rim_send, .receive = rim_receive,
  .post_send = rim_post_send, .post_receive = rim_post_receive, .reserve = rim_reserve,
  .wait_some = rim_wait_some, .add = rim_add, .share = rim_share, .collect = rim_collect,
  .barrier = rim_barrier, .collective = rim_collective,
};

int main(int count, char **arguments) { return qtdec_bench(count, arguments, &mpi); }
