internal import RedisClient

/// What the server does in one step. Each script gets the prefix of the keys as its first argument.
///
/// A script first checks everything that could stop it, because Redis does not undo what a script did before an error. Lack of
/// memory stops a script only at its first write, also where that changes nothing, and the first write of each is one that Redis
/// refuses then.
enum QueueScripts {
    static let group = "workers"
    /// The consumer of jobs that were given back. No worker can have this name, because it has a space.
    static let nobody = "no worker"

    /// Functions that several scripts use.
    private static let common = """
        local prefix = ARGV[1]
        local group = '\(group)'
        local nobody = '\(nobody)'
        local clock = redis.call('TIME')
        local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
        local at = 2

        local function text(number) return string.format('%.0f', number) end

        local function nextText()
            at = at + 1
            return ARGV[at - 1]
        end

        local function nextNumber() return tonumber(nextText()) end

        local function nextList(count)
            local list = {}
            for i = 1, count do list[i] = ARGV[at + i - 1] end
            at = at + count
            return list
        end

        -- Nil, or a sentence about a key that is another program's.
        local function occupied(key, kind)
            local found = redis.call('TYPE', key).ok
            if found == 'none' or found == kind then return nil end
            return 'the key ' .. key .. ' holds a ' .. found .. ', and the queue needs a ' .. kind
        end

        -- Nil, or the error for it.
        local function foreign(key, kind)
            local sentence = occupied(key, kind)
            return sentence and redis.error_reply('WRONGTYPE ' .. sentence) or nil
        end

        -- Whether the user has no right to a command. Then it is called once more, so that the script ends with the error.
        local function isDenied(problem)
            return string.find(problem, 'The user executing the script', 1, true) or string.find(problem, 'NOPERM', 1, true)
                or string.find(problem, 'ACL failure', 1, true)
        end

        local function foreignLater()
            return foreign(prefix .. ':later', 'zset') or foreign(prefix .. ':later:jobs', 'hash')
                or foreign(prefix .. ':later:number', 'string')
        end

        local function foreignPlace(place)
            if place == 'later' then return foreignLater() end
            return foreign(prefix .. ':' .. place, 'stream')
        end

        -- Nil, or why no job can be scheduled. It takes a number, so that nothing else is written where that cannot be done.
        local function noSchedule()
            local stop = foreignLater()
            if stop then return stop end
            local key = prefix .. ':later:number'
            local number = redis.pcall('INCR', key)
            if type(number) == 'table' and not string.find(number.err, 'integer', 1, true)
                and not string.find(number.err, 'overflow', 1, true) then
                number = redis.call('INCR', key)
            end
            -- Lua counts no further.
            if type(number) == 'table' or number > 2 ^ 52 then
                return redis.error_reply('WRONGTYPE the key ' .. key .. ' holds something else than the number of the last job')
            end
        end

        local function schedule(due, fields)
            local key = prefix .. ':later:number'
            local count = redis.call('INCR', key)
            local number = string.format('%016.0f', count)
            -- Where somebody removed the key, the numbers of jobs that wait would come again.
            local step = 1
            while redis.call('HGET', prefix .. ':later:jobs', number) do
                count = count + step
                step = step * 2
                number = string.format('%016.0f', count)
            end
            if step > 1 then redis.call('SET', key, text(count)) end
            table.insert(fields, 'kept')
            table.insert(fields, text(now))
            redis.call('HSET', prefix .. ':later:jobs', number, cmsgpack.pack(fields))
            redis.call('ZADD', prefix .. ':later', text(due), number)
        end

        -- A time, or a number of milliseconds from now.
        local function nextDue()
            local kind = nextText()
            local value = nextNumber()
            if kind == 'in' then return now + value end
            return value
        end

        -- What is pending, or nil where there is no group.
        local function allPending(...)
            local found = redis.pcall('XPENDING', ...)
            if not found.err then return found end
            if isDenied(found.err) then redis.call('XPENDING', ...) end
            return nil
        end

        local function pending(key, id, consumer)
            local found
            if consumer then
                found = allPending(key, group, id, id, 1, consumer)
            else
                found = allPending(key, group, id, id, 1)
            end
            return found and found[1]
        end

        -- Changes nothing, as the name of the stream is known. It has to be the first write of a script that needs memory,
        -- because a full server refuses no other one.
        local function tryWriting(stream)
            local done = redis.pcall('SADD', prefix .. ':lanes', stream)
            if type(done) == 'table' and not string.find(done.err, 'WRONGTYPE', 1, true) then
                redis.call('SADD', prefix .. ':lanes', stream)
            end
        end

        -- Removes nothing. Where the user has no right to remove, it stops the script before what follows is written twice.
        local function tryRemoving(place)
            tryWriting(prefix .. ':jobs:normal:0')
            if place == 'later' then
                redis.call('HDEL', prefix .. ':later:jobs', '')
                redis.call('ZREM', prefix .. ':later', '')
            else
                redis.call('XDEL', prefix .. ':' .. place, '0-0')
            end
        end

        -- How many entries of a stream are pending, and how many of these were given back and are ready.
        local function pendingCounts(key)
            local summary = allPending(key, group)
            if not summary then return nil end
            local free = 0
            for _, consumer in ipairs(summary[4] or {}) do
                if consumer[1] == nobody then free = tonumber(consumer[2]) end
            end
            return summary[1], free
        end

        local function isText(value) return type(value) == 'string' or type(value) == 'number' end

        -- The fields of a job, without those that say why it was kept; and its lane. A stranger may have written anything.
        local function jobOf(fields, attempt)
            local job = {}
            local lane = 'normal'
            for i = 1, #fields - 1, 2 do
                local name, value = fields[i], fields[i + 1]
                -- For another value XADD would refuse the job.
                local isGood = isText(name) and isText(value)
                if isGood and name == 'lane' then
                    lane = tostring(value)
                elseif isGood and name == 'a' and attempt then
                    table.insert(job, 'a')
                    table.insert(job, attempt)
                elseif isGood and name ~= 'reason' and name ~= 'why' and name ~= 'kept' then
                    table.insert(job, name)
                    table.insert(job, value)
                end
            end
            if #lane > 32 or not string.find(lane, '^[a-z0-9_-]+$') then lane = 'normal' end
            return job, lane
        end

        -- The fields of a scheduled job. One that cannot be read becomes a job without a body, which goes to the dead letter.
        local function scheduled(packed)
            local isGood, fields = pcall(cmsgpack.unpack, packed)
            if isGood and type(fields) == 'table' and #jobOf(fields) > 0 then return fields end
            return {'later', packed}
        end

        -- Nil, or what was wrong, such as a stream that is another program's.
        local function move(fields, attempt, number)
            local job, lane = jobOf(fields, attempt)
            if #job == 0 then job = fields end
            local stream = prefix .. ':jobs:' .. lane .. ':' .. text(number)
            -- Of thousands of fields Lua itself makes an error.
            local isGood, answer = pcall(function() return redis.pcall('XADD', stream, '*', unpack(job)) end)
            if not isGood then return {err = 'ERR a kept job has too many fields'} end
            if type(answer) == 'table' and answer.err and isDenied(answer.err) then
                redis.call('XADD', stream, '*', unpack(job))
            end
            return type(answer) == 'table' and answer.err and answer or nil
        end

        """

    static func script(_ body: String) -> RedisScript { RedisScript(common + body) }

    /// Lua can pass some thousand values to a call.
    private static let entriesInCall = 500
    /// From so many on, the number of results that are kept is about the one that was asked for.
    private static let exactResults = 10_000

    /// Arguments: how many results are kept; the number of streams with jobs from which nothing follows, and for each its key,
    /// how many such jobs it has, and their entries; the number of other settlements, and for each its stream, its entry and the
    /// number of its effects. An effect is `add` or `result`, a key and fields; or `later`, the due time and fields.
    ///
    /// Returns whether each was settled: the others first, then those from which nothing follows.
    static let settle = script(
        """
        local kept = nextText()
        -- To keep an exact number costs some microseconds more for each result. Otherwise up to a hundred more are kept.
        local trim = tonumber(kept) < \(exactResults) and '=' or '~'
        local done = {}
        local checked = {}
        local streams = {}
        local function note(stream)
            if checked[stream] then return nil end
            local stop = foreign(stream, 'stream')
            if stop then return stop end
            checked[stream] = true
            table.insert(streams, stream)
        end
        local plain = {}
        for i = 1, nextNumber() do
            plain[i] = {stream = nextText(), entries = nextList(nextNumber())}
            local stop = note(plain[i].stream)
            if stop then return stop end
        end
        local settlements = {}
        for i = 1, nextNumber() do
            local settlement = {stream = nextText(), entry = nextText(), effects = {}}
            local stop = note(settlement.stream)
            if stop then return stop end
            for j = 1, nextNumber() do
                local effect = {kind = nextText()}
                if effect.kind == 'later' then
                    effect.due = nextDue()
                    if not checked.later then
                        stop = noSchedule()
                        checked.later = true
                    end
                else
                    effect.key = nextText()
                    if not checked[effect.key] then
                        stop = foreign(effect.key, 'stream')
                        checked[effect.key] = true
                    end
                end
                if stop then return stop end
                effect.fields = nextList(nextNumber())
                settlement.effects[j] = effect
            end
            settlements[i] = settlement
        end
        if #settlements > 0 then tryWriting(streams[1]) end
        -- They remove nothing. Where the user has no right to them, nothing is written yet.
        for _, stream in ipairs(streams) do
            redis.call('XACK', stream, group, '0-0')
            redis.call('XDEL', stream, '0-0')
        end
        for _, settlement in ipairs(settlements) do
            local stream, entry = settlement.stream, settlement.entry
            local isThere = pending(stream, entry)
            -- A job that is in the stream and not pending was reserved from a group that somebody destroyed.
            if not isThere then isThere = redis.call('XRANGE', stream, entry, entry)[1] end
            if isThere then
                for _, effect in ipairs(settlement.effects) do
                    if effect.kind == 'add' then
                        redis.call('XADD', effect.key, '*', unpack(effect.fields))
                    elseif effect.kind == 'result' then
                        redis.call('XADD', effect.key, 'MAXLEN', trim, kept, '*', unpack(effect.fields))
                    else
                        schedule(effect.due, effect.fields)
                    end
                end
                redis.call('XACK', stream, group, entry)
                redis.call('XDEL', stream, entry)
            end
            table.insert(done, isThere and 1 or 0)
        end
        for _, part in ipairs(plain) do
            local stream, entries = part.stream, part.entries
            for first = 1, #entries, \(entriesInCall) do
                local last = math.min(first + \(entriesInCall) - 1, #entries)
                local wereAllPending = redis.call('XACK', stream, group, unpack(entries, first, last)) == last - first + 1
                if wereAllPending then redis.call('XDEL', stream, unpack(entries, first, last)) end
                for i = first, last do
                    -- XACK does not say which ones were pending. What is still in the stream is settled here; the rest was settled
                    -- before, or a stranger removed it.
                    table.insert(done, wereAllPending and 1 or redis.call('XDEL', stream, entries[i]))
                end
            end
        end
        return done
        """)

    /// Arguments: the consumer; the number of jobs, and for each its stream and its entry. Returns the numbers of the jobs that
    /// the consumer does not hold, and the numbers of those that it held and that are not in their streams.
    static let extend = script(
        """
        local consumer = nextText()
        local lost, removed = {}, {}
        for i = 1, nextNumber() do
            local stream, entry = nextText(), nextText()
            if pending(stream, entry, consumer) then
                -- Since Redis 7.0 this ends the pending of an entry that is not in the stream.
                local held = redis.call('XCLAIM', stream, group, consumer, 0, entry, 'JUSTID')
                if #held == 0 then table.insert(removed, i) end
            else
                table.insert(lost, i)
            end
        end
        return {lost, removed}
        """)

    /// The same arguments. The jobs are nobody's, and look as if they had been idle since 1970, so that the next XAUTOCLAIM takes
    /// them.
    static let release = script(
        """
        local consumer = nextText()
        for i = 1, nextNumber() do
            local stream, entry = nextText(), nextText()
            local held = pending(stream, entry, consumer)
            if held then
                local count = math.max(held[4] - 1, 0)
                redis.call('XCLAIM', stream, group, nobody, 0, entry, 'TIME', 1, 'RETRYCOUNT', count, 'JUSTID')
            end
        end
        return 1
        """)

    /// Arguments: the consumer; the number of streams, and for each its key, the number of jobs that are held, and their
    /// entries. Returns how many jobs are ready now.
    static let reclaim = script(
        """
        local consumer = nextText()
        local count = 0
        for i = 1, nextNumber() do
            local stream = nextText()
            local held = {}
            for _, entry in ipairs(nextList(nextNumber())) do held[entry] = true end
            local from = '-'
            while true do
                local page = allPending(stream, group, from, '+', 1000, consumer)
                if not page or #page == 0 then break end
                for _, job in ipairs(page) do
                    if not held[job[1]] then
                        redis.call('XCLAIM', stream, group, nobody, 0, job[1], 'TIME', 1, 'JUSTID')
                        count = count + 1
                    end
                end
                if #page < 1000 then break end
                from = '(' .. page[#page][1]
            end
        end
        return count
        """)

    /// Arguments: the most jobs; the number of streams of a lane. Returns how many were moved, and how many cannot be.
    static let promote = script(
        """
        local limit = nextText()
        local shards = nextNumber()
        local stop = foreignLater()
        if stop then return stop end
        local due = redis.call('ZRANGEBYSCORE', prefix .. ':later', '-inf', text(now), 'LIMIT', 0, limit)
        local moved, left = 0, 0
        if #due > 0 then tryRemoving('later') end
        for _, number in ipairs(due) do
            local packed = redis.call('HGET', prefix .. ':later:jobs', number)
            if packed then
                local problem = move(scheduled(packed), nil, (now + moved) % shards)
                if problem then
                    if string.sub(problem.err, 1, 3) == 'OOM' then return problem end
                    -- The job waits a minute, so that it does not stop the others.
                    redis.call('ZADD', prefix .. ':later', text(now + 60000), number)
                    left = left + 1
                else
                    redis.call('HDEL', prefix .. ':later:jobs', number)
                    redis.call('ZREM', prefix .. ':later', number)
                    moved = moved + 1
                end
            else
                -- Somebody removed the job and left its time.
                redis.call('ZREM', prefix .. ':later', number)
                left = left + 1
            end
        end
        return {moved, left}
        """)
}
