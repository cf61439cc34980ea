package import PushQueue
internal import RedisClient

/// A queue in Redis or Valkey, 6.2 or newer: a stream for each lane and shard, with one consumer group.
///
/// A job that is settled is removed from its stream, so a stream has the jobs that wait and those that are pending, and is
/// never trimmed. A lease is the idle time of a pending entry; all workers of a queue must have the same lease.
package actor RedisQueue: JobQueue {
    nonisolated let address: RedisQueueAddress
    let client: RedisClient
    /// Clients whose connection blocks. Each wait has one for itself.
    private var idleWaiters: [RedisClient] = []
    private var waiterCount = 0
    private var isClosed = false

    /// Where the next XAUTOCLAIM of a stream begins.
    var cursors: [String: String] = [:]
    /// The lanes that were prepared.
    var lanes: Set<LaneName> = []
    /// Streams of them without a group, because the server was full when it was to be made. Nothing is read from them; each
    /// reservation tries again.
    var unmade: Set<String> = []
    /// What happened that an operator has to know, each sentence once.
    var warnings: [String] = []
    /// How many of the next reservations take single jobs, because a reply was too large.
    var carefulReservations = 0
    /// Which lane the next of them takes its job from.
    var carefulTurn = 0
    private var shard = 0

    private static let maximumWarnings = 20
    private static let maximumWaiters = 16

    package init(_ address: RedisQueueAddress) throws(QueueError) {
        self.address = address
        do {
            client = try RedisClient(address.server)
        } catch {
            throw QueueError(error, nil)
        }
    }

    package func close() async {
        isClosed = true
        await client.close()
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { await waiter.close() }
    }

    // MARK: Requests

    func send(_ commands: [RedisCommand], _ attempt: String) async throws(QueueError) -> [RedisValue] {
        do {
            return try await client.send(commands)
        } catch {
            throw QueueError(error, attempt)
        }
    }

    func run(
        _ script: RedisScript, _ arguments: ScriptArguments, _ attempt: String
    ) async throws(QueueError) -> RedisValue {
        try await run(script, arguments, followedBy: [], attempt)[0]
    }

    /// - Parameter commands: What goes out behind the script, on its connection.
    func run(
        _ script: RedisScript, _ arguments: ScriptArguments, followedBy commands: [RedisCommand], _ attempt: String
    ) async throws(QueueError) -> [RedisValue] {
        do {
            return try await client.run(script, keys: [], arguments.list, followedBy: commands)
        } catch {
            throw QueueError(error, attempt)
        }
    }

    var arguments: ScriptArguments { ScriptArguments(prefix: address.prefix) }

    func warn(_ sentence: String) {
        guard !warnings.contains(sentence), warnings.count < RedisQueue.maximumWarnings else { return }
        warnings.append(sentence)
    }

    static func badAnswer(_ attempt: String) -> QueueError {
        QueueError(
            .invalidAnswer, "\(attempt): the server's answer has another form", isTemporary: false, mayBeDone: true)
    }

    /// The next stream of a lane.
    func nextKey(_ lane: LaneName) -> String {
        shard = (shard + 1) % address.shards
        return address.key(lane, shard)
    }

    // MARK: Preparing

    package func prepare(_ names: [LaneName]) async throws(QueueError) {
        let attempt = "preparing the queue"
        var commands = [RedisCommand("INFO")]
        let kinds = [
            ("later", "zset"), ("later:jobs", "hash"), ("later:number", "string"), ("lanes", "set"),
            ("dead", "stream"), ("feedback", "stream"),
        ]
        for (name, _) in kinds { commands.append(RedisCommand("TYPE", "\(address.prefix):\(name)")) }
        let replies = try await send(commands, attempt)
        let facts = try RedisQueue.facts(replies[0], attempt)
        try RedisQueue.check(facts)
        for (reply, (name, kind)) in zip(replies.dropFirst(), kinds) {
            let found = try RedisQueue.value(reply, attempt).string ?? "none"
            guard found == "none" || found == kind else {
                throw QueueError.foreign("\(address.prefix):\(name)", found: found, kind: kind, attempt)
            }
        }
        try await makeGroups(names, attempt)
        let keys = names.flatMap { address.keys($0) }
        guard keys.isEmpty || !unmade.isSuperset(of: keys) else {
            throw QueueError(
                .full, "\(attempt): the server is full, so that no group can be made for \(keys[0])", isTemporary: true)
        }
        try await checkRights(names, attempt)
        lanes.formUnion(names)
    }

    /// A full server refuses these commands also where they would change nothing. Then a stream without its group is left out.
    func makeGroups(_ names: [LaneName], _ attempt: String) async throws(QueueError) {
        let keys = names.flatMap { address.keys($0) }
        guard !keys.isEmpty else { return }
        var register = RedisCommand("SADD", "\(address.prefix):lanes")
        for key in keys { register.append(key) }
        let commands = keys.map { RedisCommand("XGROUP", "CREATE", $0, QueueScripts.group, "0", "MKSTREAM") }
        let replies = try await send(commands + [register], attempt)
        var refused: [String] = []
        for (reply, key) in zip(replies, keys) {
            switch RedisQueue.refusal(reply) {
            case .groupExists: continue
            case .full: refused.append(key)
            default: _ = try RedisQueue.value(reply, of: key, "stream", attempt)
            }
        }
        if RedisQueue.refusal(replies[keys.count]) != .full {
            _ = try RedisQueue.value(replies[keys.count], of: "\(address.prefix):lanes", "set", attempt)
        }
        let missing = try await withoutGroup(refused, attempt)
        unmade.subtract(keys)
        unmade.formUnion(missing)
    }

    /// Those of the streams that have no group, or that do not exist.
    private func withoutGroup(_ keys: [String], _ attempt: String) async throws(QueueError) -> [String] {
        guard !keys.isEmpty else { return [] }
        let replies = try await send(keys.map { RedisCommand("XINFO", "GROUPS", $0) }, attempt)
        var missing: [String] = []
        for (reply, key) in zip(replies, keys) where RedisQueue.group(reply) == nil {
            missing.append(key)
            // The server's word for a key that does not exist has no code of its own.
            guard RedisQueue.refusal(reply) != .refused else { continue }
            _ = try RedisQueue.value(reply, of: key, "stream", attempt)
            warn("the server was full when the group of \(key) was to be made, so its jobs waited")
        }
        return missing
    }

    static func refusal(_ reply: RedisValue) -> RedisError.Code? {
        if case .failure(let error) = reply { error.code } else { nil }
    }

    /// The reply to a command for one key, which has to be of a kind.
    static func value(
        _ reply: RedisValue, of key: String, _ kind: String, _ attempt: String
    ) throws(QueueError) -> RedisValue {
        if case .failure(let error) = reply, error.code == .wrongType {
            throw QueueError.foreign(key, kind: kind, attempt)
        }
        return try value(reply, attempt)
    }

    static func value(_ reply: RedisValue, _ attempt: String) throws(QueueError) -> RedisValue {
        if case .failure(let error) = reply { throw QueueError(error, attempt) }
        return reply
    }

    /// The answer of INFO: names and values.
    static func facts(_ reply: RedisValue, _ attempt: String) throws(QueueError) -> [String: String] {
        guard let text = try value(reply, attempt).string else { throw badAnswer(attempt) }
        var facts: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            guard let colon = line.firstIndex(of: ":") else { continue }
            facts[String(line[..<colon])] = String(line[line.index(after: colon)...])
        }
        return facts
    }

    static func check(_ facts: [String: String]) throws(QueueError) {
        guard facts["redis_mode"] != "cluster" else {
            throw QueueError(
                .unsupportedServer,
                "the server runs in cluster mode, which the queue does not support; use one server, with replicas and sentinels",
                isTemporary: false)
        }
        guard facts["redis_mode"] != "sentinel" else {
            throw QueueError(
                .unsupportedServer,
                "this is a sentinel, which has no jobs; add sentinel=NAME to the URL, with the name of the master that it watches",
                isTemporary: false)
        }
        let version = facts["redis_version"] ?? ""
        let parts = version.split(separator: ".").compactMap { Int($0) }
        guard parts.count >= 2, (parts[0], parts[1]) >= (6, 2) else {
            throw QueueError(
                .unsupportedServer, "the server is Redis \(version), and 6.2 is the oldest that works",
                isTemporary: false)
        }
    }

    // MARK: Waiting

    package func waitForJobs(in lanes: [LaneName], atMost limit: Duration) async throws(QueueError) {
        let attempt = "waiting for jobs"
        guard !Task.isCancelled else { throw QueueRun.cancelled }
        let keys = lanes.flatMap { address.keys($0) }
        guard !keys.isEmpty else { return }
        let replies = try await send(keys.map { RedisCommand("XINFO", "GROUPS", $0) }, attempt)
        var read = RedisCommand("XREAD", "COUNT", "1", "BLOCK")
        read.append(max(limit.wholeMilliseconds, 1))
        read.append("STREAMS")
        for key in keys { read.append(key) }
        for (reply, key) in zip(replies, keys) {
            // Without its group a stream has nothing to wake for but a new entry.
            read.append(unmade.contains(key) ? "$" : RedisQueue.lastGiven(reply))
        }
        guard let waiter = try takeWaiter() else { return }
        let isCancelled: Bool
        do {
            isCancelled = try await QueueRun.block(waiter, read, timeout: limit)
        } catch {
            giveBack(waiter)
            throw QueueError(error, attempt)
        }
        if isCancelled {
            waiterCount -= 1
            throw QueueRun.cancelled
        }
        giveBack(waiter)
    }

    /// The last entry that the group has given to a worker; the start of the stream where there is no group, so that
    /// the wait ends at once.
    private static func lastGiven(_ reply: RedisValue) -> String { group(reply)?["last-delivered-id"] ?? "0-0" }

    /// What XINFO GROUPS says of the group; nil where there is none.
    private static func group(_ reply: RedisValue) -> [String: String]? {
        for group in reply.array ?? [] {
            let facts = group.array ?? []
            var values: [String: String] = [:]
            for index in stride(from: 0, to: facts.count - 1, by: 2) {
                if let name = facts[index].string { values[name] = facts[index + 1].string }
            }
            if values["name"] == QueueScripts.group { return values }
        }
        return nil
    }

    /// Nil when the largest number of waits is in progress; the caller then asks again later.
    private func takeWaiter() throws(QueueError) -> RedisClient? {
        guard !isClosed else { throw QueueError(.closed, "the queue is closed", isTemporary: false) }
        if let waiter = idleWaiters.popLast() { return waiter }
        guard waiterCount < RedisQueue.maximumWaiters else { return nil }
        waiterCount += 1
        do {
            return try RedisClient(address.server)
        } catch {
            throw QueueError(error, "waiting for jobs")
        }
    }

    private func giveBack(_ waiter: RedisClient) {
        idleWaiters.append(waiter)
    }
}
