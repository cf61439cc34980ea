package import PushDispatch

/// The decisions of an upload: which edit goes into which call. No I/O.
package struct UploadPass: Sendable {
    private let object: SyncObject
    private let mode: MergeRules.Mode

    package init(_ object: SyncObject, mode: MergeRules.Mode) {
        self.object = object
        self.mode = mode
    }

    /// An edit and the decision about it.
    package struct Step: Hashable, Sendable {
        package let local: LocalRecord
        package let upload: UploadDecision
        /// Nil where no call is needed.
        package let write: RecordWrite?
    }

    /// Fields that are never sent, because the server sets them.
    private static let serverManagedFields: Set<String> = [
        "Id", "CreatedById", "CreatedDate", "IsDeleted", "LastActivityDate", "LastModifiedById", "LastModifiedDate",
        "LastReferencedDate", "LastViewedDate", "SystemModstamp",
    ]

    /// The request for the server's versions that have to be read before anything is sent; nil if none has.
    package func copies(of records: [LocalRecord], timeoutMilliseconds: Int64) -> FetchRequest? {
        var ids: [RecordID] = []
        for record in records where UploadDecision.needsServerCopy(record, mode: mode) {
            if let id = record.key.id { ids.append(id) }
        }
        guard !ids.isEmpty else { return nil }
        return FetchRequest(
            object: object.name, records: ids, fields: object.fields, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// The decision about each record.
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

    /// The condition uses the date of the version that was just read. It refuses the call if the record changes in between.
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
            !UploadPass.serverManagedFields.contains(name) && !name.hasPrefix("__") && value.object == nil
        }
    }

    /// The calls to make one after the other, each with the steps whose writes it contains. A new record has its own call,
    /// so that a lost answer duplicates at most one record.
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

    /// The request for the stamps that the server has set for an upload.
    package func stamps(of ids: [RecordID], timeoutMilliseconds: Int64) -> FetchRequest {
        FetchRequest(
            object: object.name, records: ids,
            fields: object.fields.filter { ["LastModifiedDate", "SystemModstamp"].contains($0) },
            timeoutMilliseconds: timeoutMilliseconds)
    }
}
