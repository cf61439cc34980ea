public import PushDispatch

/// A store in memory, for tests and as a model of what a store has to do.
public actor MemoryRecordStore: UploadStore {
    private var objects: [String: [RecordKey: LocalRecord]] = [:]
    private var progress: [String: SyncProgress] = [:]
    public private(set) var list: PendingList
    private var owner: String?
    private var lastRow: Int64 = 0

    public init(_ list: PendingList = PendingList()) { self.list = list }

    public func merge(_ batch: MergeBatch) throws -> MergeResult {
        guard batch.user == nil || batch.user == owner else { throw SyncStoreError.otherUser }
        var result = MergeResult()
        var records = objects[batch.object] ?? [:]
        for answer in batch.answers {
            let key = RecordKey.server(answer.id)
            let merge = MergeDecision.decide(records[key], answer, batch.rules)
            if merge.writes {
                records[key] = merge.applied(to: records[key], syncID: batch.syncID).map {
                    numbered($0, as: records[key])
                }
            }
            result.count(merge, of: answer.id)
        }
        objects[batch.object] = records
        list.forget(batch.forget, of: batch.object)
        if !batch.keep.isEmpty { list.keepBehindMark(batch.keep, of: batch.object) }
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

    public func user() -> String? { owner }

    public func logIn(_ user: String, discardingEdits: Bool) throws {
        guard let owner, owner != user else {
            owner = user
            return
        }
        let unsent = objects.values.reduce(0) { $0 + $1.values.count(where: \.isDirty) }
        guard unsent == 0 || discardingEdits else { throw SyncStoreError.unsentEdits(unsent) }
        objects = [:]
        progress = [:]
        list.removeAll()
        self.owner = user
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
    public func record(_ key: RecordKey, of object: String) -> LocalRecord? { objects[object]?[key] }

    public func record(_ id: RecordID, of object: String) -> LocalRecord? { record(.server(id), of: object) }

    /// In the order of their keys.
    public func records(of object: String) -> [LocalRecord] {
        (objects[object] ?? [:]).sorted { $0.key.description < $1.key.description }.map(\.value)
    }

    /// Records with edits that the server lacks, in the order of their keys.
    public func dirtyRecords(of object: String) -> [LocalRecord] { records(of: object).filter(\.isDirty) }

    /// Stores a record as it is, for example after an edit by the user.
    public func put(_ record: LocalRecord, of object: String) {
        let former = objects[object]?[record.key]
        objects[object, default: [:]][record.key] = numbered(record, as: former)
    }

    /// The record with the row number of its former version, or with a new one.
    private func numbered(_ record: LocalRecord, as former: LocalRecord?) -> LocalRecord {
        var record = record
        if former == nil { lastRow += 1 }
        record.rowNumber = former?.rowNumber ?? lastRow
        return record
    }

    /// Stores the outcome of an upload.
    ///
    /// - Parameter sent: The record as it was sent. Edits made since then stay dirty.
    public func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, of object: String) {
        guard let current = objects[object]?[sent.key] else { return }
        objects[object]?[sent.key] = nil
        let other = outcome.newKey.flatMap { objects[object]?[$0] }
        let after = outcome.applied(to: current, sent: sent, other: other)
        if let after { objects[object]?[after.key] = numbered(after, as: current) }
        if let id = outcome.toBeFetched(after, progress[object] ?? SyncProgress()) {
            list.keepBehindMark([id], of: object)
        }
    }
}
