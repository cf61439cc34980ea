/// The statements of the queue. Each text is prepared once for a connection.
///
/// A generic plan assumes that a LIMIT given as a parameter returns a tenth of the rows, and scans the table. For
/// `id = ANY(ARRAY(…))` PostgreSQL always expects few rows, and uses the index.
enum QueueStatements {
    static let columns = "lane, tenant, attempt, key, body, raw, context"
    private static let now = "(extract(epoch FROM now()) * 1000)::bigint"

    /// A time in milliseconds since 1970. Anybody who may write the tables may have written an infinite one.
    private static func milliseconds(_ time: String) -> String { "(\(seconds(time)) * 1000)::bigint" }
    private static func seconds(_ time: String) -> String {
        "least(greatest(extract(epoch FROM \(time)), -9e12), 9e12)"
    }

    /// What a worker has to hold for a row, in bytes.
    private static let bytes = ["body", "raw", "context", "tenant", "key"]
        .map { "coalesce(octet_length(\($0)), 0)::bigint" }.joined(separator: " + ")
    /// One reservation of a lane ends with the job that exceeds this.
    private static let maximumReservedBytes = 16 << 20

    /// The lane of a kept job. A worker could not read another one.
    private static let lane = "CASE WHEN \(QueueSchema.laneCheck) THEN lane ELSE 'normal' END"
    /// Whether a kept job can be a row of `push_job`.
    private static let isJob = """
        num_nonnulls(body, raw) = 1 AND coalesce(\(QueueSchema.bodyCheck), true) AND coalesce(\(QueueSchema.rawCheck), true)
        """

    /// Parameters: lane, number, seconds of the lease, worker, the id from which on to look, and whether for jobs whose lease is
    /// over, too. Jobs that were given back are found in any case.
    ///
    /// A row that is too large for a worker, which tables of an earlier version may have, goes to the dead letter here.
    static let reserve = """
        WITH over AS (
            SELECT id, \(bytes) AS bytes FROM push_job
            WHERE lane = $1::text AND worker IS NOT NULL
                AND leased_until <= CASE WHEN $6::boolean THEN now() ELSE '-infinity' END
            ORDER BY leased_until, id LIMIT $2::bigint FOR UPDATE SKIP LOCKED
        ), fresh AS (
            SELECT id, \(bytes) AS bytes FROM push_job WHERE lane = $1::text AND worker IS NULL AND id >= $5::bigint
            ORDER BY id LIMIT greatest($2::bigint - (SELECT count(*) FROM over), 0) FOR UPDATE SKIP LOCKED
        ), found AS (
            SELECT id, bytes,
                sum(bytes) FILTER (WHERE bytes <= \(QueueSchema.maximumRowBytes)) OVER (ROWS UNBOUNDED PRECEDING) AS total
            FROM (SELECT id, bytes FROM over UNION ALL SELECT id, bytes FROM fresh) AS ready
        ), long AS (
            DELETE FROM push_job WHERE id = ANY(ARRAY(SELECT id FROM found WHERE bytes > \(QueueSchema.maximumRowBytes)))
            RETURNING \(columns)
        ), dead AS (
            INSERT INTO push_dead (\(columns), reason, why)
            SELECT \(columns), 'job-too-large', 'the job has more than \(QueueSchema.maximumJobBytes) bytes' FROM long
        ), taken AS (
            UPDATE push_job SET worker = $4::text, leased_until = now() + $3::float8 * interval '1 second',
                deliveries = least(deliveries, 1000000) + 1
            WHERE id = ANY(ARRAY(SELECT id FROM found
                WHERE bytes <= \(QueueSchema.maximumRowBytes) AND total - bytes <= \(maximumReservedBytes)))
            RETURNING id, tenant, attempt, key, body, raw, context, enqueued_at, deliveries
        )
        SELECT id, tenant, attempt, key, body, raw, context, \(milliseconds("enqueued_at")), deliveries
        FROM taken ORDER BY id
        """

    /// Parameter: the worker, and the worker with each lane after a space.
    static let seen = """
        INSERT INTO push_worker (name, seen) SELECT name, now() FROM unnest($1::text[]) AS n (name) ORDER BY name
        ON CONFLICT (name) DO UPDATE SET seen = excluded.seen
        """

    static let time = "SELECT \(now)"

    /// Parameters: ids, seconds of the lease, worker.
    static let extend = """
        UPDATE push_job SET leased_until = now() + $2::float8 * interval '1 second'
        WHERE id = ANY($1::bigint[]) AND worker = $3::text RETURNING id
        """

    /// Whether a job was given back. It keeps its worker, because an outcome of that one still counts.
    private static let isFree = "worker IS NOT NULL AND leased_until = '-infinity'"

    /// Parameters: ids, worker.
    static let release = """
        UPDATE push_job SET leased_until = '-infinity', deliveries = greatest(deliveries - 1, 0)
        WHERE id = ANY($1::bigint[]) AND worker = $2::text
        """

    /// Parameters: ids that stay, worker.
    static let reclaim = """
        UPDATE push_job SET leased_until = '-infinity'
        WHERE worker IS NOT NULL AND worker = $2::text AND id <> ALL($1::bigint[])
        """

    static let wake = "SELECT pg_notify('push_job', '')"

    /// Parameter: ids.
    static let settlePlain =
        "DELETE FROM push_job WHERE id = ANY($1::bigint[]) AND worker IS NOT NULL RETURNING id"

    /// Parameters: ids; jobs and lines of feedback; jobs, contents, reasons and sentences of dead, of later with due time and
    /// wait in milliseconds; jobs and contents of again; jobs and lines of results.
    static let settle = """
        WITH gone AS (\(settlePlain)
        ), feedback AS (
            INSERT INTO push_feedback (line)
            SELECT line FROM unnest($2::bigint[], $3::text[]) WITH ORDINALITY AS f (job, line, n)
            WHERE job IN (SELECT id FROM gone) ORDER BY n
        ), dead AS (
            INSERT INTO push_dead (\(columns), reason, why)
            SELECT lane, tenant, attempt, key, body, raw::bytea, context, reason, why
            FROM unnest($4::bigint[], $5::text[], $6::text[], $7::int[], $8::text[], $9::text[], $10::text[], $11::text[],
                $12::text[], $13::text[])
                WITH ORDINALITY AS d (job, lane, tenant, attempt, key, body, raw, context, reason, why, n)
            WHERE job IN (SELECT id FROM gone) ORDER BY n
        ), later AS (
            INSERT INTO push_later (\(columns), reason, why, due)
            SELECT lane, tenant, attempt, key, body, raw::bytea, context, reason, why,
                coalesce(to_timestamp(at / 1000.0), now() + wait * interval '1 millisecond')
            FROM unnest($14::bigint[], $15::text[], $16::text[], $17::int[], $18::text[], $19::text[], $20::text[],
                $21::text[], $22::text[], $23::text[], $24::float8[], $25::float8[])
                WITH ORDINALITY AS l (job, lane, tenant, attempt, key, body, raw, context, reason, why, at, wait, n)
            WHERE job IN (SELECT id FROM gone) ORDER BY n
        ), again AS (
            INSERT INTO push_job (\(columns))
            SELECT lane, tenant, attempt, key, body, raw::bytea, context
            FROM unnest($26::bigint[], $27::text[], $28::text[], $29::int[], $30::text[], $31::text[], $32::text[],
                $33::text[])
                WITH ORDINALITY AS a (job, lane, tenant, attempt, key, body, raw, context, n)
            WHERE job IN (SELECT id FROM gone) ORDER BY n
        ), results AS (
            INSERT INTO push_result (line)
            SELECT line FROM unnest($34::bigint[], $35::text[]) WITH ORDINALITY AS r (job, line, n)
            WHERE job IN (SELECT id FROM gone) ORDER BY n
        )
        SELECT id FROM gone
        """

    /// Parameter: how many stay.
    static let trimResults =
        "DELETE FROM push_result WHERE id <= (SELECT max(id) FROM push_result) - $1::bigint"

    /// Parameters: lanes, the most jobs. Gives the jobs of each lane that nobody has reserved or that were given back, each
    /// counted up to the most.
    static let backlog = """
        SELECT lane, (SELECT count(*) FROM (
            SELECT FROM push_job j WHERE j.lane = l.lane AND worker IS NULL ORDER BY id LIMIT $2::bigint) AS counted)
            + (SELECT count(*) FROM (
                SELECT FROM push_job j WHERE j.lane = l.lane AND \(isFree) LIMIT $2::bigint) AS free)
        FROM unnest($1::text[]) AS l (lane)
        """

    /// Parameter: keys. Gives those that are known.
    static let knownKeys = "SELECT key FROM push_key WHERE key = ANY($1::text[]) AND until > now()"

    /// Producers of the same batch wait here for each other, until the end of the transaction. Parameter: batches.
    static let lockBatches = """
        SELECT pg_advisory_xact_lock(number) FROM (
            SELECT DISTINCT hashtextextended('push_key ' || batch, 0) AS number FROM unnest($1::text[]) AS b (batch)
            ORDER BY number) AS locks
        """

    /// Parameter: keys of lines. Gives those that are known, with their digests.
    static let knownLines = "SELECT key, digest FROM push_key WHERE key = ANY($1::text[]) AND until > now()"

    /// Forgets old keys: more than one call adds, so that the table does not grow.
    static let forgetKeys = """
        DELETE FROM push_key WHERE key IN (
            SELECT key FROM push_key WHERE until <= now() LIMIT 20000 FOR UPDATE SKIP LOCKED)
        """

    private static let newJobs = """
        unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::float8[], $9::float8[])
            WITH ORDINALITY AS e (lane, tenant, attempt, key, body, raw, context, at, wait, n)
        """

    /// Adds the jobs of `fresh`.
    private static let adding = """
        ready AS (
            INSERT INTO push_job (\(columns))
            SELECT lane, tenant, attempt, key, body, raw::bytea, context
            FROM fresh WHERE at IS NULL AND wait IS NULL ORDER BY n
        ), later AS (
            INSERT INTO push_later (\(columns), reason, why, due)
            SELECT lane, tenant, attempt, key, body, raw::bytea, context, 'scheduled', '',
                coalesce(to_timestamp(at / 1000.0), now() + wait * interval '1 millisecond')
            FROM fresh WHERE at IS NOT NULL OR wait IS NOT NULL ORDER BY n
        )
        """

    /// Adds jobs that are due now and have no key. It needs no other right than those of a producer. Parameters: lane, tenant,
    /// body, raw.
    static let enqueuePlain = """
        INSERT INTO push_job (lane, tenant, body, raw)
        SELECT lane, tenant, body, raw::bytea
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS e (lane, tenant, body, raw, n)
        ORDER BY n
        """

    /// Parameters: as `settle` for later, with 0 for now; the milliseconds for which keys are known. Gives the numbers of
    /// jobs that were added.
    static let enqueue = """
        WITH new AS (
            SELECT * FROM \(newJobs)
        ), taken AS (
            INSERT INTO push_key AS k (key, until)
            SELECT DISTINCT key, now() + $10::float8 * interval '1 millisecond' FROM new WHERE key IS NOT NULL ORDER BY key
            ON CONFLICT (key) DO UPDATE SET until = excluded.until WHERE k.until <= now()
            RETURNING key
        ), fresh AS (
            SELECT * FROM new WHERE key IS NULL
            UNION ALL SELECT * FROM (
                SELECT DISTINCT ON (key) * FROM new WHERE key IN (SELECT key FROM taken) ORDER BY key, n) AS once
        ), \(adding)
        SELECT count(*) FROM fresh
        """

    /// Adds all jobs, unless a line of them is known. Parameters: as `enqueue`, keys of lines and their digests.
    static let enqueueLines = """
        WITH fresh AS (
            SELECT * FROM \(newJobs)
            WHERE NOT EXISTS (SELECT FROM push_key WHERE key = ANY($11::text[]) AND until > now())
        ), taken AS (
            INSERT INTO push_key AS k (key, until, digest)
            SELECT key, now() + $10::float8 * interval '1 millisecond', digest
            FROM unnest($11::text[], $12::text[]) AS l (key, digest) WHERE EXISTS (SELECT FROM fresh) ORDER BY key
            ON CONFLICT (key) DO UPDATE SET until = excluded.until, digest = excluded.digest WHERE k.until <= now()
        ), \(adding)
        SELECT count(*) FROM fresh
        """

    /// Parameter: the most jobs.
    static let promote = """
        WITH due AS (
            DELETE FROM push_later WHERE id = ANY(ARRAY(
                SELECT id FROM push_later WHERE due <= now() ORDER BY due, id LIMIT $1::bigint FOR UPDATE SKIP LOCKED))
            RETURNING *, attempt >= 0 AND \(isJob) AS is_job
        ), moved AS (
            INSERT INTO push_job (\(columns))
            SELECT \(lane), tenant, attempt, key, body, raw, context FROM due WHERE is_job ORDER BY due, id
        ), dead AS (
            INSERT INTO push_dead (\(columns), reason, why)
            SELECT \(lane), tenant, attempt, key, body, raw, context, 'bad-entry',
                'the scheduled job has no body, or one of more than \(QueueSchema.maximumJobBytes) bytes, or a negative attempt'
            FROM due WHERE NOT is_job ORDER BY due, id
        )
        SELECT count(*) FROM due
        """

    /// Parameters: bucket, tokens of a second, how many are wanted. Gives how many are granted, and the tokens that are left.
    static let take = """
        INSERT INTO push_rate AS r (bucket, tokens, at, granted)
        VALUES ($1::text, $2::float8 - least($3::float8, $2::float8), now(), least($3::float8, $2::float8)::int)
        ON CONFLICT (bucket) DO UPDATE SET (tokens, at, granted) = (
            SELECT available - least($3::float8, floor(available)), greatest(r.at, now()),
                least($3::float8, floor(available))::int
            FROM (SELECT least($2::float8,
                r.tokens + greatest(0, extract(epoch FROM now() - r.at)::float8) * $2::float8) AS available) AS a)
        RETURNING granted, tokens
        """

    private static let kept = """
        id, lane, tenant, attempt, key, body, raw, context, reason, why, \(milliseconds("kept_at"))
        """

    /// Parameters: the id after which to begin, the most jobs.
    static let listDead = "SELECT \(kept) FROM push_dead WHERE id > $1::bigint ORDER BY id LIMIT $2::bigint"

    /// Parameters: the due time, in microseconds since 1970, and the id after which to begin; the most jobs.
    static let listLater = """
        SELECT \(kept), (\(seconds("due")) * 1000000)::bigint FROM push_later
        WHERE (due, id) > (CASE WHEN $1::bigint >= 9e18 THEN 'infinity' WHEN $1::bigint <= -9e18 THEN '-infinity'
            ELSE 'epoch'::timestamptz + $1::bigint * interval '1 microsecond' END, $2::bigint)
        ORDER BY due, id LIMIT $3::bigint
        """

    /// Parameters: the id after which to begin, the most lines.
    static let feedback = "SELECT id, line FROM push_feedback WHERE id > $1::bigint ORDER BY id LIMIT $2::bigint"

    static let retryDead = """
        WITH kept AS (DELETE FROM push_dead WHERE id = ANY($1::bigint[]) AND \(isJob) RETURNING *), moved AS (
            INSERT INTO push_job (\(columns)) SELECT \(lane), tenant, 0, key, body, raw, context FROM kept ORDER BY id)
        SELECT count(*) FROM kept
        """

    static let retryLater = """
        WITH kept AS (DELETE FROM push_later WHERE id = ANY($1::bigint[]) AND attempt >= 0 AND \(isJob) RETURNING *), moved AS (
            INSERT INTO push_job (\(columns)) SELECT \(lane), tenant, attempt, key, body, raw, context FROM kept ORDER BY id)
        SELECT count(*) FROM kept
        """

    static func drop(_ table: String) -> String { "DELETE FROM \(table) WHERE id = ANY($1::bigint[])" }

    /// Goes before the others of the status: with a long backlog PostgreSQL reads the whole table instead of an index, and
    /// compiles for longer than the statement takes.
    static let planning = "SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)"

    /// Each lane with its backlog, what is pending, and the age of the oldest job, which is the one with the first id.
    static let lanes = """
        WITH RECURSIVE ready AS (
            (SELECT lane, enqueued_at FROM push_job WHERE worker IS NULL ORDER BY lane, id LIMIT 1)
            UNION ALL SELECT next.lane, next.enqueued_at FROM ready, LATERAL (
                SELECT lane, enqueued_at FROM push_job WHERE worker IS NULL AND lane > ready.lane
                ORDER BY lane, id LIMIT 1) AS next
        ), backlog AS (
            SELECT lane, enqueued_at,
                (SELECT count(*) FROM push_job AS j WHERE j.lane = ready.lane AND worker IS NULL) AS count
            FROM ready
        ), held AS (
            SELECT lane, min(enqueued_at) AS enqueued_at, count(*) AS count,
                count(*) FILTER (WHERE leased_until = '-infinity') AS free
            FROM push_job WHERE worker IS NOT NULL GROUP BY lane
        )
        SELECT lane, coalesce(b.count, 0) + coalesce(h.free, 0), coalesce(h.count - h.free, 0),
            \(now) - \(milliseconds("least(b.enqueued_at, h.enqueued_at)"))
        FROM backlog AS b FULL JOIN held AS h USING (lane) ORDER BY lane
        """

    /// Workers, and workers with a lane that they read after a space.
    static let workers = """
        SELECT coalesce(w.name, p.worker), coalesce(p.count, 0), (extract(epoch FROM now() - w.seen) * 1000)::bigint
        FROM push_worker w FULL JOIN (
            SELECT worker, count(*) AS count FROM push_job WHERE worker IS NOT NULL AND leased_until > '-infinity'
            GROUP BY worker) AS p ON p.worker = w.name
        ORDER BY 1
        """

    static let counts = """
        SELECT (SELECT count(*) FROM push_later), (SELECT count(*) FROM push_dead), (SELECT count(*) FROM push_feedback),
            \(now), current_setting('server_version'), current_setting('fsync'), current_setting('synchronous_commit'),
            (SELECT count(*) FROM pg_trigger WHERE tgrelid = 'push_job'::regclass AND tgname = 'push_job_notify'),
            (SELECT (extract(epoch FROM now() - min(xact_start)) * 1000)::bigint FROM pg_stat_activity
                WHERE datname = current_database() AND backend_xmin IS NOT NULL)
        """

    /// Lane of the scheduled job that is due first, if it is, and since when, in milliseconds since 1970.
    static let overdue = """
        SELECT \(lane), \(milliseconds("greatest(due, kept_at)")) FROM push_later WHERE due <= now() ORDER BY due, id LIMIT 1
        """

    static let status = [planning, lanes, workers, counts, overdue]

    /// Parameter: worker. Gives whether nothing is pending for it.
    static let remove = """
        WITH free AS (SELECT NOT EXISTS (SELECT FROM push_job
                WHERE worker IS NOT NULL AND worker = $1::text AND leased_until > '-infinity') AS yes),
            gone AS (DELETE FROM push_worker WHERE split_part(name, ' ', 1) = $1::text AND (SELECT yes FROM free))
        SELECT yes FROM free
        """

    /// Parameter: tables. Gives those that are missing, those that the user may not read and write, and whether nothing can be
    /// written: a standby is read-only, too.
    static let check = """
        SELECT t, to_regclass(t) IS NULL, CASE WHEN to_regclass(t) IS NOT NULL THEN
            has_table_privilege(t, 'SELECT') AND has_table_privilege(t, 'INSERT') AND has_table_privilege(t, 'UPDATE')
            AND has_table_privilege(t, 'DELETE') END, current_setting('transaction_read_only')::boolean
        FROM unnest($1::text[]) AS tables (t)
        """
}
