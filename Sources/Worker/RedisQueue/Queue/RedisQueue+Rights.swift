package import PushQueue
internal import RedisClient

extension RedisQueue {
    /// Whether a worker could use the queue: the rights of its user, and whether the server takes writes. It changes nothing.
    ///
    /// A full server passes, because workers empty it.
    package func checkUse() async throws(QueueError) {
        try await checkRights([.normal], "preparing the queue", isDry: true)
    }

    /// Whether the user may run what a worker needs. A right that is missing would stop a script between two writes.
    ///
    /// The server checks the rights before the arguments. So each command has an argument that is not valid, or names nothing,
    /// and changes nothing but the counter of scheduled jobs. What only `enqueue`, the lists, the status and limits need is
    /// not asked for.
    ///
    /// - Parameter isDry: Changes nothing at all, and asks for the right to make groups.
    func checkRights(_ names: [LaneName], _ attempt: String, isDry: Bool = false) async throws(QueueError) {
        guard let stream = names.first.map({ address.key($0, 0) }) else { return }
        let group = QueueScripts.group
        let (dead, feedback) = ("\(address.prefix):dead", "\(address.prefix):feedback")
        let (later, jobs, number) = (
            "\(address.prefix):later", "\(address.prefix):later:jobs", "\(address.prefix):later:number"
        )
        var places: [(key: String, commands: [RedisCommand])] = [
            (
                stream,
                [
                    RedisCommand("XADD", stream, "-", "b", ""), RedisCommand("XRANGE", stream, "0-0", "0-0"),
                    RedisCommand("XDEL", stream, "0-0"), RedisCommand("XACK", stream, group, "0-0"),
                    RedisCommand("XCLAIM", stream, group, "-", "-", "0-0"),
                    RedisCommand("XAUTOCLAIM", stream, group, "-", "-", "0-0"),
                    RedisCommand("XPENDING", stream, group),
                    RedisCommand("XREADGROUP", "GROUP", group, "-", "COUNT", "-", "STREAMS", stream, ">"),
                    RedisCommand("XREAD", "COUNT", "-", "STREAMS", stream, "0"),
                    RedisCommand("XINFO", "GROUPS", stream),
                ]
            ),
            (dead, [RedisCommand("XADD", dead, "-", "b", "")]),
            (feedback, [RedisCommand("XADD", feedback, "-", "b", "")]),
            (
                later,
                [
                    RedisCommand("ZADD", later, "-", ""), RedisCommand("ZREM", later, ""),
                    RedisCommand("ZRANGEBYSCORE", later, "-", "-"),
                ]
            ),
            (
                jobs,
                [
                    RedisCommand("HSET", jobs, "", "", ""), RedisCommand("HGET", jobs, ""),
                    RedisCommand("HDEL", jobs, ""),
                ]
            ),
        ]
        if isDry {
            places[0].commands.append(RedisCommand("XGROUP", "CREATE", stream, group, "-"))
        } else {
            places.append((number, [RedisCommand("INCR", number)]))
        }
        let replies = try await send(places.flatMap { $0.commands }, attempt)
        var missing: [String] = []
        var index = 0
        for (key, commands) in places {
            for command in commands {
                if case .failure(let error) = replies[index] {
                    if RedisQueue.isDenied(error) { missing.append("\(command.name) on \(key)") }
                    if RedisQueue.refusalsOfWrites.contains(error.code) { throw QueueError(error, attempt) }
                }
                index += 1
            }
        }
        if RedisQueue.refusal(replies[replies.count - 1]) == .notANumber {
            throw QueueError.foreign(number, kind: "whole number", attempt)
        }
        guard !missing.isEmpty else { return }
        throw QueueError(
            .notAllowed,
            "\(attempt): the server does not let the user run \(missing.joined(separator: ", ")); docs/queue.md lists the "
                + "rights of a worker", isTemporary: false)
    }

    /// What a server answers that takes no writes for now.
    private static let refusalsOfWrites: Set<RedisError.Code> = [.notReplicated, .notPersistent, .readOnly]

    private static func isDenied(_ error: RedisError) -> Bool {
        error.code == .noPermission || error.code == .unknownCommand
    }
}
