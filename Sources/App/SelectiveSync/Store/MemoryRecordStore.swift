public import PushDispatch

/// A store in memory, for tests and as a model of what a store has to do.
///
/// A query reads every record of its object, so this store cannot replace `SQLiteStore` for many records.
public actor MemoryRecordStore: QueryableStore {
    private(set) var objects: [String: [RecordKey: LocalRecord]] = [:]
    private var progress: [String: SyncProgress] = [:]
    public private(set) var list: PendingList { didSet { observers.publish(.hints) } }
    private var owner: String?
    private var removals: Int64 = 0
    private var lastRow: Int64 = 0
    /// The fields that a full-text search reads, for each object.
    nonisolated let search: [String: [RecordField]]
    nonisolated let observers = StoreObservers()

    /// - Parameter search: The fields that a full-text search reads, for each object.
    public init(_ list: PendingList = PendingList(), search: [String: [String]] = [:]) {
        self.list = list
        self.search = search.mapValues { $0.map { RecordField($0) } }
    }

    public func merge(_ batch: MergeBatch) throws -> MergeResult {
        guard batch.user == nil || batch.user == owner else { throw SyncStoreError.otherUser }
        if let generation = batch.generation { try check(generation) }
        var result = MergeResult()
        var records = objects[batch.object] ?? [:]
        var changed: Set<RecordKey> = []
        var keep = batch.keep
        for answer in batch.answers {
            let key = RecordKey.server(answer.id)
            let merge = MergeDecision.decide(records[key], answer, batch.rules)
            if merge.writes {
                changed.insert(key)
                records[key] = merge.applied(to: records[key], syncID: batch.syncID).map {
                    numbered($0, as: records[key])
                }
            }
            result.count(merge, of: answer.id)
            if batch.isReadWithoutFilter, merge.leavesClean { keep.append(answer.id) }
        }
        objects[batch.object] = records
        publish(changed, of: batch.object)
        list.forget(batch.forget, of: batch.object)
        if !keep.isEmpty { list.keepBehindMark(keep, of: batch.object) }
        if let progress = batch.progress {
            self.progress[batch.object] = progress
            if progress.state == .done, let served = progress.served {
                list.regularSyncFinished(of: batch.object, began: served)
            }
        }
        return result
    }

    public func progress(of object: String) -> SyncProgress { progress[object] ?? SyncProgress() }

    public func pendingMark() -> PendingMark { list.mark }

    public func objectsToSync() -> Set<String> { list.objectsToSync }

    public func cleanRecords(of object: String, after id: RecordID?, limit: Int) -> [RecordID] {
        let ids = (objects[object] ?? [:]).values.filter { !$0.isDirty && !$0.isGone }.compactMap(\.key.id)
        return Array(ids.filter { id == nil || $0 > id! }.sorted().prefix(limit))
    }

    public func versions(of records: [RecordID], in object: String) -> [RecordID: StoredVersion] {
        let stored = objects[object] ?? [:]
        var versions: [RecordID: StoredVersion] = [:]
        for id in records { versions[id] = stored[.server(id)].map { StoredVersion($0) } }
        return versions
    }

    public func user() -> String? { owner }

    public func logIn(_ user: String, discardingEdits: Bool) throws {
        guard let owner, owner != user else {
            owner = user
            return
        }
        try removeAll(discardingEdits: discardingEdits)
        self.owner = user
    }

    public func erase(discardingEdits: Bool) throws {
        try removeAll(discardingEdits: discardingEdits)
        owner = nil
    }

    private func removeAll(discardingEdits: Bool) throws {
        let unsent = objects.values.reduce(0) { $0 + $1.values.count(where: \.isDirty) }
        guard unsent == 0 || discardingEdits else { throw SyncStoreError.unsentEdits(unsent) }
        removals += 1
        objects = [:]
        progress = [:]
        list.removeAll()
        observers.publish(.many(object: nil))
    }

    @discardableResult
    public func keep(_ hint: Hint) -> PendingMark? { list.keep(hint) }

    public func pending(of object: String, after mark: PendingMark?) -> [PendingRecord] {
        list.pending(of: object, after: mark)
    }

    public func forget(_ records: [PendingRecord], of object: String) { list.forget(records, of: object) }

    public func forgetAll() { list.forgetAll() }
}

// For the app.
extension MemoryRecordStore {
    public func record(_ key: RecordKey, of object: String) -> LocalRecord? {
        objects[object]?[key] ?? (key.id == nil ? objects[object]?.values.first { $0.localKey == key } : nil)
    }

    public func record(_ id: RecordID, of object: String) -> LocalRecord? { record(.server(id), of: object) }

    /// In the order of their keys.
    public func records(of object: String) -> [LocalRecord] {
        (objects[object] ?? [:]).sorted { $0.key.description < $1.key.description }.map(\.value)
    }

    /// Records with edits that the server lacks, in the order of their keys.
    public func dirtyRecords(of object: String) -> [LocalRecord] { records(of: object).filter(\.isDirty) }

    var allDirtyRecords: [LocalRecord] { objects.values.flatMap { $0.values.filter(\.isDirty) } }

    /// Stores a record as it is, for tests.
    package func put(_ record: LocalRecord, of object: String) {
        let former = objects[object]?[record.key]
        objects[object, default: [:]][record.key] = numbered(record, as: former)
        publish([record.key], of: object)
    }

    /// Tells the observations of records that have changed.
    private func publish(_ keys: Set<RecordKey>, of object: String) {
        guard !keys.isEmpty, observers.observes(object) else { return }
        // A record that has got another key goes before it comes.
        let versions = keys.map { RecordVersion($0, objects[object]?[$0]) }
        observers.publish(
            .records(
                versions.filter { $0.record == nil } + versions.filter { $0.record != nil }, object: object))
    }

    /// The record with the row number of its former version, or with a new one.
    private func numbered(_ record: LocalRecord, as former: LocalRecord?) -> LocalRecord {
        var record = record
        if former == nil { lastRow += 1 }
        record.rowNumber = former?.rowNumber ?? lastRow
        return record
    }
}

// Edits.
extension MemoryRecordStore {
    public func generation() -> StoreGeneration { StoreGeneration(number: removals) }

    private func check(_ generation: StoreGeneration) throws {
        guard generation == self.generation() else { throw SyncStoreError.otherUser }
    }

    public func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, in generation: StoreGeneration,
        _ body: @Sendable (inout RecordChange) throws -> Value
    ) throws -> [Value] {
        try check(generation)
        let (before, row, pending) = (objects, lastRow, list)
        var changed: Set<RecordKey> = []
        do {
            let values = try keys.map { key in
                let former = record(key, of: object)
                var change = RecordChange(former)
                change.followReferences(find)
                let value = try body(&change)
                change.followReferences(find)
                try write(change, former, of: object)
                if change.record != former { changed.formUnion([former?.key, change.record?.key].compactMap(\.self)) }
                return value
            }
            publish(changed, of: object)
            return values
        } catch {
            (objects, lastRow, list) = (before, row, pending)
            throw error
        }
    }

    private func write(_ change: RecordChange, _ former: LocalRecord?, of object: String) throws {
        if let key = change.record?.localKey, former == nil, find(key) != nil { throw SyncStoreError.keyTaken }
        if let former { objects[object]?[former.key] = nil }
        if let record = change.record { objects[object, default: [:]][record.key] = numbered(record, as: former) }
        if change.isFetchedAgain, let id = change.record?.key.id { list.keepBehindMark([id], of: object) }
    }

    /// The key of the record with a local key, of any object.
    private func find(_ key: RecordKey) -> RecordKey? {
        for records in objects.values {
            if let record = records.values.first(where: { $0.localKey == key }) { return record.key }
        }
        return nil
    }

    /// Stores the outcome of an upload.
    ///
    /// - Parameter sent: The record as it was sent. Edits made since then stay dirty.
    public func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, in generation: StoreGeneration
    ) throws {
        try check(generation)
        guard let current = objects[object]?[sent.key] else { return }
        objects[object]?[sent.key] = nil
        let other = outcome.newKey.flatMap { objects[object]?[$0] }
        let after = outcome.applied(to: current, sent: sent, other: other)
        if let after { objects[object]?[after.key] = numbered(after, as: current) }
        publish([sent.key, after?.key ?? sent.key], of: object)
        if let id = after?.key.id, after?.key != current.key { follow(current.key, to: id) }
        if let id = outcome.toBeFetched(after, progress[object] ?? SyncProgress()) {
            list.keepBehindMark([id], of: object)
        }
    }

    private func follow(_ key: RecordKey, to id: RecordID) {
        for (object, records) in objects {
            var changed: Set<RecordKey> = []
            for record in records.values where record.isDirty {
                objects[object]?[record.key]?.follow(key, to: id)
                if objects[object]?[record.key] != record { changed.insert(record.key) }
            }
            publish(changed, of: object)
        }
    }
}
