package import PushDispatch

/// What an upload does with one record. It comes after the server's version was merged into the edits.
package enum UploadDecision: Hashable, Sendable {
    case create([String: JSONValue])
    /// An earlier creation had no answer: the server may have the record under its external id.
    case lookUp
    case update([String: JSONValue])
    case delete
    /// Created and deleted on this device: no call, the record is removed.
    case drop
    /// Nothing to send: no call, the record is clean.
    case clean
    /// The edits contradict the server's version: no call.
    case conflict
    /// A field refers to a record that has no id yet: no call.
    case wait
    /// A field refers to a record that does not exist: no call.
    case refuse(String)
    case nothing

    /// - Parameters:
    ///   - missing: Local keys that no record has.
    ///   - circle: New records that refer to each other, in which this one is created first: without its references to them,
    ///     which are sent when those have ids.
    package static func decide(
        _ local: LocalRecord, of object: SyncObject, mode: MergeRules.Mode, missing: Set<RecordKey> = [],
        circle: Set<RecordKey> = []
    ) -> UploadDecision {
        guard local.isDirty else { return .nothing }
        let isDeleted = local.changes.contains(.deleted)
        let isNew = local.changes.contains(.created)
        if isNew, local.sent != nil, object.externalID(of: local) != nil { return .lookUp }
        if isNew, isDeleted { return .drop }
        if mode == .leaveIfChanged, local.conflict != nil { return .conflict }
        if isDeleted { return .delete }
        var fields = local.unsent(object.editable)
        if isNew, let field = object.externalIDField { fields[field] = nil }
        guard !fields.isEmpty || isNew else { return .clean }
        if isNew, !circle.isEmpty {
            fields = fields.filter { LocalRecord.references(in: [$0.key: $0.value]).isDisjoint(with: circle) }
        }
        let references = LocalRecord.references(in: fields)
        if let key = references.intersection(missing).min(by: { $0.description < $1.description }) {
            return .refuse("a field refers to \(key), which does not exist on this device")
        }
        guard references.isEmpty else { return .wait }
        return isNew ? .create(fields) : .update(fields)
    }

    /// Whether the server's version has to be read and merged first.
    package static func needsServerCopy(_ local: LocalRecord, mode: MergeRules.Mode) -> Bool {
        mode == .leaveIfChanged && local.isDirty && local.key.id != nil && !local.changes.contains(.created)
    }

    /// What the answer to the call means for the local record.
    package func outcome(of reply: UploadReply, mode: MergeRules.Mode, version: ServerRecord? = nil) -> UploadOutcome {
        switch (self, reply) {
        case (_, .network), (_, .unavailable): .failPass
        case (_, .refused(let message)): .error(message)
        case (_, .unknown(let message)): .unknown(message)
        case (.delete, .done), (.delete, .notFound): .remove
        case (.update, .notFound): mode == .overwrite ? .createAnew : .leave
        case (.create, .notFound):
            .error("the server does not find what the record belongs to; check its references, or discard the edits")
        case (.create, .done(let id, let date)), (.update, .done(let id, let date)), (.lookUp, .done(let id, let date)):
            .clean(id: id, date, version: version)
        default: .leave
        }
    }
}

extension SyncObject {
    /// The field and the value under which the server creates a record; nil for a plain creation.
    func externalID(of local: LocalRecord) -> (field: String, value: String)? {
        guard let field = externalIDField, let value = local.externalID else { return nil }
        return (field, value)
    }
}
