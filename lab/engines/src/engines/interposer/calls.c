/* Calls of collectives whose results are compared with MPI's definitions: every collective × types × operations × roots × in place ×
   counts, on all ranks, on all in reverse and on both halves. Arguments: run each STRIDE-th call only, from the OFFSET-th on, for
   SECONDS again and again, or once. Prints how many calls were right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, MOST = 65537 };
static const unsigned char UNTOUCHED = 0xA5;

static MPI_Comm comm;
static int rank, ranks, stride = 1;
static long offset, number, done;

static void fail(const char *what) {
  fprintf(stderr, "WRONG: %s, case %ld, rank %d of %d\n", what, number, rank, ranks);
  MPI_Abort(MPI_COMM_WORLD, 7);
}

/* Whether it is this case's turn; all ranks count alike. */
static int is_next(void) {
  number++;
  if ((number + offset) % stride) return 0;
  done++;
  return 1;
}

/* The value that a rank has at a place: small, so that sums are the same in every order. */
static int value(int of, long place) { return (int)((of * 7 + place * 3 + place / 64) % 11) + 1; }

/* Memory with guards on both sides. */
static char *memory(size_t bytes) {
  char *start = malloc(bytes + 2 * GUARD);
  memset(start, UNTOUCHED, bytes + 2 * GUARD);
  return start + GUARD;
}

static void release(char *start, size_t bytes) {
  for (int at = 0; at < GUARD; at++)
    if ((unsigned char)start[-1 - at] != UNTOUCHED || (unsigned char)start[bytes + (size_t)at] != UNTOUCHED) fail("a guard");
  free(start - GUARD);
}

/* Integers in memory: one after the other, with gaps, or with the two of each pair exchanged. */
enum { PLAIN, GAPPED, EXCHANGED };
static MPI_Datatype layouts[3];
static const int extents[] = {4, 12, 4}, together[] = {1, 1, 2};

static char *place_of(char *start, int layout, long at) {
  return start + extents[layout] * (layout == EXCHANGED ? at ^ 1 : at);
}
static void put(char *start, int layout, long at, int number) { memcpy(place_of(start, layout, at), &number, 4); }
static int get(char *start, int layout, long at) {
  int number;
  memcpy(&number, place_of(start, layout, at), 4);
  return number;
}

/* Layouts of the two sides. Ranks differ in the third kind. */
static int layout_of(int kind, int count, int is_input) {
  int layout = kind == 2 ? (rank + is_input) % 3 : kind;
  return layout == EXCHANGED && count % 2 ? GAPPED : layout;
}

static void moves(int collective, int kind, int count, int root, int in_place) {
  int from = layout_of(kind, count, 1), into = layout_of(kind, count, 0), at_root = rank == root;
  int sends = collective == 2 || collective == 5 ? ranks : 1, receives = collective == 3 || collective == 4 || collective == 5 ? ranks : 1;
  long sent = (long)count * sends, received = (long)count * receives;
  char *input = memory((size_t)(sent * extents[from])), *output = memory((size_t)(received * extents[into]));
  for (long at = 0; at < sent; at++) put(input, from, at, value(rank, at));
  int from_count = count / together[from], into_count = count / together[into];
  void *given = input, *taken = output;
  if (in_place) {
    /* Where the standard has it. */
    long shift = collective == 3 || collective == 4 ? (long)rank * count : 0;
    if (collective != 2)
      for (long at = 0; at < sent; at++) put(output, into, shift + at, value(rank, at));
    if (collective == 2 && at_root) taken = MPI_IN_PLACE;
    if (collective == 3 && at_root) given = MPI_IN_PLACE;
    if (collective > 3) given = MPI_IN_PLACE;
  }
  MPI_Datatype input_type = layouts[from], output_type = layouts[into];
  switch (collective) {
    case 0:
      if (at_root) for (long at = 0; at < count; at++) put(output, into, at, value(rank, at));
      MPI_Bcast(output, into_count, output_type, root, comm);
      break;
    case 2: MPI_Scatter(at_root ? given : NULL, from_count, input_type, taken, into_count, output_type, root, comm); break;
    case 3: MPI_Gather(given, from_count, input_type, at_root ? taken : NULL, into_count, output_type, root, comm); break;
    case 4: MPI_Allgather(given, from_count, input_type, taken, into_count, output_type, comm); break;
    case 5: MPI_Alltoall(given, from_count, input_type, taken, into_count, output_type, comm); break;
  }
  if (taken != MPI_IN_PLACE && (collective != 3 || at_root)) {
    for (long at = 0; at < received; at++) {
      int other = count ? (int)(at / count) : 0, expected;
      long within = count ? at % count : 0;
      switch (collective) {
        case 0: expected = value(root, at); break;
        case 2: expected = value(root, (long)rank * count + at); break;
        case 5: expected = value(other, (long)rank * count + within); break;
        default: expected = value(other, within);
      }
      if (get(output, into, at) != expected) fail("moved bytes");
      if (into == GAPPED && (unsigned char)place_of(output, into, at)[7] != UNTOUCHED) fail("a gap");
    }
  }
  for (long at = 0; at < sent; at++)
    if (get(input, from, at) != value(rank, at)) fail("the input");
  release(input, (size_t)(sent * extents[from]));
  release(output, (size_t)(received * extents[into]));
}

/* Reductions of numbers. */
#define TYPES(X) X(0, signed char, MPI_SIGNED_CHAR) X(1, int, MPI_INT) X(2, double, MPI_DOUBLE) X(3, float, MPI_FLOAT) X(4, long long, MPI_LONG_LONG)
static const MPI_Datatype *numbers(void) {
  static MPI_Datatype types[5];
#define X(at, name, type) types[at] = type;
  TYPES(X)
#undef X
  return types;
}
static const size_t sizes[] = {1, 4, 8, 4, 8};
static void set(char *start, int type, long at, long number) {
  switch (type) {
#define X(kind, name, mpi) case kind: ((name *)(void *)start)[at] = (name)number; break;
    TYPES(X)
#undef X
  }
}
static long got(char *start, int type, long at) {
  switch (type) {
#define X(kind, name, mpi) case kind: return (long)((name *)(void *)start)[at];
    TYPES(X)
#undef X
  }
  return 0;
}

static void smaller(void *from, void *into, int *count, MPI_Datatype *type) {
  (void)type;
  for (int at = 0; at < *count; at++)
    if (((int *)from)[at] < ((int *)into)[at]) ((int *)into)[at] = ((int *)from)[at];
}

/* x ↦ ax + b, one after the other: associative, but the order matters. */
static void compose(void *from, void *into, int *count, MPI_Datatype *type) {
  (void)type;
  unsigned *left = from, *right = into;
  for (int at = 0; at < *count; at++) {
    right[2 * at + 1] += right[2 * at] * left[2 * at + 1];
    right[2 * at] *= left[2 * at];
  }
}

enum { OPERATIONS = 6 };
static MPI_Op operations[OPERATIONS], composition;
static MPI_Datatype pair;

static long reduced(int operation, long place) {
  long result = value(0, place);
  if (operation == 1) result = 1 + result % 2;
  for (int other = 1; other < ranks; other++) {
    long next = value(other, place);
    switch (operation) {
      case 0: result += next; break;
      case 1: result *= ranks > 6 ? 1 : 1 + next % 2; break;
      case 2: result = next > result ? next : result; break;
      case 3: case 4: result = next < result ? next : result; break;
      case 5: result ^= next; break;
    }
  }
  return result;
}

static long operand(int operation, long place) {
  if (operation != 1) return value(rank, place);
  return rank && ranks > 6 ? 1 : 1 + value(rank, place) % 2;
}

/* Calls a reduction: 0 to a root, 1 to all, 2 block by block. */
static void call(int kind, void *from, void *into, int count, MPI_Datatype type, MPI_Op op, int root) {
  switch (kind) {
    case 0: MPI_Reduce(from, rank == root || from == MPI_IN_PLACE ? into : NULL, count, type, op, root, comm); break;
    case 1: MPI_Allreduce(from, into, count, type, op, comm); break;
    case 2: MPI_Reduce_scatter_block(from, into, count, type, op, comm); break;
  }
}

static void reduces(int kind, int type, int operation, int count, int root, int in_place) {
  long all = (long)count * (kind == 2 ? ranks : 1), first = kind == 2 ? (long)rank * count : 0;
  char *input = memory((size_t)all * sizes[type]), *output = memory((size_t)all * sizes[type]);
  int here = in_place && (kind || rank == root);
  for (long at = 0; at < all; at++) set(here ? output : input, type, at, operand(operation, at));
  call(kind, here ? MPI_IN_PLACE : input, output, count, numbers()[type], operations[operation], root);
  if (kind || rank == root)
    for (long at = 0; at < count; at++)
      if (got(output, type, at) != reduced(operation, first + at)) fail("a reduction");
  for (long at = 0; at < all && !here; at++)
    if (got(input, type, at) != operand(operation, at)) fail("an operand");
  release(input, (size_t)all * sizes[type]);
  release(output, (size_t)all * sizes[type]);
}

static void composes(int kind, int count, int root) {
  long all = (long)count * (kind == 2 ? ranks : 1), first = kind == 2 ? (long)rank * count : 0;
  unsigned *input = (unsigned *)(void *)memory((size_t)all * 8), *output = (unsigned *)(void *)memory((size_t)all * 8);
  for (long at = 0; at < 2 * all; at++) input[at] = (unsigned)value(rank, at);
  call(kind, input, output, count, pair, composition, root);
  for (long at = 0; at < count && (kind || rank == root); at++) {
    unsigned a = (unsigned)value(0, 2 * (first + at)), b = (unsigned)value(0, 2 * (first + at) + 1);
    for (int other = 1; other < ranks; other++) {
      unsigned next = (unsigned)value(other, 2 * (first + at));
      b = b * next + (unsigned)value(other, 2 * (first + at) + 1);
      a *= next;
    }
    if (output[2 * at] != a || output[2 * at + 1] != b) fail("the order of operands");
  }
  release((char *)input, (size_t)all * 8);
  release((char *)output, (size_t)all * 8);
}

static void all_of(MPI_Comm given) {
  comm = given;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int counts[] = {0, 1, ranks - 1, 1000, MOST};
  for (int at = 0; at < 5; at++) {
    int count = counts[at];
    for (int collective = 0; collective < 6; collective++)
      for (int root = 0; collective != 1 && root < (collective < 4 ? ranks : 1); root++)
        for (int in_place = 0; in_place < (collective ? 2 : 1); in_place++)
          for (int layout = 0; layout < 3; layout++)
            if (is_next()) moves(collective, layout, count, root, in_place);
    for (int kind = 0; kind < 3; kind++)
      for (int root = 0; root < (kind ? 1 : ranks); root++) {
        for (int in_place = 0; in_place < 2; in_place++)
          for (int type = 0; type < 5; type++)
            for (int operation = 0; operation < OPERATIONS; operation++) {
              /* The fifth is for integers of the user, and bits are no numbers. */
#ifdef MPICH_VERSION
              /* MPICH 4.0.2 itself ends with a segmentation fault. */
              if (!kind && root && in_place && count >= ranks) continue;
#endif
              if ((operation == 4 && type != 1) || (operation == 5 && (type == 2 || type == 3))) continue;
              if (is_next()) reduces(kind, type, operation, count, root, in_place);
            }
        if (is_next()) composes(kind, count, root);
      }
    if (is_next()) MPI_Barrier(comm);
  }
}

static int copies;
static int copied(MPI_Comm from, int key, void *extra, void *in, void *out, int *flag) {
  (void)from, (void)key, (void)extra, (void)in, (void)out;
  copies++;
  *flag = 0;
  return MPI_SUCCESS;
}

/* What belongs to the caller is left alone: attributes, errors, and communicators that come and go. */
static void manners(void) {
  int key, zero = 0, error, class, number;
  MPI_Comm other;
  comm = MPI_COMM_WORLD;
  MPI_Comm_create_keyval(copied, MPI_COMM_NULL_DELETE_FN, &key, NULL);
  for (int at = 0; at < 20; at++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_set_attr(other, key, &zero);
    number = at;
    MPI_Bcast(&number, 1, MPI_INT, at % 2, other);
    if (number != at || copies) fail("an attribute");
    MPI_Comm_free(&other);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  error = MPI_Bcast(&number, 1, MPI_INT, 1000, MPI_COMM_WORLD);
  MPI_Error_class(error, &class);
  if (class != MPI_ERR_ROOT) fail("an error");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_free_keyval(&key);
  /* The program ends with this one. */
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Barrier(other);
}

int main(int count, char **arguments) {
  MPI_Comm reverse, half, groups;
  int world, size, sum = 0, again;
  MPI_Init(&count, &arguments);
  if (count > 1) stride = atoi(arguments[1]);
  if (count > 2) offset = atol(arguments[2]);
  double seconds = count > 3 ? atof(arguments[3]) : 0, began = MPI_Wtime();
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype exchanged;
  int places[] = {1, 0};
  layouts[PLAIN] = MPI_INT;
  MPI_Type_create_resized(MPI_INT, 0, 12, &layouts[GAPPED]);
  MPI_Type_create_indexed_block(2, 1, places, MPI_INT, &exchanged);
  layouts[EXCHANGED] = exchanged;
  MPI_Type_commit(&layouts[GAPPED]);
  MPI_Type_commit(&layouts[EXCHANGED]);
  MPI_Type_contiguous(2, MPI_UNSIGNED, &pair);
  MPI_Type_commit(&pair);
  operations[0] = MPI_SUM, operations[1] = MPI_PROD, operations[2] = MPI_MAX, operations[3] = MPI_MIN, operations[5] = MPI_BXOR;
  MPI_Op_create(smaller, 1, &operations[4]);
  MPI_Op_create(compose, 0, &composition);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world, &reverse);
  MPI_Comm_split(MPI_COMM_WORLD, world < (size + 1) / 2, world, &half);
  do {
    all_of(MPI_COMM_WORLD);
    offset++;
    all_of(reverse);
    offset++;
    all_of(half);
    offset++;
    again = MPI_Wtime() - began < seconds;
    MPI_Bcast(&again, 1, MPI_INT, 0, MPI_COMM_WORLD);
  } while (again);
  comm = MPI_COMM_WORLD, rank = world;
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, world < (size + 1) / 2 ? (size + 1) / 2 : 0, 0, &groups);
  MPI_Allreduce(&world, &sum, 1, MPI_INT, MPI_SUM, groups);
  MPI_Allreduce(&sum, &again, 1, MPI_INT, MPI_MAX, half);
  if (again != sum) fail("a sum between groups");
  MPI_Comm_free(&groups);
  MPI_Comm_free(&half);
  manners();
  for (int layout = GAPPED; layout <= EXCHANGED; layout++) MPI_Type_free(&layouts[layout]);
  MPI_Type_free(&pair);
  MPI_Op_free(&operations[4]);
  MPI_Op_free(&composition);
  if (!world) printf("%ld calls were right\n", done);
  MPI_Finalize();
}
