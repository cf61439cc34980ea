import PushDispatch

/// What to do with one answer of the server, given what is here: the rules of docs/reference/selective-sync.md 7.2 and 9.
///
/// Whatever the mode, nothing goes back in time, and a record with unsent edits is never removed.
package enum MergeDecision: Hashable, Sendable {
    case insert(ServerRecord)
    /// The server's is newer, or differs where no stamp tells.
    case replace(ServerRecord)
    /// The same stamp, or the echo of an upload: replaced, and nothing is new.
    case refresh(ServerRecord)
    case leaveNewer
    case leaveDirty
    case remove
    /// The local copy is marked as gone.
    case mark
    /// Gone at the server and edited here: kept, for the app to decide.
    case leaveDirtyMissing
    /// Neither there nor here, or marked already.
    case nothing

    /// What a decision looks at in the local record, so that a store need not read the whole of it.
    package struct Local: Hashable, Sendable {
        package var changes: LocalRecord.Changes
        package var isGone: Bool
        package var uploaded: ServerDate?
        package var stamps: Stamps

        package init(changes: LocalRecord.Changes, isGone: Bool, uploaded: ServerDate?, stamps: Stamps) {
            self.changes = changes
            self.isGone = isGone
            self.uploaded = uploaded
            self.stamps = stamps
        }

        fileprivate init(_ record: LocalRecord) {
            self.init(
                changes: record.changes, isGone: record.isGone, uploaded: record.uploaded, stamps: record.stamps)
        }

        fileprivate var isDirty: Bool { !changes.isEmpty }
    }

    package static func decide(
        _ local: LocalRecord?, _ fetched: FetchedRecord, _ rules: MergeRules = MergeRules()
    ) -> MergeDecision {
        decide(local.map(Local.init), fetched, fetched.stamps, rules) { $0.fields == local?.fields }
    }

    /// - Parameters:
    ///   - stamps: Those of the fetched record.
    ///   - isSame: Whether the local fields are those of the fetched record; asked only where no stamp tells.
    package static func decide(
        _ local: Local?, _ fetched: FetchedRecord, _ stamps: Stamps, _ rules: MergeRules,
        isSame: (ServerRecord) throws -> Bool
    ) rethrows -> MergeDecision {
        switch (local, fetched) {
        case (nil, .missing), (nil, .deleted): return .nothing
        case (nil, .record(let record)): return .insert(record)
        case (let local?, .missing): return gone(local, rules)
        case (let local?, .deleted(_, let date)):
            // Undeleted since, or the id of a deletion long past.
            if let stamp = local.stamps.newest, stamp > date { return .leaveNewer }
            return gone(local, rules)
        case (let local?, .record(let record)):
            if local.isDirty, rules.mode == .leaveIfChanged { return .leaveDirty }
            let age = stamps.age(against: local.stamps)
            if age == .older || isBeforeUpload(stamps, local) { return .leaveNewer }
            // A dirty or marked copy is not what the server shows, whatever its stamp.
            if local.isDirty || local.isGone { return .replace(record) }
            if age == .same || local.uploaded != nil && stamps.newest == local.uploaded { return .refresh(record) }
            return try age == nil && isSame(record) ? .refresh(record) : .replace(record)
        }
    }

    private static func gone(_ local: Local, _ rules: MergeRules) -> MergeDecision {
        if local.isDirty { return .leaveDirtyMissing }
        switch rules.missing {
        case .remove: return .remove
        case .mark: return local.isGone ? .nothing : .mark
        }
    }

    /// Whether the copy was read before the upload that the local one has behind it.
    private static func isBeforeUpload(_ stamps: Stamps, _ local: Local) -> Bool {
        guard let uploaded = local.uploaded, let read = stamps.newest else { return false }
        return read < uploaded
    }
}

extension MergeDecision {
    /// The local record after it; nil where there is none.
    package func applied(to local: LocalRecord?, syncID: String?) -> LocalRecord? {
        switch self {
        case .insert(let record), .replace(let record), .refresh(let record):
            var fresh = LocalRecord(record)
            fresh.syncID = syncID ?? local?.syncID
            return fresh
        case .mark:
            var marked = local
            marked?.isGone = true
            return marked
        case .leaveNewer, .leaveDirty, .leaveDirtyMissing, .nothing: return local
        case .remove: return nil
        }
    }

    /// Whether the local store is another one after it.
    package var writes: Bool {
        switch self {
        case .insert, .replace, .refresh, .remove, .mark: true
        case .leaveNewer, .leaveDirty, .leaveDirtyMissing, .nothing: false
        }
    }

    /// Whether the app has something to show that it did not have.
    package var isNews: Bool {
        switch self {
        case .insert, .replace, .remove, .mark: true
        case .refresh, .leaveNewer, .leaveDirty, .leaveDirtyMissing, .nothing: false
        }
    }
}
