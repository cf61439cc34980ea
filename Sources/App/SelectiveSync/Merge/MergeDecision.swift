import PushDispatch

/// What a merge does with one answer of the server (docs/reference/selective-sync.md 7.2 and 9).
///
/// In every mode an older version never replaces a newer one, and a record with unsent edits is never removed.
package enum MergeDecision: Hashable, Sendable {
    case insert(ServerRecord)
    /// The server's version is newer, or different where stamps do not decide.
    case replace(ServerRecord)
    /// The server has the same version, or the version that was uploaded: replaced, but not a change for the app.
    case refresh(ServerRecord)
    case leaveNewer
    case leaveDirty
    case remove
    /// The local record is marked as gone.
    case mark
    /// Gone at the server, but with unsent edits: kept, and the app has to decide.
    case leaveDirtyMissing
    /// Neither at the server nor in the store, or already marked.
    case nothing

    /// The part of a local record that a decision needs, so that a store does not have to read all of it.
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
    ///   - stamps: The stamps of the fetched record.
    ///   - isSame: Compares the local fields with the fetched ones; called only where stamps do not decide.
    package static func decide(
        _ local: Local?, _ fetched: FetchedRecord, _ stamps: Stamps, _ rules: MergeRules,
        isSame: (ServerRecord) throws -> Bool
    ) rethrows -> MergeDecision {
        switch (local, fetched) {
        case (nil, .missing), (nil, .deleted): return .nothing
        case (nil, .record(let record)): return .insert(record)
        case (let local?, .missing): return gone(local, rules)
        case (let local?, .deleted(_, let date)):
            // The record was undeleted, so the deletion is older than the local version.
            if let stamp = local.stamps.newest, stamp > date { return .leaveNewer }
            return gone(local, rules)
        case (let local?, .record(let record)):
            if local.isDirty, rules.mode == .leaveIfChanged { return .leaveDirty }
            let age = stamps.age(against: local.stamps)
            if age == .older || isBeforeUpload(stamps, local) { return .leaveNewer }
            // A dirty or marked record differs from the server's version even with the same stamp.
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

    /// Whether the fetched version is older than the last upload of the local record.
    private static func isBeforeUpload(_ stamps: Stamps, _ local: Local) -> Bool {
        guard let uploaded = local.uploaded, let read = stamps.newest else { return false }
        return read < uploaded
    }
}

extension MergeDecision {
    /// The local record after the merge; nil if there is none.
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

    /// Whether it changes the local store.
    package var writes: Bool {
        switch self {
        case .insert, .replace, .refresh, .remove, .mark: true
        case .leaveNewer, .leaveDirty, .leaveDirtyMissing, .nothing: false
        }
    }

    /// Whether it changes what the app shows.
    package var isNewData: Bool {
        switch self {
        case .insert, .replace, .remove, .mark: true
        case .refresh, .leaveNewer, .leaveDirty, .leaveDirtyMissing, .nothing: false
        }
    }
}
