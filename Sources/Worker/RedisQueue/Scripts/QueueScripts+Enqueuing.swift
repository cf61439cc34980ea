internal import RedisClient

extension QueueScripts {
    /// Arguments: the most jobs of a lane that may wait, or nothing; how long keys are kept; the number of lanes, and for each
    /// the number of its streams and their keys; the number of jobs, and for each its stream, the number of its lane, when it
    /// is due, its key, its lines and its fields. A line is the end of the key of a hash, a field and its value. Returns -2 and
    /// the known lines, each as the number of its job, its own and the value; or -1 and the lane that is full; or the numbers
    /// of jobs that were added and that were known.
    static let enqueue = script(
        """
        local maximum = nextNumber()
        local kept = nextText()
        local lanes = {}
        for i = 1, nextNumber() do
            lanes[i] = nextList(nextNumber())
            for _, key in ipairs(lanes[i]) do
                local stop = foreign(key, 'stream')
                if stop then return stop end
            end
        end
        local stop = foreignLater() or foreign(prefix .. ':lanes', 'set')
        if stop then return stop end
        local jobs = {}
        local seen = {}
        local added = {}
        local duplicates = 0
        local isScheduling = false
        local known = {-2}
        local lineKeys = {}
        for i = 1, nextNumber() do
            local job = {stream = nextText(), lane = nextNumber(), isLater = nextText(), key = nil}
            if job.isLater == '1' then job.due = nextDue() end
            local key = nextText()
            if key ~= '' then job.key = prefix .. ':once:' .. key end
            job.lines = {}
            for j = 1, nextNumber() do
                local line = {key = prefix .. ':lines:' .. nextText(), number = nextText(), digest = nextText()}
                if not lineKeys[line.key] then
                    local stop = foreign(line.key, 'hash')
                    if stop then return stop end
                    lineKeys[line.key] = true
                end
                local digest = redis.call('HGET', line.key, line.number)
                if digest then
                    for _, value in ipairs({i, j, digest}) do table.insert(known, value) end
                end
                job.lines[j] = line
            end
            job.fields = nextList(nextNumber())
            if job.key and (seen[job.key] or redis.call('EXISTS', job.key) == 1) then
                duplicates = duplicates + 1
            else
                if job.key then seen[job.key] = true end
                table.insert(jobs, job)
                isScheduling = isScheduling or job.due ~= nil
                if not job.due then added[job.lane] = (added[job.lane] or 0) + 1 end
            end
        end
        if #known > 1 then return known end
        if maximum then
            for lane, count in pairs(added) do
                local backlog = 0
                for _, key in ipairs(lanes[lane]) do
                    backlog = backlog + redis.call('XLEN', key)
                    local held, free = pendingCounts(key)
                    if held then backlog = backlog - held + free end
                end
                if backlog + count > maximum then return {-1, lane, backlog} end
            end
        end
        stop = isScheduling and noSchedule()
        if stop then return stop end
        for _, job in ipairs(jobs) do
            if job.due then
                schedule(job.due, job.fields)
            else
                redis.call('XADD', job.stream, '*', unpack(job.fields))
            end
            if job.key then redis.call('SET', job.key, '1', 'PX', kept) end
            for _, line in ipairs(job.lines) do redis.call('HSET', line.key, line.number, line.digest) end
        end
        for key in pairs(lineKeys) do redis.call('PEXPIRE', key, kept) end
        for _, keys in ipairs(lanes) do redis.call('SADD', prefix .. ':lanes', unpack(keys)) end
        return {#jobs, duplicates}
        """)
}
