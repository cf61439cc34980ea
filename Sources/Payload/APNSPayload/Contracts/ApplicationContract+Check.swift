import APNSModel
import PayloadJSON

extension ApplicationContract {
    /// Whether the contract applies to this payload.
    func isAbout(_ notification: borrowing InspectedNotification) -> Bool {
        switch match {
        case .everything: notification.document.kind(of: .root) == .object
        case .key(let key): notification.custom(key) != nil
        case .value(let value, ofKey: let key):
            notification.custom(key).map { notification.document.isString($0, equalTo: value) } ?? false
        }
    }

    /// Reports where a payload breaks the contract in one of these aspects; nothing if the contract does not apply to
    /// it.
    ///
    /// - Parameter keys: The keys to check; nil for those of the contract.
    func check(
        _ aspects: ContractAspect, of keys: [ContractKey]? = nil, in notification: borrowing InspectedNotification,
        _ findings: inout Findings
    ) {
        guard isAbout(notification) else { return }
        if !aspects.isDisjoint(with: .ofKeys) {
            for key in keys ?? self.keys { check(key, aspects, notification, &findings) }
        }
        if aspects.contains(.unknownKey), !allowsOtherKeys { checkUnknownKeys(notification, &findings) }
        if aspects.contains(.forbiddenKey) { checkForbiddenKeys(notification, &findings) }
        if aspects.contains(.visibility) { checkVisibility(notification, &findings) }
        if aspects.contains(.size), let maximumBytes, notification.envelope.payload.count > maximumBytes {
            let count = notification.envelope.payload.count
            findings.report(
                "the payload has \(count) bytes; \(name) may have \(maximumBytes), so it is \(count - maximumBytes) over",
                at: .payload)
        }
    }

    private func check(
        _ key: ContractKey, _ aspects: ContractAspect, _ notification: borrowing InspectedNotification,
        _ findings: inout Findings
    ) {
        guard let value = notification.custom(key.name) else {
            guard aspects.contains(.missingKey), key.isRequired else { return }
            let known = Set(keys.map(\.name))
            let meant = notification.customKeys.filter { !known.contains($0) }
            let advice = Suggestion.best(for: key.name, among: meant).map { "; was \($0) meant for it?" }
            return findings.report(
                "\(name) has no \(key.shownName); it needs \(key.value)\(advice ?? "")",
                at: notification.place(ofMissingIn: .root), missing: key.name)
        }
        ContractValueCheck(key: key, aspects: aspects).check(value, notification, &findings)
    }

    private func checkUnknownKeys(_ notification: borrowing InspectedNotification, _ findings: inout Findings) {
        lazy var known = "its keys are \(keys.map(\.shownName).joined(separator: ", "))"
        lazy var names = keys.map(\.name)
        for member in notification.document.members(of: .root) {
            guard !knows(member.key, in: notification.document),
                let key = notification.document.string(of: member.key)
            else { continue }
            let meant = Suggestion.best(for: key, among: names).map { "did you mean \($0)?" }
            findings.report(
                "\(name) has no key \(notification.shown(text: key)); \(meant ?? known)",
                at: notification.place(ofKeyOf: member.value))
        }
    }

    /// Whether a key of the payload's root is `aps`, or one that the contract names, or one with a named key in its value.
    private func knows(_ key: JSONIndex, in document: borrowing JSONDocument) -> Bool {
        if document.isString(key, "aps") { return true }
        if let name = match.key, ContractKey.isInside(name, key, of: document) { return true }
        for place in keys.indices where ContractKey.isInside(keys[place].name, key, of: document) { return true }
        for place in forbiddenKeys.indices where ContractKey.isInside(forbiddenKeys[place].name, key, of: document) {
            return true
        }
        return false
    }

    private func checkForbiddenKeys(_ notification: borrowing InspectedNotification, _ findings: inout Findings) {
        for forbidden in forbiddenKeys {
            guard let value = notification.custom(forbidden.name) else { continue }
            findings.report(
                "\(ContractKey(forbidden.name).shownName) must not be in \(name)"
                    + (forbidden.reason.map { ": \($0)" } ?? ""), at: notification.place(ofKeyOf: value))
        }
    }

    private func checkVisibility(_ notification: borrowing InspectedNotification, _ findings: inout Findings) {
        let place = notification.place(ofMissingIn: notification.aps ?? .root)
        switch visibility {
        case .any: return
        case .silent:
            if let shown = notification[.alert] ?? notification[.badge] ?? notification[.sound] {
                let key = notification.document.string(of: notification.document.key(of: shown)) ?? ""
                findings.report(
                    "aps has \(key), but \(name) is silent: it needs content-available 1 and no alert, badge or sound",
                    at: notification.place(ofKeyOf: shown))
            } else if !notification.contentAvailable.isSet {
                findings.report(
                    "\(name) is silent, so aps needs content-available 1", at: place, missing: "content-available")
            }
        case .visible:
            guard notification.isSilent else { return }
            findings.report("\(name) is visible, but aps has no alert, badge or sound", at: place, missing: "alert")
        }
    }

    /// The value that was probably meant to be the value of this contract's `match`; nil if there is none.
    func mistake(in notification: borrowing InspectedNotification) -> (value: JSONIndex, text: String, wanted: String)?
    {
        guard case .value(let wanted, ofKey: let key) = match, let value = notification.custom(key),
            let text = notification.document.string(of: value), text != wanted, text.isMistake(for: wanted)
        else { return nil }
        return (value, text, wanted)
    }

    /// Reports a payload that nearly matches one of these contracts and matches none.
    static func checkMatch(
        _ contracts: [ApplicationContract], in notification: borrowing InspectedNotification, _ findings: inout Findings
    ) {
        for contract in contracts {
            guard let mistake = contract.mistake(in: notification), let key = contract.match.key,
                !contracts.contains(where: { $0.match == .value(mistake.text, ofKey: key) })
            else { continue }
            return findings.report(
                "\(ContractKey(key).shownName) is \(notification.shown(text: mistake.text)), which no contract names; "
                    + "did you mean \(notification.shown(text: mistake.wanted))?",
                at: notification.place(ofValue: mistake.value))
        }
    }
}

extension ContractAspect {
    /// The aspects that are checked for each key of the contract.
    fileprivate static let ofKeys: ContractAspect = [.missingKey, .keyType, .format, .suffix, .range]
}

extension ContractKey {
    /// The key for messages, with dots and not the slashes of a pointer.
    var shownName: String { name.utf8.first == UInt8(ascii: "/") ? path.joined(separator: ".") : name }

    /// Whether `name` is this key of the root, or a pointer to a key within its value.
    fileprivate static func isInside(_ name: String, _ key: JSONIndex, of document: borrowing JSONDocument) -> Bool {
        if document.isString(key, equalTo: name) { return true }
        // Most names are not pointers, and then no path has to be created.
        guard name.utf8.first == UInt8(ascii: "/"), let first = ContractKey(name).path.first else { return false }
        return document.isString(key, equalTo: first)
    }

    /// The path of keys to the value.
    var path: [String] {
        guard name.utf8.first == UInt8(ascii: "/") else { return [name] }
        return name.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { step in
            // RFC 6901: in one pass, because replacing ~0 first would turn ~01 into a slash.
            var text = ""
            var rest = step[...]
            while let tilde = rest.firstIndex(of: "~") {
                text += rest[..<tilde]
                rest = rest[rest.index(after: tilde)...]
                guard let code = rest.first, code == "0" || code == "1" else {
                    text += "~"
                    continue
                }
                text += code == "0" ? "~" : "/"
                rest = rest.dropFirst()
            }
            return text + rest
        }
    }
}

extension InspectedNotification {
    /// The value of a custom key, or of a nested key by its pointer; also a null.
    func custom(_ name: String) -> JSONIndex? {
        guard name.utf8.first == UInt8(ascii: "/") else { return document.member(named: name, of: .root) }
        var value = JSONIndex.root
        for step in ContractKey(name).path {
            guard let next = document.member(named: step, of: value) else { return nil }
            value = next
        }
        return value == .root ? nil : value
    }

    /// The keys beside `aps`.
    var customKeys: [String] {
        document.members(of: .root).compactMap { document.string(of: $0.key) }.filter { $0 != "aps" }
    }
}

extension String {
    /// Whether this differs from `wanted` only in case, hyphens and underscores, or in one character of a long word.
    /// Two words that are both valid, such as ORDER_CREATED and ORDER_DELETED, differ in more.
    func isMistake(for wanted: String) -> Bool {
        func bare(_ text: String) -> [Unicode.Scalar] {
            text.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" && $0 != " " }
        }
        let (mine, other) = (bare(self), bare(wanted))
        if mine == other { return true }
        guard other.count > 5, abs(mine.count - other.count) < 2 else { return false }
        let start = zip(mine, other).prefix { $0 == $1 }.count
        let end = zip(mine.reversed(), other.reversed()).prefix { $0 == $1 }.count
        return start + end >= max(mine.count, other.count) - 1
    }
}
