import PushDispatch

/// Merges the server's version of a record with the user's edits, field by field.
///
/// A field that only one side has changed takes the value of that side, and equal changes agree. A field that both have
/// changed differently is in conflict: it keeps the user's value, and its former base.
struct FieldMerge: Hashable {
    private(set) var fields: [String: JSONValue]
    private(set) var base: [String: JSONValue]
    private(set) var conflicts: Set<String> = []

    /// - Parameters:
    ///   - base: The server's version that the edits were made from.
    ///   - sent: The fields of an upload. Where the server has such a value, it is not a change by somebody else.
    init(
        base: [String: JSONValue], mine: [String: JSONValue], theirs: [String: JSONValue],
        sent: [String: JSONValue]? = nil, editable: EditableFields = EditableFields()
    ) {
        fields = theirs
        self.base = theirs
        for (name, value) in mine where editable.contains(name, value) {
            guard let their = theirs[name] else {
                // The server did not return the field, so it is not known to have changed.
                if !EditableFields.same(value, base[name]) {
                    fields[name] = value
                    self.base[name] = base[name]
                }
                continue
            }
            var from = base[name]
            if let sent = sent?[name], EditableFields.same(their, sent) { from = sent }
            // A new record was sent without the field, and the server has given it no value.
            if from == nil, their == .null { from = their }
            if EditableFields.same(value, from) || EditableFields.same(value, their) { continue }
            fields[name] = value
            guard !EditableFields.same(their, from) else { continue }
            self.base[name] = from
            conflicts.insert(name)
        }
    }
}
