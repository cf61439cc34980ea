public import PushDispatch

/// What an upload means for the local record.
public enum UploadOutcome: Hashable, Sendable {
    case clean(id: RecordID?, ServerDate?)
    case remove
    case leave
    /// The record has to be sent again as a new one.
    case createAnew
    case error(String)
    case failPass

    /// The key of the record after the upload, if it changes.
    package var newKey: RecordKey? {
        if case .clean(let id?, _) = self { .server(id) } else { nil }
    }

    /// - Parameter other: The record that the store already has under the new key. A sync can fetch a new record before the
    ///   answer to its creation is stored.
    /// - Returns: The local record after the upload; nil if it is removed.
    package func applied(to current: LocalRecord, sent: LocalRecord, other: LocalRecord? = nil) -> LocalRecord? {
        if self == .remove { return current == sent ? nil : current }
        // The edits were discarded during the upload, or the record belongs to another user now.
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
            // An edit made during the upload still has to be sent.
            after.changes = current == sent ? [] : current.changes.subtracting(.created).union(.updated)
            if let other, other.isDirty { after = after.joined(with: other, base: sent) }
        }
        return after
    }

    /// The record to fetch after the upload. A regular sync did not store the server's version, because of the edits that are
    /// sent now, and has moved its mark past it.
    package func toBeFetched(_ after: LocalRecord?, _ progress: SyncProgress) -> RecordID? {
        guard case .clean(_, let date) = self, let after, !after.isDirty, progress.mayBePast(date) else { return nil }
        return after.key.id
    }
}

extension LocalRecord {
    /// Joins the user's edits of two local copies of the record. A field edited in both has the value of `other`, whose key
    /// is the server's.
    ///
    /// - Parameter base: The version that both copies are based on.
    fileprivate func joined(with other: LocalRecord, base: LocalRecord) -> LocalRecord {
        var joined = other
        joined.changes.formUnion(changes)
        joined.uploaded = uploaded
        for name in Set(fields.keys).union(base.fields.keys) where name != "Id" && fields[name] != base.fields[name] {
            if other.fields[name] == base.fields[name] { joined.fields[name] = fields[name] }
        }
        return joined
    }

    /// The modification date of the server's version that the edits are based on.
    var base: ServerDate? {
        let stamps = Stamps(fields)
        guard let date = stamps.user ?? stamps.system else { return uploaded }
        return max(date, uploaded ?? date)
    }
}
