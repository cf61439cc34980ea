package import PushDispatch

/// The decisions of an upload: which of an object's edits go out in which call. No I/O.
package struct UploadPass: Sendable {
    private let object: SyncObject
    private let mode: MergeRules.Mode

    package init(_ object: SyncObject, mode: MergeRules.Mode) {
        self.object = object
        self.mode = mode
    }

    /// An edit and what is to be done with it.
    package struct Step: Hashable, Sendable {
        package let local: LocalRecord
        package let upload: UploadDecision
        /// Nil where there is nothing to call.
        package let write: RecordWrite?
    }

    /// Which fields the app never sends: the server keeps them.
    private static let keptByServer: Set<String> = [
        "Id", "CreatedById", "CreatedDate", "IsDeleted", "LastActivityDate", "LastModifiedById", "LastModifiedDate",
        "LastReferencedDate", "LastViewedDate", "SystemModstamp",
    ]

    /// What has to be read of the server's copies before anything is sent; nil for nothing.
    package func copies(of records: [LocalRecord], timeoutMilliseconds: Int64) -> FetchRequest? {
        var ids: [RecordID] = []
        for record in records where UploadDecision.needsServerCopy(record, mode: mode) {
            if let id = record.key.id { ids.append(id) }
        }
        guard !ids.isEmpty else { return nil }
        return FetchRequest(
            object: object.name, records: ids, fields: object.fields, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// What is to be done with each record.
    ///
    /// - Parameter copies: The answers to `copies(of:)`.
    package func steps(for records: [LocalRecord], copies: [FetchedRecord]) -> [Step] {
        let copies = Dictionary(copies.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        return records.map { local in
            let fetched = local.key.id.flatMap { copies[$0] }
            let copy = fetched.map { serverCopy($0, local) } ?? .unread
            let upload = UploadDecision.decide(local, server: copy, mode: mode)
            return Step(local: local, upload: upload, write: write(upload, local, fetched))
        }
    }

    private func serverCopy(_ copy: FetchedRecord, _ local: LocalRecord) -> UploadDecision.ServerCopy {
        guard case .record(let record) = copy else { return .deleted }
        guard let date = record.lastModifiedDate ?? record.systemModstamp else { return .unread }
        guard let base = local.base, base < date, !local.changes.contains(.deleted) else { return .modified(date) }
        let sent = fields(of: local)
        let isSame =
            !sent.isEmpty
            && sent.allSatisfy { name, value in
                record.fields[name]?.canonicalBytes == value.canonicalBytes
            }
        return isSame ? .same(date) : .modified(date)
    }

    /// The condition goes by the copy that was just read: it is there for what happens between that look and the call.
    private func write(_ upload: UploadDecision, _ local: LocalRecord, _ copy: FetchedRecord?) -> RecordWrite? {
        var date: ServerDate?
        if mode == .leaveIfChanged, case .record(let record)? = copy { date = Stamps(record.fields).newest }
        switch upload {
        case .create: return .create(fields(of: local))
        case .update: return local.key.id.map { .update($0, fields(of: local), unmodifiedSince: date) }
        case .delete: return local.key.id.map { .delete($0, unmodifiedSince: date) }
        case .drop, .leave, .settle, .nothing: return nil
        }
    }

    private func fields(of local: LocalRecord) -> [String: JSONValue] {
        if let editable = object.editableFields {
            return local.fields.filter { editable.contains($0.key) }
        }
        return local.fields.filter { name, value in
            !UploadPass.keptByServer.contains(name) && !name.hasPrefix("__") && value.object == nil
        }
    }

    /// Calls made one after the other, each with the steps whose writes it carries. A new record goes alone, so that a
    /// lost answer can double one record at most.
    package static func calls(for steps: [Step], maximumWrites: Int) -> [[Step]] {
        var calls: [[Step]] = []
        var gathered: [Step] = []
        for step in steps {
            guard let write = step.write else { continue }
            if case .create = write {
                calls.append([step])
                continue
            }
            gathered.append(step)
            if gathered.count == maximumWrites {
                calls.append(gathered)
                gathered = []
            }
        }
        return gathered.isEmpty ? calls : calls + [gathered]
    }

    /// Which stamps an upload leaves at the server.
    package func stamps(of ids: [RecordID], timeoutMilliseconds: Int64) -> FetchRequest {
        FetchRequest(
            object: object.name, records: ids,
            fields: object.fields.filter { ["LastModifiedDate", "SystemModstamp"].contains($0) },
            timeoutMilliseconds: timeoutMilliseconds)
    }
}
