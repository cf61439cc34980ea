import PushDispatch
import SelectiveSync

/// The access of an app's process to its device's store, which outlives it. Each call is delayed before and after and may fail
/// before it has an effect, and the process may end during either delay.
///
/// @unchecked: only the thread of the simulation uses it.
final class FaultyStore: UploadStore, @unchecked Sendable {
    struct DiskFull: Error {}

    private let device: AuditedDevice
    private let clock: ProcessClock
    /// When the app called its sync to change the user; nil if no such call is under way, or if the store has made the change.
    var userChangeSince: Int64?

    init(_ device: AuditedDevice, _ clock: ProcessClock) {
        self.device = device
        self.clock = clock
    }

    private func perform<Result: Sendable>(
        _ call: @Sendable (any DiskStep, DeviceAudit) throws -> Result
    ) async throws -> Result {
        try clock.check()
        let (before, after, fails) = device.run.storeCall(of: device)
        await clock.pass(before)
        try clock.check()
        if fails {
            device.run.count(.storeFailed)
            device.run.trace("\(device.name)'s store fails")
            throw DiskFull()
        }
        let result = try await device.disk.perform { [device] step in
            defer { if let list = try? step.list() { device.audit.stepped(list) } }
            return try call(step, device.audit)
        }
        await clock.pass(after)
        try clock.check()
        return result
    }

    @discardableResult
    func keep(_ hint: Hint) async throws -> PendingMark? {
        try await perform { [device] store, audit in
            let mark = try store.keep(hint)
            if mark == nil { audit.listWasFull(hint.records) }
            device.run.trace(
                "\(device.name) keeps \(device.run.short(hint.records))\(mark == nil ? ", but the list is full" : "")")
            return mark
        }
    }

    func pending(of object: String, after mark: PendingMark?) async throws -> [PendingRecord] {
        try await read { [device] store, audit in
            let pending = try store.pending(of: object, after: mark)
            if !pending.isEmpty {
                audit.read(pending.map(\.record))
                device.run.trace("\(device.name) reads the hints \(device.run.short(pending.map(\.record)))")
            }
            return pending
        }
    }

    /// A wake that needs what cannot be read may fail, whatever waits.
    private func read<Result: Sendable>(
        _ call: @Sendable (any DiskStep, DeviceAudit) throws -> Result
    ) async throws -> Result {
        do {
            return try await perform(call)
        } catch let error as DiskFull {
            Wake.current?.couldNotRead = true
            throw error
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
            try store.forget(records, of: object)
        }
    }

    func forgetAll() async throws {
        defer { userChangeSince = nil }
        try await perform { store, audit in
            audit.pendingDropped()
            try store.forgetAll()
        }
    }

    func merge(_ batch: MergeBatch) async throws -> MergeResult {
        try await perform { store, audit in
            let before = try StoreState(store, batch.object)
            let result = try store.merge(batch)
            audit.merged(batch, result, before, try StoreState(store, batch.object))
            return result
        }
    }

    func progress(of object: String) async throws -> SyncProgress {
        try await read { store, _ in try store.progress(of: object) }
    }

    func pendingMark() async throws -> PendingMark {
        try await perform { store, audit in
            let mark = try store.pendingMark()
            audit.regularSyncBegins(at: mark)
            return mark
        }
    }

    func objectsToSync() async throws -> Set<String> {
        try await perform { store, _ in try store.objectsToSync() }
    }

    func cleanRecords(of object: String, after id: RecordID?, limit: Int) async throws -> [RecordID] {
        try await perform { store, _ in try store.cleanRecords(of: object, after: id, limit: limit) }
    }

    func user() async throws -> String? {
        try await perform { store, _ in try store.user() }
    }

    func logIn(_ user: String, discardingEdits: Bool) async throws {
        defer { userChangeSince = nil }
        try await perform { store, audit in
            let former = try store.user()
            try store.logIn(user, discardingEdits: discardingEdits)
            audit.loggedIn(user, former: former, isDiscarding: discardingEdits)
        }
    }

    func erase(discardingEdits: Bool) async throws {
        try await perform { store, _ in try store.erase(discardingEdits: discardingEdits) }
    }

    func versions(of records: [RecordID], in object: String) async throws -> [RecordID: StoredVersion] {
        try await perform { store, _ in try store.versions(of: records, in: object) }
    }

    func dirtyRecords(of object: String) async throws -> [LocalRecord] {
        try await perform { store, _ in try store.dirtyRecords(of: object) }
    }

    func record(_ key: RecordKey, of object: String) async throws -> LocalRecord? {
        try await perform { store, _ in try store.record(key, of: object) }
    }

    func generation() async throws -> StoreGeneration { try await perform { store, _ in try store.generation() } }

    func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, in generation: StoreGeneration,
        _ body: @Sendable @escaping (inout RecordChange) throws -> Value
    ) async throws -> [Value] {
        try await perform { store, audit in
            let before = try StoreState(store, object)
            let values = try store.change(keys, of: object, in: generation, body)
            audit.changed(object, keys, before, try StoreState(store, object))
            return values
        }
    }

    func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, in generation: StoreGeneration
    ) async throws {
        try await perform { [device] store, audit in
            let before = try StoreState(store, object)
            try store.uploaded(sent, outcome, of: object, in: generation)
            device.run.trace("\(device.name)'s upload of \(sent.key) ends: \(outcome.traced)")
            audit.uploaded(sent, outcome, of: object, before, try StoreState(store, object))
        }
    }
}
