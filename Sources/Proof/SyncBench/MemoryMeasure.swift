import PushDispatch
import SelectiveSync

/// The memory of 100,000 waiting hints, in the core and in the pending list.
enum MemoryMeasure {
    static func measure() async {
        let before = Bench.residentBytes()
        var policy = SyncPolicy()
        policy.maximumPending = 100_000
        var core = SyncCore(objects: [Bench.account], policy: policy)
        var list = PendingList(maximumRecords: 100_000)
        for number in 0..<100_000 {
            let record = Bench.id(number)
            let mark = list.keep(Hint(type: "T", object: "Account", records: [record]))
            _ = core.load([PendingRecord(record, mark: mark ?? .start)], of: "Account")
        }
        precondition(core.pendingCount == 100_000 && list.count == 100_000)
        Bench.show("memory-of-100000-hints", Double(Bench.residentBytes() - before) / 1_048_576, "MiB", limit: 50)
    }
}
