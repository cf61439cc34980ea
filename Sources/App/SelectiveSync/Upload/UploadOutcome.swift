public import PushDispatch

/// What an upload means for the local record.
public enum UploadOutcome: Hashable, Sendable {
    /// The server has taken the edits.
    ///
    /// - Parameters:
    ///   - id: The id of a new record.
    ///   - version: The record as it was read after that; nil if it was not read.
    case clean(id: RecordID?, ServerDate?, version: ServerRecord? = nil)
    case remove
    /// The server did not take the edits, and the record stays dirty.
    case leave
    /// The record has to be sent again as a new one.
    case createAnew
    /// The server refused the edits, with the reason for the user. The record stays dirty.
    case error(String)
    /// It is not known whether the server took the edits of this record, with the reason for the user. The record stays dirty,
    /// and what was sent is kept.
    case unknown(String)
    /// It is not known whether the server took the edits.
    case failPass

    /// The key of the record after the upload, if it changes.
    package var newKey: RecordKey? {
        if case .clean(let id?, _, _) = self { .server(id) } else { nil }
    }

    /// - Parameters:
    ///   - sent: The record as it was sent.
    ///   - other: The record that the store already has under the new key. A sync can fetch a new record before the answer to
    ///     its creation is stored.
    /// - Returns: The local record after the upload; nil if it is removed.
    package func applied(to current: LocalRecord, sent: LocalRecord, other: LocalRecord? = nil) -> LocalRecord? {
        var after = current
        switch self {
        case .failPass: break
        // Otherwise the deletion was discarded during the upload.
        case .remove: return current.changes.contains(.deleted) ? nil : current
        case .leave: after.sent = nil
        case .createAnew: if current.isDirty { after.createAnew() }
        case .error(let message):
            guard current.isDirty else { return current }
            after.sent = nil
            after.lastError = UploadOutcome.shown(message)
        case .unknown(let message):
            guard current.isDirty else { return current }
            after.lastError = UploadOutcome.shown(message)
        case .clean(let id, let date, let version):
            // Without the fields about which the user or a policy has decided since.
            let taken = current.sent.map { kept in sent.sent?.filter { kept[$0.key] != nil } } ?? sent.sent
            // A clean record: its edits were discarded during the upload.
            if current.isDirty {
                // A field whose base has changed since the upload was sent has a newer version of the server, and keeps it.
                // Without the comparison that version would count as the user's edit.
                let newest = taken?.filter { name, _ in
                    EditableFields.same(current.base?[name] ?? .null, sent.base?[name] ?? .null)
                }
                after.taken(newest ?? [:], id: id)
                after.uploaded = date ?? version.flatMap { Stamps($0.fields).newest }
            }
            if let other { after.join(other) }
            if let version { after.update(to: version.fields) }
            // Nothing shows that a fetched version is from before the upload.
            if after.isDirty, version == nil, date == nil { after.sent = taken }
        }
        return after
    }

    static let maximumReason = 200

    private static func shown(_ message: String) -> String {
        message.count > maximumReason ? message.prefix(maximumReason - 1) + "…" : message
    }

    /// The record to fetch after the upload, because no later regular sync is certain to fetch the server's version.
    package func toBeFetched(_ after: LocalRecord?, _ progress: SyncProgress) -> RecordID? {
        guard case .clean(_, let date, nil) = self, let after, !after.isDirty, progress.mayBePast(date) else {
            return nil
        }
        return after.key.id
    }
}
