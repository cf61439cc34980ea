internal import PushQueue
internal import RedisClient

extension RedisQueue {
    /// Whether the user may run what a worker needs. A right that is missing would stop a script between two writes.
    ///
    /// The server checks the rights before the arguments. So each command has an argument that is not valid, or names nothing,
    /// and changes nothing but the counter of scheduled jobs. What only `enqueue`, the lists, the status and limits need is
    /// not asked for.
    func checkRights(_ names: [LaneName], _ attempt: String) async throws(QueueError) {
        guard let stream = names.first.map({ address.key($0, 0) }) else { return }
        let group = QueueScripts.group
        let (dead, feedback) = ("\(address.prefix):dead", "\(address.prefix):feedback")
        let (later, jobs, number) = (
            "\(address.prefix):later", "\(address.prefix):later:jobs", "\(address.prefix):later:number"
        )
        let places: [(key: String, commands: [RedisCommand])] = [
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
            (number, [RedisCommand("INCR", number)]),
        ]
        let replies = try await send(places.flatMap { $0.commands }, attempt)
        var missing: [String] = []
        var index = 0
        for (key, commands) in places {
            for command in commands {
                if case .failure(let error) = replies[index], RedisQueue.isDenied(error) {
                    missing.append("\(command.name) on \(key)")
                }
                index += 1
            }
        }
        if case .failure(let error) = replies[replies.count - 1], error.code == .notANumber {
            throw QueueError.foreign(number, kind: "whole number", attempt)
        }
        guard !missing.isEmpty else { return }
        throw QueueError(
            .notAllowed,
            "\(attempt): the server does not let the user run \(missing.joined(separator: ", ")); docs/queue.md lists the "
                + "rights of a worker", isTemporary: false)
    }

    private static func isDenied(_ error: RedisError) -> Bool {
        error.code == .noPermission || error.code == .unknownCommand
    }
}
