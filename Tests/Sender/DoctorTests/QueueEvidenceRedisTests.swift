import Testing

@testable import Doctor

struct QueueEvidenceRedisTests {
    private func evidence(_ fields: [String], appendfsync: String? = nil, save: String? = nil) -> QueueEvidence {
        var evidence = QueueEvidence(engine: .redis, address: "localhost:6379/0")
        let info = "# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\nrole:master\r\n"
        evidence.read(
            redisInfo: info + fields.map { $0 + "\r\n" }.joined(), appendfsync: appendfsync, save: save)
        return evidence
    }

    @Test func `version, role and mode are read`() {
        #expect(evidence([]).server == .seen(QueueServer(version: "7.0.15")))
        #expect(evidence(["role:slave"]).server.value?.takesWrites == false)
        #expect(evidence(["redis_mode:cluster"]).server.value?.isCluster == true)
        #expect(evidence(["redis_mode:sentinel"]).server.value?.isSentinel == true)
    }

    @Test func `persistence is what INFO and CONFIG say together`() {
        let append = ["aof_enabled:1", "aof_last_write_status:ok"]
        #expect(evidence(append, appendfsync: "always").persistence == .seen(.appendOnlyFile(fsync: "always")))
        #expect(evidence(append).persistence == .seen(.appendOnlyFile(fsync: nil)))
        #expect(evidence(["aof_enabled:0"], save: "3600 1").persistence == .seen(.snapshots))
        #expect(evidence(["aof_enabled:0"], save: "").persistence == .seen(.none))
        #expect(evidence(["aof_enabled:0"]).persistence == .seen(.snapshots), "the user may not ask")
        guard case .failing? = evidence(["aof_enabled:1", "aof_last_write_status:err"]).persistence.value,
            case .failing? = evidence(["aof_enabled:0", "rdb_last_bgsave_status:err"]).persistence.value
        else {
            Issue.record("a failed write is not told")
            return
        }
    }

    @Test func `the policy of memory is read, and nothing is seen of what is not said`() {
        let memory = evidence(["maxmemory:100", "used_memory:85", "maxmemory_policy:allkeys-lru"]).memory
        #expect(memory == .seen(QueueMemory(policy: "allkeys-lru", limit: 100, used: 85)))
        let empty = evidence([])
        #expect(empty.memory.value == nil && empty.persistence.value == nil && empty.backlog.value == nil)
    }
}
