import PushDispatch

/// What a merge does with one answer of the server (docs/reference/selective-sync.md 7.2 and 9).
///
/// In every mode an older version never replaces a newer one, and a record with unsent edits is only removed by a policy for
/// conflicts.
package enum MergeDecision: Hashable, Sendable {
    case insert(ServerRecord)
    /// The server's version is newer, or different where stamps do not decide.
    case replace(ServerRecord)
    /// The server has the same version, or the version that was uploaded: replaced, but not a change for the app.
    case refresh(ServerRecord)
    case leaveNewer
    /// The server has nothing that the record with edits lacks.
    case leaveDirty
    /// The server's version is merged into the edits: the record after it.
    case mergeEdits(LocalRecord, isNewData: Bool)
    /// Gone at the server, but with unsent edits: the record after it.
    case mergeDeletion(LocalRecord)
    case remove
    /// The local record is marked as gone.
    case mark
    /// Gone at the server, but with unsent edits, and stored as such.
    case leaveDirtyMissing
    /// Neither at the server nor in the store, or already marked.
    case nothing

    /// The part of a clean record that a decision needs, so that a store does not have to read all of it.
    package struct Local: Hashable, Sendable {
        package var isGone: Bool
        package var uploaded: ServerDate?
        package var stamps: Stamps

        package init(isGone: Bool, uploaded: ServerDate?, stamps: Stamps) {
            self.isGone = isGone
            self.uploaded = uploaded
            self.stamps = stamps
        }

        fileprivate init(_ record: LocalRecord) {
            self.init(isGone: record.isGone, uploaded: record.uploaded, stamps: record.stamps)
        }
    }

    package static func decide(
        _ local: LocalRecord?, _ fetched: FetchedRecord, _ rules: MergeRules = MergeRules()
    ) -> MergeDecision {
        if let local, local.isDirty { return edited(local, fetched, rules) }
        return decide(local.map(Local.init), fetched, fetched.stamps, rules) { $0.fields == local?.fields }
    }

    /// - Parameters:
    ///   - local: A clean record.
    ///   - stamps: The stamps of the fetched record.
    ///   - isSame: Compares the local fields with the fetched ones; called only where stamps do not decide.
    package static func decide(
        _ local: Local?, _ fetched: FetchedRecord, _ stamps: Stamps, _ rules: MergeRules,
        isSame: (ServerRecord) throws -> Bool
    ) rethrows -> MergeDecision {
        guard let local else {
            if case .record(let record) = fetched { return .insert(record) }
            return .nothing
        }
        guard !isOlder(fetched, stamps, than: local) else { return .leaveNewer }
        if case .outOfScope = fetched { return .remove }
        guard case .record(let record) = fetched else {
            switch rules.missing {
            case .remove: return .remove
            case .mark: return local.isGone ? .nothing : .mark
            }
        }
        // A marked record differs from the server's version even with the same stamp.
        if local.isGone { return .replace(record) }
        let age = stamps.age(against: local.stamps)
        if age == .same || local.uploaded != nil && stamps.newest == local.uploaded { return .refresh(record) }
        return try age == nil && isSame(record) ? .refresh(record) : .replace(record)
    }

    private static func edited(_ local: LocalRecord, _ fetched: FetchedRecord, _ rules: MergeRules) -> MergeDecision {
        guard !isOlder(fetched, fetched.stamps, than: Local(local)) else { return .leaveNewer }
        // The server may still have it, so this is not a conflict.
        if case .outOfScope = fetched { return .leaveDirty }
        var after = local
        guard case .record(let record) = fetched else {
            guard rules.mode == .leaveIfChanged else { return .leaveDirtyMissing }
            guard after.receiveDeletion(rules) else { return .remove }
            return after == local ? .leaveDirtyMissing : .mergeDeletion(after)
        }
        if rules.mode == .overwrite { return .replace(record) }
        // Perhaps from before the upload, whose stamp is not known.
        let isBeforeUpload = local.sent != nil && fetched.stamps.age(against: local.stamps) == .same
        if isBeforeUpload, !local.isGone {
            after.receiveNewFields(of: record.fields)
        } else {
            after.receive(record.fields, rules)
        }
        guard after != local else { return .leaveDirty }
        let isNewData = after.shown != local.shown
        return .mergeEdits(after, isNewData: isNewData)
    }

    /// Whether the local version is certainly newer. A record that was undeleted is newer than its deletion.
    private static func isOlder(_ fetched: FetchedRecord, _ stamps: Stamps, than local: Local) -> Bool {
        switch fetched {
        case .missing, .outOfScope: false
        case .deleted(_, let date): local.stamps.newest.map { $0 > date } ?? false
        case .record: stamps.age(against: local.stamps) == .older || isBeforeUpload(stamps, local)
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
            fresh.localKey = local?.localKey
            return fresh
        case .mergeEdits(var after, _), .mergeDeletion(var after):
            after.syncID = syncID ?? local?.syncID
            return after
        case .mark:
            var marked = local
            marked?.isGone = true
            return marked
        case .leaveNewer, .leaveDirty, .leaveDirtyMissing, .nothing: return local
        case .remove: return nil
        }
    }

    /// Whether the record has the server's version and no edits after it.
    package var leavesClean: Bool {
        switch self {
        case .insert, .replace, .refresh: true
        case .mergeEdits(let after, _), .mergeDeletion(let after): !after.isDirty
        case .leaveNewer, .leaveDirty, .leaveDirtyMissing, .mark, .remove, .nothing: false
        }
    }

    /// Whether it changes the local store.
    package var writes: Bool {
        switch self {
        case .insert, .replace, .refresh, .remove, .mark, .mergeEdits, .mergeDeletion: true
        case .leaveNewer, .leaveDirty, .leaveDirtyMissing, .nothing: false
        }
    }

    /// Whether it changes what the app shows.
    package var isNewData: Bool {
        switch self {
        case .insert, .replace, .remove, .mark: true
        case .mergeEdits(_, let isNewData): isNewData
        case .refresh, .leaveNewer, .leaveDirty, .leaveDirtyMissing, .mergeDeletion, .nothing: false
        }
    }
}

extension LocalRecord {
    /// The values that an app shows.
    fileprivate var shown: [String: JSONValue] { fields.filter { EditableFields().contains($0.key, nil) } }
}
