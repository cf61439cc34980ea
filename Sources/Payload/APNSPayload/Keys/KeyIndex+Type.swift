import PayloadJSON

// What the value of `type` says of a payload. Found once here, so that the rules about types run for their own payloads only,
// and those about hints for hints that may have a fault.
extension KeyIndex {
    /// - Parameter type: Not null.
    func facts(ofType type: JSONIndex, in document: borrowing JSONDocument) -> PayloadFacts {
        if document.isString(type, "ACCOUNT_UPDATE") { return facts(of: .accountUpdate, document) }
        if document.isString(type, "INTERACTION") { return facts(of: .interaction, document) }
        if document.isString(type, "PERSONALIZED") { return .personalized }
        if document.isString(type, "ENTRY_UPDATE") { return .entryUpdate }
        return document.isString(type, "TEST") ? .testType : .otherType
    }

    private func facts(of kind: HintPayload.Kind, _ document: borrowing JSONDocument) -> PayloadFacts {
        var facts = PayloadFacts.hint
        if !hasOnlyKeys(of: kind, document) { facts.insert(.hintOtherKey) }
        if !namesRecords(of: kind, document) { facts.insert(.hintWrongRecord) }
        return facts
    }

    /// Whether the root has only keys that a hint of this kind may have. `found` must have no other keys than the root's.
    private func hasOnlyKeys(of kind: HintPayload.Kind, _ document: borrowing JSONDocument) -> Bool {
        let known: KeySet = kind == .accountUpdate ? [.aps, .type, .accountId] : [.aps, .type, .recordIds]
        guard found.keys & ~known.keys == 0 else { return false }
        guard found.contains(.customInRoot) else { return true }
        for member in document.members(of: .root) {
            let isKnown =
                document.isString(member.key, "aps") || document.isString(member.key, "type")
                || (kind == .accountUpdate
                    ? document.isString(member.key, "accountId") || document.isString(member.key, "changedFields")
                    : document.isString(member.key, "recordIds"))
            guard isKnown else { return false }
        }
        return true
    }

    /// Whether the hint has the ids of its records, and each is right.
    private func namesRecords(of kind: HintPayload.Kind, _ document: borrowing JSONDocument) -> Bool {
        switch kind {
        case .accountUpdate:
            guard let id = self[.accountId] else { return false }
            return RecordIDForm(id, of: document) == .right
        case .interaction:
            guard let ids = self[.recordIds], document.kind(of: ids) == .array else { return false }
            var count = 0
            for id in document.elements(of: ids) {
                guard RecordIDForm(id, of: document) == .right else { return false }
                count += 1
            }
            return count > 0
        }
    }
}
