import PushDispatch
import SelectiveSync

/// A step of a device's store: no other task of the app runs between its calls, and no time passes.
protocol DiskStep {
    func merge(_ batch: MergeBatch) throws -> MergeResult
    func progress(of object: String) throws -> SyncProgress
    func pendingMark() throws -> PendingMark
    func objectsToSync() throws -> Set<String>
    func cleanRecords(of object: String, after id: RecordID?, limit: Int) throws -> [RecordID]
    func user() throws -> String?
    func logIn(_ user: String, discardingEdits: Bool) throws
    func erase(discardingEdits: Bool) throws
    func versions(of records: [RecordID], in object: String) throws -> [RecordID: StoredVersion]
    func keep(_ hint: Hint) throws -> PendingMark?
    func pending(of object: String, after mark: PendingMark?) throws -> [PendingRecord]
    func forget(_ records: [PendingRecord], of object: String) throws
    func forgetAll() throws
    func record(_ key: RecordKey, of object: String) throws -> LocalRecord?
    func records(of object: String) throws -> [LocalRecord]
    func dirtyRecords(of object: String) throws -> [LocalRecord]
    func generation() throws -> StoreGeneration
    func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, in generation: StoreGeneration,
        _ body: @Sendable @escaping (inout RecordChange) throws -> Value
    ) throws -> [Value]
    func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, in generation: StoreGeneration
    ) throws
    func list() throws -> PendingList
}

/// The parts of a store that a merge may change.
struct StoreState {
    let records: [RecordKey: LocalRecord]
    let progress: SyncProgress
    let list: PendingList
    let owner: String?

    init(_ step: any DiskStep, _ object: String) throws {
        records = Dictionary(
            try step.records(of: object).map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        progress = try step.progress(of: object)
        list = try step.list()
        owner = try step.user()
    }

    /// Also under its former local key.
    func record(_ key: RecordKey) -> LocalRecord? {
        records[key] ?? (key.id == nil ? records.values.first { $0.localKey == key } : nil)
    }
}

/// What a device stores. It outlives the app's process.
enum DeviceDisk: Sendable {
    case memory(MemoryRecordStore)
    case file(FileDisk)

    func perform<Result: Sendable>(_ step: @Sendable (any DiskStep) throws -> Result) async rethrows -> Result {
        switch self {
        case .memory(let store): try await store.perform(step)
        case .file(let disk): try step(disk)
        }
    }

    /// All records of an object; none if the file cannot be read.
    func records(of object: String) async -> [LocalRecord] {
        await perform { (try? $0.records(of: object)) ?? [] }
    }

    /// The app's process was killed.
    func killed() {
        if case .file(let disk) = self { disk.killed() }
    }
}

extension MemoryRecordStore {
    fileprivate func perform<Result: Sendable>(
        _ step: @Sendable (any DiskStep) throws -> Result
    ) rethrows -> Result {
        try step(MemoryStep(store: self))
    }
}

/// Its calls are made on the store's actor.
private struct MemoryStep: DiskStep {
    let store: MemoryRecordStore

    func merge(_ batch: MergeBatch) throws -> MergeResult { try store.assumeIsolated { try $0.merge(batch) } }

    func progress(of object: String) -> SyncProgress { store.assumeIsolated { $0.progress(of: object) } }

    func pendingMark() -> PendingMark { store.assumeIsolated { $0.pendingMark() } }

    func objectsToSync() -> Set<String> { store.assumeIsolated { $0.objectsToSync() } }

    func cleanRecords(of object: String, after id: RecordID?, limit: Int) -> [RecordID] {
        store.assumeIsolated { $0.cleanRecords(of: object, after: id, limit: limit) }
    }

    func user() -> String? { store.assumeIsolated { $0.user() } }

    func logIn(_ user: String, discardingEdits: Bool) throws {
        try store.assumeIsolated { try $0.logIn(user, discardingEdits: discardingEdits) }
    }

    func erase(discardingEdits: Bool) throws {
        try store.assumeIsolated { try $0.erase(discardingEdits: discardingEdits) }
    }

    func versions(of records: [RecordID], in object: String) -> [RecordID: StoredVersion] {
        store.assumeIsolated { $0.versions(of: records, in: object) }
    }

    func keep(_ hint: Hint) -> PendingMark? { store.assumeIsolated { $0.keep(hint) } }

    func pending(of object: String, after mark: PendingMark?) -> [PendingRecord] {
        store.assumeIsolated { $0.pending(of: object, after: mark) }
    }

    func forget(_ records: [PendingRecord], of object: String) {
        store.assumeIsolated { $0.forget(records, of: object) }
    }

    func forgetAll() { store.assumeIsolated { $0.forgetAll() } }

    func record(_ key: RecordKey, of object: String) -> LocalRecord? {
        store.assumeIsolated { $0.record(key, of: object) }
    }

    func records(of object: String) -> [LocalRecord] { store.assumeIsolated { $0.records(of: object) } }

    func dirtyRecords(of object: String) -> [LocalRecord] { store.assumeIsolated { $0.dirtyRecords(of: object) } }

    func generation() -> StoreGeneration { store.assumeIsolated { $0.generation() } }

    func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, in generation: StoreGeneration,
        _ body: @Sendable @escaping (inout RecordChange) throws -> Value
    ) throws -> [Value] {
        try store.assumeIsolated { try $0.change(keys, of: object, in: generation, body) }
    }

    func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, in generation: StoreGeneration
    ) throws {
        try store.assumeIsolated { try $0.uploaded(sent, outcome, of: object, in: generation) }
    }

    func list() -> PendingList { store.assumeIsolated { $0.list } }
}
