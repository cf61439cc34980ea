import PayloadJSON

/// Findings that several rules report in the same words.
extension InspectedNotification {
    /// Reports a string that is none of the words the table has for the key, and the one that was meant.
    ///
    /// - Parameter effect: What comes of it.
    func reportWord(_ value: JSONIndex, of key: KnownKey, or effect: String, _ findings: inout Findings) {
        guard document.kind(of: value) == .string, !PayloadKey.isWord(value, of: key, in: document) else { return }
        let words = key.row.values
        guard let text = document.string(of: value) else { return }
        let folded = KnownSpelling.fold(text)
        let near = words.compactMap { word in
            KnownSpelling.distance(folded, KnownSpelling.fold(word), atMost: 2).map { (word, $0) }
        }
        let meant = near.min { $0.1 < $1.1 }.map { "; did you mean \($0.0)?" } ?? "; it must be \(words.listed("or"))"
        findings.report("\(key.name) is \(shown(value)), \(effect)\(meant)", at: place(ofValue: value))
    }

    /// Reports a 1 that is written in another form, with the fix.
    func reportForm(of key: KnownKey, _ findings: inout Findings) {
        guard let value = self[key], flag(value) == .likeOne else { return }
        findings.report(
            "\(key.name) is \(shown(value)); write the number 1", at: place(ofValue: value),
            fix: Fix("write the number 1", [Fix.Edit(document.range(of: value), "1")]))
    }

    /// Reports a key of the root that is missing, empty or no string.
    ///
    /// - Parameter effect: What comes of it.
    func checkText(_ key: KnownKey, _ effect: String, _ findings: inout Findings) {
        guard let value = self[key] else {
            let inAPS = aps.flatMap { document.member(named: key.name, of: $0) }
            findings.report(
                inAPS == nil
                    ? "the payload has no \(key.name), \(effect)"
                    : "\(key.name) stands in aps, \(effect); move it to the top of the payload",
                at: inAPS.map { self.place(ofKeyOf: $0) } ?? place(ofMissingIn: .root))
            return
        }
        guard document.kind(of: value) != .string || isEmptyText(value) else { return }
        findings.report(
            "\(key.name) is \(described(value)), \(effect); it must be a string that is not empty",
            at: place(ofValue: value))
    }

    /// Reports the keys of some objects that no key of Apple's is like.
    func reportUnknown(in containers: [PayloadKey.Container], _ advice: String, _ findings: inout Findings) {
        for member in unknownMembers() where containers.contains(member.container) {
            guard case .nothing = member.guess else { continue }
            let name = member.name.isEmpty ? "an empty name" : TerminalText.safe(member.name)
            findings.report(
                "\(name) is no key of \(member.container.inWords) and is ignored by the device\(advice)",
                at: place(ofKeyOf: member.value))
        }
    }

    /// Reports in one finding all those keys that a push does not use.
    func reportSuperfluous(_ superfluous: KeySet, _ push: String, _ findings: inout Findings) {
        let found = keys.common(with: superfluous).filter { self[$0] != nil }
        guard let first = found.first.flatMap({ self[$0] }) else { return }
        findings.report(
            "aps has \(found.map(\.name).listed()), which \(push) has no use for", at: place(ofKeyOf: first))
    }
}

extension PayloadKey {
    /// Whether a string is one of the words that the table has for a key.
    fileprivate static func isWord(_ value: JSONIndex, of key: KnownKey, in document: borrowing JSONDocument) -> Bool {
        document.find(value, in: wordTables[Int(key.rawValue)]) != nil
    }

    private static let wordTables = all.map { row in JSONKeyTable(row.values.map { (name: $0, id: 0) }) }
}
