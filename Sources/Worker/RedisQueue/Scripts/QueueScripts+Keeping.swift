internal import RedisClient

extension QueueScripts {
    /// A page ends after so many bytes, so that a reply stays far below what the client accepts.
    private static let maximumListBytes = 16 << 20

    /// Arguments: the entry after which to begin, or `-`; the most jobs. Returns whether there are more, and for each its
    /// entry and its fields.
    static let listDead = script(
        """
        local stop = foreign(prefix .. ':dead', 'stream')
        if stop then return stop end
        local from = nextText()
        if from ~= '-' then from = '(' .. from end
        local limit = nextNumber()
        local found = {0}
        local bytes = 0
        while #found <= limit do
            local page = redis.call('XRANGE', prefix .. ':dead', from, '+', 'COUNT', 16)
            for _, entry in ipairs(page) do
                if #found > limit or bytes > \(maximumListBytes) then
                    found[1] = 1
                    return found
                end
                for _, value in ipairs(entry[2]) do bytes = bytes + #value end
                table.insert(found, entry)
                from = '(' .. entry[1]
            end
            if #page < 16 then return found end
        end
        if #redis.call('XRANGE', prefix .. ':dead', from, '+', 'COUNT', 1) > 0 then found[1] = 1 end
        return found
        """)

    /// Arguments: the due time and the number after which to begin; the most jobs. Returns the same, with the due time as a
    /// third part.
    static let listLater = script(
        """
        local stop = foreignLater()
        if stop then return stop end
        local score, after = nextText(), nextText()
        local limit = nextNumber()
        local found = {0}
        local bytes = 0
        local offset = 0
        while true do
            local page = redis.call(
                'ZRANGEBYSCORE', prefix .. ':later', score, '+inf', 'WITHSCORES', 'LIMIT', offset, 100)
            for i = 1, #page, 2 do
                local number, due = page[i], page[i + 1]
                if not (due == score and number <= after) then
                    if #found > limit or bytes > \(maximumListBytes) then
                        found[1] = 1
                        return found
                    end
                    local packed = redis.call('HGET', prefix .. ':later:jobs', number)
                    if packed then
                        bytes = bytes + #packed
                        table.insert(found, {number, scheduled(packed), due})
                    end
                end
            end
            if #page < 200 then return found end
            offset = offset + 100
        end
        """)

    /// Arguments: the place; the number of streams of a lane; the ids. Returns how many jobs were moved.
    static let retry = script(
        """
        local place = nextText()
        local stop = foreignPlace(place)
        if stop then return stop end
        local shards = nextNumber()
        local moved = 0
        tryRemoving(place)
        for _, id in ipairs(nextList(nextNumber())) do
            local fields
            if place == 'dead' then
                local entry = redis.call('XRANGE', prefix .. ':dead', id, id)[1]
                if entry then fields = entry[2] end
            else
                local packed = redis.call('HGET', prefix .. ':later:jobs', id)
                if packed then fields = scheduled(packed) end
            end
            if fields then
                local problem = move(fields, place == 'dead' and '0' or nil, moved % shards)
                if problem and string.sub(problem.err, 1, 3) ~= 'ERR' then return problem end
                if not problem then
                    moved = moved + 1
                    if place == 'dead' then
                        redis.call('XDEL', prefix .. ':dead', id)
                    else
                        redis.call('HDEL', prefix .. ':later:jobs', id)
                        redis.call('ZREM', prefix .. ':later', id)
                    end
                end
            end
        end
        return moved
        """)

    /// Arguments: the place; the ids. Returns how many jobs were removed.
    static let drop = script(
        """
        local place = nextText()
        local stop = foreignPlace(place)
        if stop then return stop end
        local removed = 0
        for _, id in ipairs(nextList(nextNumber())) do
            if place == 'later' then
                redis.call('ZREM', prefix .. ':later', id)
                removed = removed + redis.call('HDEL', prefix .. ':later:jobs', id)
            else
                removed = removed + redis.call('XDEL', prefix .. ':' .. place, id)
            end
        end
        return removed
        """)

    /// Arguments: keys of streams. Returns the time, the numbers of later, dead and feedback, a sentence for each key of another
    /// program, since when the first scheduled job is due, if it is, and its lane; and for each stream nothing where it is such a
    /// key, and otherwise its length, how many of it are pending, its oldest entry, name, pending jobs and idle time of each
    /// consumer, the last entry that the group gave, how many entries were ever added and how many of these the group has read, -1
    /// where the server does not know that, and how many of the pending ones are ready.
    static let status = script(
        """
        local sentences = {}
        local function isFree(key, kind)
            local sentence = occupied(key, kind)
            if sentence then table.insert(sentences, sentence) end
            return not sentence
        end
        local function length(command, key, kind) return isFree(key, kind) and redis.call(command, key) or 0 end
        local found = {
            text(now), length('ZCARD', prefix .. ':later', 'zset'), length('XLEN', prefix .. ':dead', 'stream'),
            length('XLEN', prefix .. ':feedback', 'stream'), sentences, {},
        }
        isFree(prefix .. ':later:jobs', 'hash')
        isFree(prefix .. ':later:number', 'string')
        isFree(prefix .. ':lanes', 'set')
        isFree(prefix .. ':results', 'stream')
        if found[2] > 0 and not foreignLater() then
            local due = redis.call('ZRANGEBYSCORE', prefix .. ':later', '-inf', text(now), 'WITHSCORES', 'LIMIT', 0, 1)
            local packed = due[1] and redis.call('HGET', prefix .. ':later:jobs', due[1])
            if packed then
                local fields = scheduled(packed)
                local job, lane = jobOf(fields)
                local since = tonumber(due[2])
                for i = 1, #fields - 1, 2 do
                    if fields[i] == 'kept' then since = math.max(since, tonumber(fields[i + 1]) or 0) end
                end
                found[6] = {text(since), lane}
            end
        end
        for _, key in ipairs(nextList(nextNumber())) do
            local isStream = isFree(key, 'stream')
            local count = isStream and redis.call('XLEN', key) or 0
            local held, free, oldest, lastGiven, added, read = 0, 0, '', '', -1, -1
            local consumers = {}
            if isStream then
                local all, ready = pendingCounts(key)
                if all then
                    held, free = all, ready
                    for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', key, group)) do
                        local facts = {}
                        for i = 1, #consumer, 2 do facts[consumer[i]] = consumer[i + 1] end
                        table.insert(consumers, {facts.name, facts.pending, facts.idle})
                    end
                    for _, info in ipairs(redis.call('XINFO', 'GROUPS', key)) do
                        local facts = {}
                        for i = 1, #info, 2 do facts[info[i]] = info[i + 1] end
                        if facts.name == group then
                            lastGiven = facts['last-delivered-id']
                            read = facts['entries-read'] or -1
                        end
                    end
                end
                if count > 0 then oldest = redis.call('XRANGE', key, '-', '+', 'COUNT', 1)[1][1] end
                if redis.call('EXISTS', key) == 1 then
                    local info = redis.call('XINFO', 'STREAM', key)
                    for i = 1, #info, 2 do
                        if info[i] == 'entries-added' then added = info[i + 1] end
                    end
                end
            end
            table.insert(found, isStream and {count, held, oldest, consumers, lastGiven, added, read, free})
        end
        return found
        """)

    /// Arguments: the consumer; keys of streams. Returns 1 if the consumer is gone from all of them.
    static let remove = script(
        """
        local consumer = nextText()
        local keys = nextList(nextNumber())
        for _, key in ipairs(keys) do
            local held = allPending(key, group, '-', '+', 1, consumer)
            if held and #held > 0 then return 0 end
        end
        for _, key in ipairs(keys) do redis.pcall('XGROUP', 'DELCONSUMER', key, group, consumer) end
        return 1
        """)

    /// Arguments: the number of demands, and for each its bucket, the tokens of a second and how many are wanted. Returns for
    /// each how many are granted and the milliseconds to wait.
    static let take = script(
        """
        local grants = {}
        for i = 1, nextNumber() do
            local key = prefix .. ':rate:' .. nextText()
            local rate = math.max(nextNumber(), 1)
            local wanted = nextNumber()
            local stop = foreign(key, 'hash')
            if stop then return stop end
            local tokens = rate
            local before = redis.call('HMGET', key, 'tokens', 'at')
            local left, since = tonumber(before[1] or ''), tonumber(before[2] or '')
            if left and since then tokens = left + math.max(now - since, 0) * rate / 1000 end
            -- Also where somebody else wrote them, such as nan.
            if not (tokens >= 0 and tokens <= rate) then tokens = rate end
            local granted = math.min(wanted, math.floor(tokens))
            tokens = tokens - granted
            redis.call('HSET', key, 'tokens', string.format('%.6f', tokens), 'at', text(now))
            -- After two seconds without a demand the bucket is full, as one that is not there.
            redis.call('PEXPIRE', key, 2000)
            local wait = 0
            if granted < wanted then wait = math.max(1, math.ceil((math.min(wanted - granted, rate) - tokens) * 1000 / rate)) end
            grants[2 * i - 1] = granted
            grants[2 * i] = wait
        end
        return grants
        """)
}
