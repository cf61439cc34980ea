extension QueueEvidence {
    /// Reads what Redis or Valkey says about itself.
    ///
    /// - Parameters:
    ///   - info: The answer to INFO.
    ///   - appendfsync: The answer to CONFIG GET of that name; nil where the user may not ask.
    ///   - save: The same of `save`, empty where no snapshots are written.
    package mutating func read(redisInfo info: String, appendfsync: String?, save: String?) {
        var fields: [Substring: Substring] = [:]
        for line in info.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { fields[parts[0]] = parts[1] }
        }
        if let version = fields["redis_version"] {
            server = .seen(
                QueueServer(
                    version: String(version.prefix(40)), takesWrites: fields["role"] != "slave",
                    isCluster: fields["redis_mode"] == "cluster", isSentinel: fields["redis_mode"] == "sentinel"))
        }
        persistence = QueueEvidence.persistence(fields, appendfsync: appendfsync, save: save)
        if let policy = fields["maxmemory_policy"] {
            memory = .seen(
                QueueMemory(
                    policy: String(policy.prefix(40)), limit: fields["maxmemory"].flatMap { Int64($0) } ?? 0,
                    used: fields["used_memory"].flatMap { Int64($0) } ?? 0))
        }
    }

    private static func persistence(
        _ fields: [Substring: Substring], appendfsync: String?, save: String?
    ) -> Observation<QueuePersistence> {
        guard let appends = fields["aof_enabled"] else { return .unseen("the engine did not say how it persists") }
        if appends == "1" {
            let isFailing = fields["aof_last_write_status"].map { $0 != "ok" } ?? false
            return .seen(
                isFailing
                    ? .failing("the last write of the append-only file failed")
                    : .appendOnlyFile(fsync: appendfsync.map { String($0.prefix(40)) }))
        }
        let isFailing = fields["rdb_last_bgsave_status"].map { $0 != "ok" } ?? false
        if isFailing { return .seen(.failing("the last snapshot failed")) }
        return .seen(save == "" ? .none : .snapshots)
    }
}
