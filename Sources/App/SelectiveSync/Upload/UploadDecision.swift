public import PushDispatch

/// What to do with one dirty record on the way up (docs/reference/selective-sync.md 7.2), in the same modes as on the way down.
///
/// This says which call is made, and what its answer means for the local record; `RecordSync.upload` makes them.
public enum UploadDecision: Hashable, Sendable {
    case create
    case update
    case delete
    /// Made and deleted here: no call at all, the record goes.
    case drop
    /// The server's copy has changed since: no call, the record stays dirty.
    case leave
    /// The server has these very values: no call, the record is clean.
    case settle(ServerDate)
    /// Nothing to send.
    case nothing

    /// The server's copy, as read before sending.
    public enum ServerCopy: Hashable, Sendable {
        /// It was not read; enough where `needsServerCopy` says no.
        case unread
        /// Its modification date.
        case modified(ServerDate)
        /// Modified since, and with the same values as here: an upload whose answer was lost, or the same edit by
        /// somebody else.
        case same(ServerDate)
        case deleted
    }

    /// Whether the server's modification date has to be read first.
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

    /// What the answer to the call means.
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

/// What the server said to an upload.
public enum UploadReply: Hashable, Sendable {
    /// - Parameters:
    ///   - id: The new record's id; nil for a change.
    ///   - date: The modification date, where the server tells it.
    case done(id: RecordID?, ServerDate?)
    /// 404: the record is not there any more.
    case notFound
    /// 412: changed since, so that the condition of the call was not met.
    case changed
    /// No answer: the whole pass fails.
    case network
    /// An answer that concerns all records alike, such as a session that ended or a server that is down: the whole pass
    /// fails.
    case unavailable(FetchError)
    /// Any other error, as its code or a short sentence.
    case refused(String)
}

/// What an upload means for the local record.
public enum UploadOutcome: Hashable, Sendable {
    case clean(id: RecordID?, ServerDate?)
    case remove
    case leave
    /// To be sent again as a new record.
    case createAnew
    case error(String)
    case failPass

    /// Where the store keeps the record from then on, if that is another place than before.
    package var newKey: RecordKey? {
        if case .clean(let id?, _) = self { .server(id) } else { nil }
    }

    /// - Parameter other: What the store has under the new key: a sync may have brought the record that was made here
    ///   before the answer of its making was stored.
    /// - Returns: The local record afterwards; nil where it is removed.
    package func applied(to current: LocalRecord, sent: LocalRecord, other: LocalRecord? = nil) -> LocalRecord? {
        if self == .remove { return current == sent ? nil : current }
        // The edits were given up meanwhile, or the record is another user's by now.
        guard current.isDirty else { return current }
        var after = current
        switch self {
        case .remove, .leave, .failPass: break
        case .createAnew:
            after.changes.remove(.updated)
            after.changes.insert(.created)
        case .error(let message): after.lastError = String(message.prefix(200))
        case .clean(let id, let date):
            if let id {
                after.key = .server(id)
                after.fields["Id"] = .string(id.description)
            }
            after.uploaded = date
            after.lastError = nil
            // An edit made while the upload was under way is still to be sent.
            after.changes = current == sent ? [] : current.changes.subtracting(.created).union(.updated)
            if let other, other.isDirty { after = after.joined(with: other, base: sent) }
        }
        return after
    }

    /// The record whose copy at the server is to be fetched: a regular sync left it alone because of the edits that are
    /// sent now, and has come past it.
    package func toBeFetched(_ after: LocalRecord?, _ progress: SyncProgress) -> RecordID? {
        guard case .clean(_, let date) = self, let after, !after.isDirty, progress.mayBePast(date) else { return nil }
        return after.key.id
    }
}

extension LocalRecord {
    /// The same record with the user's edits of both copies of it. What was edited in both is as in `other`, which is the
    /// server's.
    ///
    /// - Parameter base: What both are made from.
    fileprivate func joined(with other: LocalRecord, base: LocalRecord) -> LocalRecord {
        var joined = other
        joined.changes.formUnion(changes)
        joined.uploaded = uploaded
        for name in Set(fields.keys).union(base.fields.keys) where name != "Id" && fields[name] != base.fields[name] {
            if other.fields[name] == base.fields[name] { joined.fields[name] = fields[name] }
        }
        return joined
    }

    /// The modification date of the server's copy that the edits were made on.
    var base: ServerDate? {
        let stamps = Stamps(fields)
        guard let date = stamps.user ?? stamps.system else { return uploaded }
        return max(date, uploaded ?? date)
    }
}
