/// The tables of the queue.
package enum QueueSchema {
    /// The most bytes of a job, which are those that a worker reads. The table refuses a longer one, so that its producer
    /// gets an error.
    static let maximumJobBytes = 1_048_576
    /// The most bytes of a job with all that belongs to it.
    static let maximumRowBytes = 1_114_112

    /// The form of `LaneName`.
    static let laneCheck = "lane ~ '^[a-z0-9_-]{1,32}$'"
    static let bodyCheck = "octet_length(body) <= \(maximumJobBytes)"
    static let rawCheck = "octet_length(raw) <= \(maximumJobBytes)"

    static let tables = [
        "push_job", "push_later", "push_dead", "push_feedback", "push_result", "push_key", "push_rate", "push_worker",
    ]

    /// What `apns worker sql` prints. It can run again, and keeps all rows but those that a newer check refuses.
    package static let sql = """
        -- The queue of `apns worker` in PostgreSQL 12 or newer. Run it once, and after an update: apns worker sql | psql
        -- A producer needs only: INSERT INTO push_job (body) VALUES ('<envelope>')

        CREATE TABLE IF NOT EXISTS push_job (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            lane text NOT NULL DEFAULT 'normal' CHECK (\(laneCheck)),
            tenant text,
            attempt integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
            key text,
            -- 1 to 100 envelopes, one a line; in raw where they are not UTF-8.
            body text CHECK (\(bodyCheck)),
            raw bytea CHECK (\(rawCheck)),
            context text,
            enqueued_at timestamptz NOT NULL DEFAULT now() CHECK (isfinite(enqueued_at)),
            worker text,
            leased_until timestamptz,
            deliveries integer NOT NULL DEFAULT 0,
            CHECK (num_nonnulls(body, raw) = 1),
            CHECK ((worker IS NULL) = (leased_until IS NULL))
        );
        -- What nobody has reserved, oldest first; and what is reserved, by the end of its lease.
        CREATE INDEX IF NOT EXISTS push_job_ready ON push_job (lane, id) WHERE worker IS NULL;
        CREATE INDEX IF NOT EXISTS push_job_pending ON push_job (lane, leased_until, id) WHERE worker IS NOT NULL;
        -- Each job is updated once and deleted once, so the table is vacuumed by rows and without pauses.
        ALTER TABLE push_job SET (
            autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0,
            autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 50000);

        -- Wakes workers that wait. Without it they look once a second.
        CREATE OR REPLACE FUNCTION push_job_notify() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_notify('push_job', ''); RETURN NULL; END $$;
        DROP TRIGGER IF EXISTS push_job_notify ON push_job;
        CREATE TRIGGER push_job_notify AFTER INSERT ON push_job FOR EACH STATEMENT EXECUTE FUNCTION push_job_notify();

        CREATE TABLE IF NOT EXISTS push_later (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            lane text NOT NULL CHECK (\(laneCheck)), tenant text, attempt integer NOT NULL, key text, body text, raw bytea, context text,
            reason text NOT NULL, why text NOT NULL, kept_at timestamptz NOT NULL DEFAULT now(),
            due timestamptz NOT NULL CHECK (isfinite(due))
        );
        CREATE INDEX IF NOT EXISTS push_later_due ON push_later (due, id);

        CREATE TABLE IF NOT EXISTS push_dead (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            lane text NOT NULL CHECK (\(laneCheck)), tenant text, attempt integer NOT NULL, key text, body text, raw bytea, context text,
            reason text NOT NULL, why text NOT NULL, kept_at timestamptz NOT NULL DEFAULT now()
        );

        CREATE TABLE IF NOT EXISTS push_feedback (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, line text NOT NULL);
        CREATE TABLE IF NOT EXISTS push_result (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, line text NOT NULL);

        -- Keys of jobs and of lines of batches for deduplication, until they are forgotten; of a line with a hash.
        CREATE TABLE IF NOT EXISTS push_key (key text PRIMARY KEY, until timestamptz NOT NULL, digest text);
        CREATE INDEX IF NOT EXISTS push_key_until ON push_key (until);

        -- Shared limits, and when a worker was last seen, alone and with each lane that it read. A crash may empty both.
        CREATE UNLOGGED TABLE IF NOT EXISTS push_rate (
            bucket text PRIMARY KEY, tokens double precision NOT NULL, at timestamptz NOT NULL, granted integer NOT NULL);
        CREATE UNLOGGED TABLE IF NOT EXISTS push_worker (name text PRIMARY KEY, seen timestamptz NOT NULL);

        -- The same for tables of an earlier version.
        ALTER TABLE push_key ADD COLUMN IF NOT EXISTS digest text;
        -- NOT VALID, because their rows may be otherwise.
        ALTER TABLE push_job
            DROP CONSTRAINT IF EXISTS push_job_body_check, DROP CONSTRAINT IF EXISTS push_job_raw_check,
            DROP CONSTRAINT IF EXISTS push_job_enqueued_at_check,
            ADD CONSTRAINT push_job_body_check CHECK (\(bodyCheck)) NOT VALID,
            ADD CONSTRAINT push_job_raw_check CHECK (\(rawCheck)) NOT VALID,
            ADD CONSTRAINT push_job_enqueued_at_check CHECK (isfinite(enqueued_at)) NOT VALID;
        ALTER TABLE push_later
            DROP CONSTRAINT IF EXISTS push_later_lane_check, DROP CONSTRAINT IF EXISTS push_later_due_check,
            ADD CONSTRAINT push_later_lane_check CHECK (\(laneCheck)) NOT VALID,
            ADD CONSTRAINT push_later_due_check CHECK (isfinite(due)) NOT VALID;
        ALTER TABLE push_dead
            DROP CONSTRAINT IF EXISTS push_dead_lane_check,
            ADD CONSTRAINT push_dead_lane_check CHECK (\(laneCheck)) NOT VALID;
        -- A row that a check refuses cannot be reserved, because that changes it.
        WITH long AS (DELETE FROM push_job WHERE NOT (\(bodyCheck)) OR NOT (\(rawCheck)) RETURNING *)
            INSERT INTO push_dead (\(QueueStatements.columns), reason, why)
            SELECT \(QueueStatements.columns), 'job-too-large', 'the job has more than \(maximumJobBytes) bytes' FROM long;
        UPDATE push_job SET enqueued_at = now() WHERE NOT isfinite(enqueued_at);

        -- The rights of a worker: GRANT SELECT, INSERT, UPDATE, DELETE ON
        --   push_job, push_later, push_dead, push_feedback, push_result, push_key, push_rate, push_worker TO worker_role;
        -- and of a producer: GRANT INSERT (lane, tenant, key, body, raw) ON push_job TO producer_role;
        -- `apns worker enqueue` needs no more, but for some of its options. With --max-backlog:
        --   GRANT SELECT ON push_job TO producer_role
        -- With --id or --at:
        --   GRANT INSERT (attempt, context) ON push_job TO producer_role
        --   GRANT INSERT ON push_later TO producer_role
        --   GRANT SELECT, INSERT, UPDATE, DELETE ON push_key TO producer_role

        """
}
