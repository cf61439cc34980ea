import PayloadJSON

/// Findings that several rules report.
extension InspectedNotification {
    /// Reports a string that is not one of the documented values of the key, and suggests the nearest value. One that differs
    /// only in case, hyphens, underscores and spaces has a fix.
    ///
    /// - Parameter effect: What comes of it.
    func reportWord(_ value: JSONIndex, of key: KnownKey, or effect: String, _ findings: inout Findings) {
        guard document.kind(of: value) == .string, !isWord(value, of: key) else { return }
        let words = key.row.values
        guard let text = document.string(of: value) else { return }
        let folded = KnownSpelling.fold(text)
        let near = words.compactMap { word in
            KnownSpelling.distance(folded, KnownSpelling.fold(word), atMost: 2).map { (word, $0) }
        }
        let nearest = near.min { $0.1 < $1.1 }
        let meant = nearest.map { "; did you mean \($0.0)?" } ?? "; it must be \(words.listed("or"))"
        var fix: Fix?
        if let nearest, nearest.1 == 0 {
            fix = Fix("write \(nearest.0)", [Fix.Edit(document.range(of: value), "\"\(nearest.0)\"")])
        }
        findings.report("\(key.name) is \(shown(value)), \(effect)\(meant)", at: place(ofValue: value), fix: fix)
    }

    /// Reports a 1 that is written as `true`, `1.0` or similar, with a fix.
    func reportForm(of key: KnownKey, _ findings: inout Findings) {
        guard let value = self[key], flag(value) == .likeOne else { return }
        findings.report(
            "\(key.name) is \(shown(value)); write the number 1", at: place(ofValue: value),
            fix: Fix("write the number 1", [Fix.Edit(document.range(of: value), "1")]))
    }

    /// A fix for a 1 that is a string, which can mean nothing else; nil for other values.
    func fixOfQuotedOne(_ value: JSONIndex) -> Fix? {
        guard document.isString(value, "1") else { return nil }
        return Fix("write the number 1", [Fix.Edit(document.range(of: value), "1")])
    }

    /// Reports a key of the root that is missing, empty or not a string.
    ///
    /// - Parameter effect: What comes of it.
    func checkText(_ key: KnownKey, _ effect: String, _ findings: inout Findings) {
        guard let value = self[key] else {
            let inAPS = aps.flatMap { document.member(named: key.name, of: $0) }
            findings.report(
                inAPS == nil
                    ? "the payload has no \(key.name), \(effect)"
                    : "\(key.name) is in aps, \(effect); move it to the root of the payload",
                at: inAPS.map { self.place(ofKeyOf: $0) } ?? place(ofMissingIn: .root),
                missing: inAPS == nil ? key.name : nil)
            return
        }
        guard document.kind(of: value) != .string || isEmptyText(value) else { return }
        findings.report(
            "\(key.name) is \(described(value)), \(effect); it must be a non-empty string",
            at: place(ofValue: value))
    }

    /// Reports the keys of these objects that are not similar to any of Apple's keys.
    func reportUnknown(in containers: [PayloadKey.Container], _ advice: String, _ findings: inout Findings) {
        for member in unknownMembers() where containers.contains(member.container) {
            guard case .nothing = member.guess else { continue }
            let name = member.name.isEmpty ? "an empty name" : TerminalText.safe(member.name)
            findings.report(
                "\(name) is not a key of \(member.container.inWords), so the device ignores it\(advice)",
                at: place(ofKeyOf: member.value))
        }
    }

    /// Reports all the keys that a push does not use, in one finding.
    func reportSuperfluous(_ superfluous: KeySet, _ push: String, _ findings: inout Findings) {
        let found = keys.common(with: superfluous).filter { self[$0] != nil }
        guard let first = found.first.flatMap({ self[$0] }) else { return }
        findings.report(
            "aps has \(found.map(\.name).listed()), which \(push) does not use", at: place(ofKeyOf: first))
    }
}
