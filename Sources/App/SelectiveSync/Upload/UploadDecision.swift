/// What an upload does with one dirty record (docs/reference/selective-sync.md 7.2). The modes are those of a merge.
///
/// It decides which call is made and what the answer means for the local record. `RecordSync.upload` makes the calls.
public enum UploadDecision: Hashable, Sendable {
    case create
    case update
    case delete
    /// Created and deleted on this device: no call, the record is removed.
    case drop
    /// The server's version has changed since the edit: no call, the record stays dirty.
    case leave
    /// The server already has the same values: no call, the record is clean.
    case settle(ServerDate)
    /// Nothing to send.
    case nothing

    /// The server's version, read before the upload.
    public enum ServerCopy: Hashable, Sendable {
        /// Not read. Allowed where `needsServerCopy` is false.
        case unread
        /// It has this modification date.
        case modified(ServerDate)
        /// It was modified at this date and has the same values as the local record: the answer to an earlier upload was
        /// lost, or somebody else made the same edit.
        case same(ServerDate)
        case deleted
    }

    /// Whether the server's version has to be read first.
    public static func needsServerCopy(_ local: LocalRecord, mode: MergeRules.Mode) -> Bool {
        mode == .leaveIfChanged && local.isDirty && local.key.id != nil && !local.changes.contains(.created)
    }

    public static func decide(_ local: LocalRecord, server: ServerCopy, mode: MergeRules.Mode) -> UploadDecision {
        guard local.isDirty else { return .nothing }
        let isDeleted = local.changes.contains(.deleted)
        if local.changes.contains(.created) { return isDeleted ? .drop : .create }
        if mode == .leaveIfChanged {
            switch server {
            case .deleted where !isDeleted: return .leave
            case .modified(let date):
                if let mine = local.base, mine < date { return .leave }
            case .same(let date):
                if isDeleted { return .leave }
                return .settle(date)
            case .deleted, .unread: break
            }
        }
        return isDeleted ? .delete : .update
    }

    /// What the answer to the call means for the local record.
    public func outcome(of reply: UploadReply, mode: MergeRules.Mode) -> UploadOutcome {
        switch (self, reply) {
        case (.drop, _): .remove
        case (.settle(let date), _): .clean(id: nil, date)
        case (.leave, _), (.nothing, _), (_, .changed): .leave
        case (_, .network), (_, .unavailable): .failPass
        case (_, .refused(let message)): .error(message)
        case (.delete, .done), (.delete, .notFound): .remove
        case (.update, .notFound): mode == .overwrite ? .createAnew : .leave
        case (.create, .notFound): .error("NOT_FOUND")
        case (_, .done(let id, let date)): .clean(id: id, date)
        }
    }
}
