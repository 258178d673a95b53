/* The functions of rim.h, and the program. */
#include "rim.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

#include "nodes.h"

static MPI_Comm *comms;
static int comm_count;
static struct qtdec_messages messages;
static struct qtdec_channel channel;

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
  messages.type = MPI_INT32_T, messages.op = MPI_SUM, messages.size = 4;
  channel = qtdec_channel_of(&messages);
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

_Static_assert(MPI_MAX_LIBRARY_VERSION_STRING < QTDEC_TEXT && MPI_MAX_PROCESSOR_NAME < QTDEC_TEXT &&
  MPI_MAX_ERROR_STRING < QTDEC_TEXT, "texts have room");

static int rim_version(char *text) {
  int length;
  return MPI_Get_library_version(text, &length);
}

static int rim_processor(char *text) {
  int length;
  return MPI_Get_processor_name(text, &length);
}

static void rim_describe(int error, char *text) {
  int length;
  MPI_Error_string(error, text, &length);
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

static const struct qtdec_channel *rim_channel(int comm) {
  messages.comm = comms[comm];
  return &channel;
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
  .part = rim_part, .drop = rim_drop, .set = rim_set, .channel = rim_channel, .share = rim_share,
  .collect = rim_collect, .barrier = rim_barrier, .collective = rim_collective,
};

int main(int count, char **arguments) { return qtdec_bench(count, arguments, &mpi); }
