package import PushDispatch

/// Edits by the user.
extension LocalRecord {
    /// The fields that an upload has to send.
    package func unsent(_ editable: EditableFields = EditableFields()) -> [String: JSONValue] {
        guard isDirty else { return [:] }
        return editable.changes(fields, from: changes.contains(.created) ? [:] : base ?? [:])
    }

    /// Changes fields. Those that the server sets keep their values, and a field that is removed becomes `null`.
    package mutating func edit(_ body: (inout [String: JSONValue]) throws -> Void) rethrows {
        var edited = fields
        try body(&edited)
        let editable = EditableFields()
        for name in Set(edited.keys).union(fields.keys) {
            if !editable.contains(name, fields[name] ?? edited[name]) {
                edited[name] = fields[name]
            } else if edited[name] == nil {
                edited[name] = .null
            }
        }
        guard edited != fields else { return }
        if changes.isEmpty { base = fields }
        fields = edited
        if !changes.contains(.created) { changes.insert(.updated) }
        settle()
    }

    /// - Returns: False if the record can be removed at once, because the server has never seen it.
    package mutating func delete() -> Bool {
        if changes.contains(.created), key.id == nil, sent == nil { return false }
        if changes.isEmpty { base = fields }
        changes.insert(.deleted)
        return true
    }

    /// - Returns: False if the record is removed, because the server does not show it.
    package mutating func discardEdits() -> Bool {
        guard isDirty else { return true }
        if changes.contains(.created) { return key.id == nil && delete() }
        guard !isGone else { return false }
        if let version = theirs ?? base {
            fields = version
        } else {
            // Without stamps any version replaces it.
            fields["SystemModstamp"] = nil
            fields["LastModifiedDate"] = nil
            uploaded = nil
        }
        clean()
        return true
    }

    /// Ends a conflict. Nothing happens without one.
    ///
    /// - Parameter shown: The conflict that was decided. What has changed since stays in conflict. Nil decides any.
    /// - Returns: False if the record is removed.
    package mutating func resolve(_ resolution: ConflictResolution, shown: RecordConflict? = nil) -> Bool {
        guard let conflict, shown?.isAbout(conflict) ?? true else { return true }
        guard let theirs = conflict.theirs else {
            switch resolution {
            case .theirs: return false
            case .mine: createAnew()
            case .fields(let values):
                fields.merge(values) { _, new in new }
                createAnew()
            }
            return true
        }
        if conflict.isDeletedHere {
            // The record has the server's version and the edits that do not contradict it, also where it stays deleted: what differs
            // from the base counts as an edit once the deletion is given up.
            let merge = FieldMerge(base: base ?? [:], mine: fields, theirs: theirs, sent: sent)
            (base, fields, self.theirs) = (theirs, merge.fields, nil)
            for name in merge.conflicts {
                fields[name] = theirs[name]
                sent?[name] = nil
            }
            guard resolution != .mine else { return true }
            changes = .updated
            if case .fields(let values) = resolution { fields.merge(values) { _, new in new } }
        } else {
            for name in conflict.fields {
                if let shown, !EditableFields.same(shown.theirs?[name], theirs[name]) { continue }
                switch resolution {
                case .mine: break
                case .theirs: fields[name] = theirs[name]
                case .fields(let values):
                    guard let value = values[name] else { continue }
                    fields[name] = value
                }
                base?[name] = theirs[name]
                // The decision came after what an upload sends.
                sent?[name] = nil
            }
        }
        settle()
        return true
    }

    /// The record is sent as a new one: the server has deleted it.
    mutating func createAnew() {
        if let id = key.id { externalID = "again-\(id)" }
        changes = .created
        (base, theirs, sent, uploaded) = (nil, nil, nil, nil)
        isGone = false
    }

    /// Ends a conflict that no longer exists, and makes a record clean that has nothing to send. While an upload's answer is
    /// unknown the record stays dirty.
    mutating func settle() {
        guard changes == .updated, let base else { return }
        if let theirs {
            let merge = FieldMerge(base: base, mine: fields, theirs: theirs)
            (fields, self.base) = (merge.fields, merge.base)
            self.theirs = merge.conflicts.isEmpty ? nil : theirs
        }
        if theirs == nil, sent == nil, !isGone, unsent().isEmpty { clean() }
    }

    mutating func clean() {
        changes = []
        (base, theirs, sent, lastError, externalID) = (nil, nil, nil, nil, nil)
    }
}
