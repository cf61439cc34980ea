import PushDispatch
import SelectiveSync

/// The access of an app's process to its store, which outlives it. Each call is delayed before and after and may fail
/// before it has an effect, and the process may end during either delay.
///
/// @unchecked: only the thread of the simulation uses it.
final class FaultyStore: UploadStore, @unchecked Sendable {
    struct DiskFull: Error {}

    private let store: MemoryRecordStore
    private let device: AuditedDevice
    private let clock: ProcessClock
    /// The start of the log-in that is under way; nil if there is none.
    private(set) var userChangeSince: Int64?

    init(_ device: AuditedDevice, _ clock: ProcessClock) {
        store = device.store
        self.device = device
        self.clock = clock
    }

    private func perform<Result: Sendable>(
        mayFail: Bool = true, _ call: @Sendable (isolated MemoryRecordStore, DeviceAudit) throws -> Result
    ) async throws -> Result {
        try clock.check()
        let (before, after, fails) = device.run.storeCall()
        await clock.pass(before)
        try clock.check()
        if fails, mayFail {
            device.run.count(.storeFailed)
            device.run.trace("\(device.name)'s store fails")
            throw DiskFull()
        }
        let result = try await store.perform(device.audit, call)
        await clock.pass(after)
        try clock.check()
        return result
    }

    @discardableResult
    func keep(_ hint: Hint) async throws -> PendingMark? {
        try await perform { [device] store, audit in
            let mark = store.keep(hint)
            if mark == nil { audit.listWasFull(hint.records) }
            device.run.trace(
                "\(device.name) keeps \(device.run.short(hint.records))\(mark == nil ? ", but the list is full" : "")")
            return mark
        }
    }

    func pending(of object: String, after mark: PendingMark?) async throws -> [PendingRecord] {
        try await perform { [device] store, audit in
            let pending = store.pending(of: object, after: mark)
            if !pending.isEmpty {
                audit.read(pending.map(\.record))
                device.run.trace("\(device.name) reads the hints \(device.run.short(pending.map(\.record)))")
            }
            return pending
        }
    }

    func forget(_ records: [PendingRecord], of object: String) async throws {
        try clock.check()
        if device.run.injectsFault(device.run.settings.forgetFaultPercent) {
            device.run.count(.storeFailed)
            device.run.trace("\(device.name)'s store fails to forget \(device.run.short(records.map(\.record)))")
            throw DiskFull()
        }
        try await perform { store, audit in
            audit.forgets(records)
            store.forget(records, of: object)
        }
    }

    func forgetAll() async throws {
        try await perform { store, audit in
            audit.pendingDropped()
            store.forgetAll()
        }
    }

    func merge(_ batch: MergeBatch) async throws -> MergeResult {
        try await perform { store, audit in
            let before = StoreState(store, batch.object)
            let result = try store.merge(batch)
            audit.merged(batch, result, before, StoreState(store, batch.object))
            return result
        }
    }

    func progress(of object: String) async throws -> SyncProgress {
        try await perform { store, _ in store.progress(of: object) }
    }

    func pendingMark() async throws -> PendingMark {
        try await perform { store, audit in
            audit.regularSyncBegins(at: store.pendingMark())
            return store.pendingMark()
        }
    }

    func objectsToSync() async throws -> Set<String> {
        try await perform { store, _ in store.objectsToSync() }
    }

    func cleanRecords(of object: String, after id: RecordID?, limit: Int) async throws -> [RecordID] {
        try await perform { store, _ in store.cleanRecords(of: object, after: id, limit: limit) }
    }

    func user() async throws -> String? {
        try await perform { store, _ in store.user() }
    }

    func logIn(_ user: String, discardingEdits: Bool) async throws {
        userChangeSince = device.run.timeline.now
        defer { userChangeSince = nil }
        try await perform { store, audit in
            let former = store.user()
            try store.logIn(user, discardingEdits: discardingEdits)
            audit.loggedIn(user, former: former, isDiscarding: discardingEdits)
        }
    }

    func dirtyRecords(of object: String) async throws -> [LocalRecord] {
        try await perform { store, _ in store.dirtyRecords(of: object) }
    }

    func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) async throws {
        try await perform { [device] store, audit in
            let before = StoreState(store, object)
            store.uploaded(sent, outcome, of: object)
            device.run.trace("\(device.name)'s upload of \(sent.key) ends: \(outcome)")
            audit.uploaded(sent, outcome, of: object, before, StoreState(store, object))
        }
    }

    /// A change by the user; it is neither delayed nor failed.
    func change(_ body: @Sendable (isolated MemoryRecordStore, DeviceAudit) -> Void) async throws {
        try await perform(mayFail: false) { store, audit in body(store, audit) }
    }
}

extension MemoryRecordStore {
    /// Performs one step of the store and checks the invariants after it.
    func perform<Result: Sendable>(
        _ audit: DeviceAudit, _ call: @Sendable (isolated MemoryRecordStore, DeviceAudit) throws -> Result
    ) rethrows -> Result {
        defer { audit.stepped(list) }
        return try call(self, audit)
    }
}

/// The parts of a store that a merge may change.
struct StoreState {
    let records: [RecordKey: LocalRecord]
    let progress: SyncProgress
    let list: PendingList
    let owner: String?

    init(_ store: isolated MemoryRecordStore, _ object: String) {
        records = Dictionary(store.records(of: object).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        progress = store.progress(of: object)
        list = store.list
        owner = store.user()
    }
}
