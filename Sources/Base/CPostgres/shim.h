#pragma once
// libpq 14 or newer, for its pipeline mode.
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

#ifndef LIBPQ_HAS_PIPELINING
#error "libpq 14 or newer is needed"
#endif

// The fields of an error are character macros.
static const int CPostgres_sqlstate = PG_DIAG_SQLSTATE;
static const int CPostgres_message = PG_DIAG_MESSAGE_PRIMARY;
static const int CPostgres_constraint = PG_DIAG_CONSTRAINT_NAME;
static const int CPostgres_table = PG_DIAG_TABLE_NAME;

static inline void CPostgres_ignore(void *context, const PGresult *notice) {
    (void)context;
    (void)notice;
}

/// Drops notices and warnings of the server, which libpq prints to standard error otherwise.
static inline void CPostgres_ignore_notices(PGconn *connection) {
    PQsetNoticeReceiver(connection, CPostgres_ignore, NULL);
}
