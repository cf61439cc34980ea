package import PushDispatch

/// Versions of the server that come to a record with edits.
extension LocalRecord {
    /// Merges the server's version into the edits.
    package mutating func receive(_ theirs: [String: JSONValue], _ rules: MergeRules) {
        // The record was to be created again, and exists.
        if changes.contains(.created) { changes = .updated }
        // Without a base, edits of an earlier version of this library: only the stamps show whether the server's has changed.
        let base = base ?? (stamps.age(against: Stamps(theirs)) == .same ? theirs : [:])
        let merge = FieldMerge(base: base, mine: fields, theirs: theirs, sent: sent, editable: rules.editable)
        isGone = false
        if changes.contains(.deleted) {
            // Of a new record only what was sent is known. Somebody else may have set the other fields.
            let isNew = Stamps(base) == Stamps()
            let isChanged = theirs.contains { name, value in
                guard EditableFields().contains(name, value), base[name] != nil || isNew else { return false }
                let from = base[name] ?? .null
                return !EditableFields.same(value, from) && !EditableFields.same(value, sent?[name])
            }
            self.base = isChanged ? base : theirs
            self.theirs = isChanged ? theirs : nil
            // Its stamps too, so that an older version is recognised.
            for (name, value) in theirs where !EditableFields().contains(name, value) { fields[name] = value }
        } else {
            (fields, self.base) = (merge.fields, merge.base)
            self.theirs = merge.conflicts.isEmpty ? nil : theirs
        }
        if let resolution = rules.conflicts.resolution { _ = resolve(resolution) }
        settle()
    }

    /// Takes the fields that an update of the app has added. Nothing else of this version counts.
    mutating func receiveNewFields(of theirs: [String: JSONValue]) {
        for (name, value) in theirs where fields[name] == nil && base?[name] == nil {
            fields[name] = value
            base?[name] = value
        }
    }

    /// The server no longer shows the record.
    ///
    /// - Returns: False if the record is removed.
    package mutating func receiveDeletion(_ rules: MergeRules) -> Bool {
        guard !changes.contains(.created) else { return true }
        isGone = true
        if changes.contains(.deleted) {
            // Both sides have deleted it.
            theirs = nil
            return true
        }
        return rules.conflicts.resolution.map { resolve($0) } ?? true
    }

    /// The server has taken an upload.
    ///
    /// - Parameters:
    ///   - fields: Those that were sent.
    ///   - id: The id of a new record.
    mutating func taken(_ fields: [String: JSONValue], id: RecordID?) {
        base = (base ?? [:]).merging(fields) { _, new in new }
        if let id {
            key = .server(id)
            self.fields["Id"] = .string(id.description)
            base?["Id"] = self.fields["Id"]
        }
        (sent, lastError, externalID) = (nil, nil, nil)
        changes = changes.contains(.deleted) ? .deleted : .updated
        settle()
    }

    /// Joins two local copies of a record: this one, which was uploaded, and one that a sync stored before the answer came. A
    /// field that the user edited in both has the value of `other`.
    mutating func join(_ other: LocalRecord) {
        guard other.isDirty else { return update(to: other.fields) }
        var joined = other
        joined.localKey = localKey
        let version = other.theirs ?? other.base ?? [:]
        for (name, value) in unsent() where EditableFields.same(other.fields[name], other.base?[name]) {
            joined.fields[name] = value
            guard let from = base?[name] else { continue }
            joined.base?[name] = from
            if !EditableFields.same(version[name], from) { joined.theirs = version }
        }
        joined.changes.formUnion(changes)
        joined.settle()
        self = joined
    }

    /// Takes in a version that is not older.
    mutating func update(to version: [String: JSONValue]) {
        guard Stamps(version).age(against: stamps) != .older else { return }
        if isDirty { receive(version, MergeRules()) } else { fields = version }
    }
}
