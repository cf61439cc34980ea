#pragma once
// The reader and the formatter of hiredis, without its sockets. What differs between 0.14 and the newest version is here:
// the counts of a task and of an array have other types since 1.0.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#if __has_include(<hiredis/hiredis.h>)
#include <hiredis/hiredis.h>
#else
#include <hiredis.h>
#endif

/// Gets the parts of replies in the order in which they are read; an array comes before its elements.
typedef struct CHiredis_sink {
    void *context;
    /// `kind` is one of the REDIS_REPLY_ numbers for strings, statuses and errors.
    void (*text)(void *context, int kind, const char *bytes, size_t count);
    void (*integer)(void *context, long long value);
    void (*null)(void *context);
    /// Returns false for an array that is too long; the reader then stops with an error.
    bool (*array)(void *context, size_t count);
} CHiredis_sink;

// The reader keeps no objects of its own. What it takes for one is the address of the sink, which it never reads.

static inline void *CHiredis_text(const redisReadTask *task, char *bytes, size_t count) {
    CHiredis_sink *sink = (CHiredis_sink *)task->privdata;
    sink->text(sink->context, task->type, bytes, count);
    return sink;
}

static inline void *CHiredis_integer(const redisReadTask *task, long long value) {
    CHiredis_sink *sink = (CHiredis_sink *)task->privdata;
    sink->integer(sink->context, value);
    return sink;
}

static inline void *CHiredis_null(const redisReadTask *task) {
    CHiredis_sink *sink = (CHiredis_sink *)task->privdata;
    sink->null(sink->context);
    return sink;
}

#if HIREDIS_MAJOR >= 1
static inline void *CHiredis_array(const redisReadTask *task, size_t count) {
#else
static inline void *CHiredis_array(const redisReadTask *task, int count) {
#endif
    CHiredis_sink *sink = (CHiredis_sink *)task->privdata;
    return sink->array(sink->context, (size_t)count) ? sink : NULL;
}

static inline void CHiredis_free(void *object) { (void)object; }

/// A reader that passes what it reads to `sink`, which must outlive it. NULL when there is no memory.
static inline redisReader *CHiredis_make_reader(CHiredis_sink *sink) {
    static redisReplyObjectFunctions functions = {
        .createString = CHiredis_text,
        .createArray = CHiredis_array,
        .createInteger = CHiredis_integer,
        .createNil = CHiredis_null,
        .freeObject = CHiredis_free,
    };
    redisReader *reader = redisReaderCreateWithFunctions(&functions);
    if (reader) { reader->privdata = sink; }
    return reader;
}

/// The bytes that were fed and not read.
static inline size_t CHiredis_unread(const redisReader *reader) { return reader->len - reader->pos; }

/// A sentence of the reader about its error.
static inline const char *CHiredis_error(const redisReader *reader) { return reader->errstr; }
