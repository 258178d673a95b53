/* Notes the messages of Intel MPI through libfabric: how many a rank sends, and a sum over their receivers and sizes that does not
 * depend on their order. Intel MPI gets libfabric's functions from dlvsym, and those of an endpoint from tables. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>

/* The beginnings of libfabric's objects (rdma/fabric.h). A table begins with its size in bytes; its functions follow. */
struct object {
    size_t class;
    void *context, *operations;
};
struct owner {
    struct object object;
    void **table;
};
struct endpoint {
    struct object object;
    void **own, **connections, **plain, **remote, **tagged;
};

/* Positions in tables. */
enum { DOMAIN = 1, ENDPOINT = 3, SEND = 4, SENDV, SENDMSG, INJECT, SENDDATA, INJECTDATA };

static int sends;
static uint64_t sum;

static uint64_t mixed(uint64_t state, uint64_t number)
{
    state = (state ^ number) * 0x100000001b3;
    return state ^ (state >> 29);
}

/* Counts a message if libfabric accepted it; otherwise Intel MPI tries again. */
static ssize_t note(ssize_t result, uint64_t receiver, size_t length)
{
    if (!result) {
        sends++;
        sum += mixed(mixed(mixed(0xcbf29ce484222325, receiver), length), length >> 7);
    }
    return result;
}

void spy_begin(void)
{
    sends = 0;
    sum = 0;
}

const char *spy_seen(void)
{
    static char text[40];
    snprintf(text, sizeof text, "%d %016lx", sends, (unsigned long) sum);
    return text;
}

static size_t total(const struct iovec *parts, size_t count)
{
    size_t bytes = 0;
    for (size_t part = 0; part < count; part++)
        bytes += parts[part].iov_len;
    return bytes;
}

typedef ssize_t send_function(void *, const void *, size_t, void *, uint64_t, uint64_t, void *);
typedef ssize_t sendv_function(void *, const struct iovec *, void **, size_t, uint64_t, uint64_t, void *);
typedef ssize_t sendmsg_function(void *, const void *, uint64_t);
typedef ssize_t inject_function(void *, const void *, size_t, uint64_t, uint64_t);
typedef ssize_t senddata_function(void *, const void *, size_t, void *, uint64_t, uint64_t, uint64_t, void *);
typedef ssize_t injectdata_function(void *, const void *, size_t, uint64_t, uint64_t, uint64_t);

/* The beginning of a message with and without a tag. */
struct message {
    const struct iovec *parts;
    void **descriptors;
    size_t count;
    uint64_t receiver;
};

/* The functions of libfabric for messages without and with a tag. Functions of the first kind have no tag, which comes after all
 * that is read here, so it is passed on for both. */
static void *real[2][INJECTDATA + 1];

#define WRAPPED(kind)                                                                                                        \
    static ssize_t send_##kind(void *to, const void *at, size_t length, void *memory, uint64_t receiver, uint64_t tag, void *c) \
    {                                                                                                                        \
        return note(((send_function *) real[kind][SEND])(to, at, length, memory, receiver, tag, c), receiver, length);       \
    }                                                                                                                        \
    static ssize_t sendv_##kind(void *to, const struct iovec *parts, void **memory, size_t count, uint64_t receiver, uint64_t tag, \
                                void *c)                                                                                     \
    {                                                                                                                        \
        size_t length = total(parts, count);                                                                                 \
        return note(((sendv_function *) real[kind][SENDV])(to, parts, memory, count, receiver, tag, c), receiver, length);   \
    }                                                                                                                        \
    static ssize_t sendmsg_##kind(void *to, const struct message *message, uint64_t flags)                                   \
    {                                                                                                                        \
        size_t length = total(message->parts, message->count);                                                               \
        uint64_t receiver = message->receiver;                                                                               \
        return note(((sendmsg_function *) real[kind][SENDMSG])(to, message, flags), receiver, length);                       \
    }                                                                                                                        \
    static ssize_t inject_##kind(void *to, const void *at, size_t length, uint64_t receiver, uint64_t tag)                   \
    {                                                                                                                        \
        return note(((inject_function *) real[kind][INJECT])(to, at, length, receiver, tag), receiver, length);              \
    }                                                                                                                        \
    static ssize_t senddata_##kind(void *to, const void *at, size_t length, void *memory, uint64_t data, uint64_t receiver,  \
                                   uint64_t tag, void *c)                                                                    \
    {                                                                                                                        \
        return note(((senddata_function *) real[kind][SENDDATA])(to, at, length, memory, data, receiver, tag, c), receiver,  \
                    length);                                                                                                 \
    }                                                                                                                        \
    static ssize_t injectdata_##kind(void *to, const void *at, size_t length, uint64_t data, uint64_t receiver, uint64_t tag) \
    {                                                                                                                        \
        return note(((injectdata_function *) real[kind][INJECTDATA])(to, at, length, data, receiver, tag), receiver, length); \
    }                                                                                                                        \
    static void *const own_##kind[] = { send_##kind, sendv_##kind, sendmsg_##kind, inject_##kind, senddata_##kind,           \
                                        injectdata_##kind };
WRAPPED(0)
WRAPPED(1)

/* Replaces a table by a copy, which may be changed. */
static void **copied(void ***table)
{
    size_t size = *(size_t *) *table;
    void **copy = malloc(size);
    memcpy(copy, *table, size);
    *table = copy;
    return copy;
}

static void watch(void ***table, void **functions, void *const *own)
{
    void **copy = copied(table);
    memcpy(functions + SEND, copy + SEND, (INJECTDATA + 1 - SEND) * sizeof *copy);
    memcpy(copy + SEND, own, (INJECTDATA + 1 - SEND) * sizeof *copy);
}

typedef int endpoint_function(void *, void *, struct endpoint **, void *);
typedef int owner_function(void *, void *, struct owner **, void *);
typedef int fabric_function(void *, struct owner **, void *);

static endpoint_function *real_endpoint;
static owner_function *real_domain;
static fabric_function *real_fabric;

static int endpoint(void *domain, void *info, struct endpoint **made, void *context)
{
    int result = real_endpoint(domain, info, made, context);
    if (!result) {
        watch(&(*made)->plain, real[0], own_0);
        watch(&(*made)->tagged, real[1], own_1);
    }
    return result;
}

static int domain(void *fabric, void *info, struct owner **made, void *context)
{
    int result = real_domain(fabric, info, made, context);
    if (!result) {
        void **table = copied(&(*made)->table);
        real_endpoint = (endpoint_function *) table[ENDPOINT];
        table[ENDPOINT] = endpoint;
    }
    return result;
}

static int fabric(void *attributes, struct owner **made, void *context)
{
    int result = real_fabric(attributes, made, context);
    if (!result) {
        void **table = copied(&(*made)->table);
        real_domain = (owner_function *) table[DOMAIN];
        table[DOMAIN] = domain;
    }
    return result;
}

void *dlvsym(void *library, const char *name, const char *version)
{
    static void *(*next)(void *, const char *, const char *);
    if (!next)
        next = (void *(*)(void *, const char *, const char *)) dlsym(RTLD_NEXT, "dlvsym");
    void *found = next(library, name, version);
    if (!found || strcmp(name, "fi_fabric"))
        return found;
    real_fabric = (fabric_function *) found;
    return (void *) fabric;
}
