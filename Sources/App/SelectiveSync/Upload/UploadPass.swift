package import PushDispatch

/// The decisions of an upload: which edit goes into which call. No I/O.
package struct UploadPass: Sendable {
    let object: SyncObject
    let mode: MergeRules.Mode

    /// The record that is created without its references to the others of its circle; nil for none.
    var first: ReferenceCircle?

    package init(_ object: SyncObject, mode: MergeRules.Mode) {
        self.object = object
        self.mode = mode
    }

    /// An edit and the decision about it.
    package struct Step: Hashable, Sendable {
        /// The record as it is sent.
        package let local: LocalRecord
        package let upload: UploadDecision
        /// Nil where no call is needed.
        package let write: RecordWrite?
    }

    /// Whether it is not known if the server has this new record.
    package func isUnknown(_ record: LocalRecord) -> Bool {
        UploadDecision.decide(record, of: object, mode: mode) == .lookUp
    }

    /// The request for the server's versions that have to be merged before anything is sent; nil if none has. It has no
    /// filter: a record that has left the scope still exists.
    package func copies(of records: [LocalRecord], timeoutMilliseconds: Int64) -> FetchRequest? {
        let ids = records.filter { UploadDecision.needsServerCopy($0, mode: mode) }.compactMap(\.key.id)
        guard !ids.isEmpty else { return nil }
        var request = request(ids, timeoutMilliseconds)
        request.filter = nil
        return request
    }

    /// The request for the versions that the server has after an upload. A record that has left the scope by it has none, and
    /// is asked for once more later.
    package func request(_ ids: [RecordID], _ timeoutMilliseconds: Int64) -> FetchRequest {
        FetchRequest(
            object: object.name, records: ids, fields: object.fields, filter: object.filter,
            timeoutMilliseconds: timeoutMilliseconds)
    }

    /// The records in the order in which they are sent, together with those whose versions are read at once.
    ///
    /// A deletion has no condition that the server honours, so its version is read immediately before the call.
    package func portions(of records: [LocalRecord], maximumWrites: Int) -> [[LocalRecord]] {
        let deletions = records.filter { $0.changes.contains(.deleted) && !$0.changes.contains(.created) }
        let others = records.filter { !$0.changes.contains(.deleted) || $0.changes.contains(.created) }
        return UploadPass.chunks(others, FetchRequest.maximumRecords) + UploadPass.chunks(deletions, maximumWrites)
    }

    /// The calls to make one after the other, each with the keys of its records. A creation that an unknown answer could
    /// repeat has its own call, so that a lost answer doubles at most one record.
    package func calls(for records: [LocalRecord], maximumWrites: Int) -> [[RecordKey]] {
        let alone = records.filter { $0.changes.contains(.created) && object.externalID(of: $0) == nil }
        let together = records.filter { !$0.changes.contains(.created) || object.externalID(of: $0) != nil }
        return UploadPass.chunks(together.map(\.key), maximumWrites) + alone.map { [$0.key] }
    }

    private static func chunks<Element>(_ all: [Element], _ size: Int) -> [[Element]] {
        stride(from: 0, to: all.count, by: size).map { Array(all[$0..<min(all.count, $0 + size)]) }
    }

    /// Decides about a record inside the store's transaction, and notes what is sent.
    package func begin(_ change: inout RecordChange) -> Step? {
        guard var record = change.record else { return nil }
        let upload = UploadDecision.decide(
            record, of: object, mode: mode, missing: change.missingReferences,
            circle: first.flatMap { $0.first == record.key ? $0.members : nil } ?? [])
        var write: RecordWrite?
        switch upload {
        case .create(let fields):
            record.sent = fields
            write =
                object.externalID(of: record).map { .upsert(field: $0.field, value: $0.value, fields) }
                ?? .create(fields)
        case .update(let fields):
            record.sent = fields
            // The date of the version that was merged last.
            let stamps = record.stamps
            let date = mode == .leaveIfChanged ? stamps.user ?? stamps.system : nil
            write = record.key.id.map { .update($0, fields, unmodifiedSince: date) }
        case .delete: write = record.key.id.map { .delete($0) }
        case .clean:
            record.clean()
            // Its edits may have kept it here while it was out of scope.
            change.isFetchedAgain = object.filter != nil
        case .refuse(let reason): record.lastError = reason
        case .drop, .lookUp, .conflict, .wait, .nothing: break
        }
        change.record = upload == .drop ? nil : record
        return Step(local: record, upload: upload, write: write)
    }
}
