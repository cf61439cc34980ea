/// One place where a notification breaks a rule.
public struct Finding: Hashable, Sendable {
    /// The id of the rule.
    public var rule: String
    public var severity: Severity
    public var layer: Layer
    /// What is there and what is wanted, in a sentence without place and full stop.
    public var message: String
    public var place: Place
    /// The key that the object at `place` lacks; nil if the finding is about something that is there.
    public var missingKey: String?
    /// How a tool can fix it without asking; nil if only a person can decide, and for a header.
    public var fix: Fix?
    /// What the header at `place` certainly means, which a tool can write without asking; nil if only a person can decide. For a
    /// key that is not the name of a header, the name.
    public var correction: String?

    /// The part of a notification that is wrong. Ranges are in bytes of the payload as sent.
    public enum Place: Hashable, Sendable {
        /// The name of a header, also of an absent one.
        case header(String)
        /// The payload as a whole.
        case payload
        /// Bytes of a payload that is not JSON.
        case text(Range<Int>)
        /// The JSON pointer (RFC 6901) of a key or value. For a missing key, that of the object that should contain it.
        case pointer(String, Range<Int>)
    }

    /// The bytes of the payload that are wrong; nil for a header and for the payload as a whole.
    public var range: Range<Int>? {
        switch place {
        case .header, .payload: nil
        case .text(let range), .pointer(_, let range): range
        }
    }

    /// The JSON pointer into the payload, or the name of the header; nil for the payload as a whole and for text that is not
    /// JSON. `LocatedFinding.pointer` leads from the root of the file.
    public var pointer: String? {
        switch place {
        case .header(let name): name
        case .pointer(let pointer, _): pointer
        case .payload, .text: nil
        }
    }
}

extension Finding {
    init(of rule: Rule, _ entry: Findings.Entry) {
        self.init(
            rule: rule.id, severity: rule.severity, layer: rule.layer, message: entry.message, place: entry.place,
            missingKey: entry.missingKey, fix: entry.fix, correction: entry.correction)
    }
}

extension [Finding] {
    /// Appends what the check of a rule reported. Of the rule only what a finding keeps is copied: threads that copied all of it
    /// at the same time waited for each other.
    mutating func append(_ entries: [Findings.Entry], of rules: [Rule], _ rule: Int) {
        for entry in entries {
            append(
                Finding(
                    rule: rules[rule].id, severity: rules[rule].severity, layer: rules[rule].layer,
                    message: entry.message, place: entry.place, missingKey: entry.missingKey, fix: entry.fix,
                    correction: entry.correction))
        }
    }
}

extension Finding {
    /// A finding that does not come from the validator.
    package init(of rule: Rule, _ message: String, at place: Place, fix: Fix? = nil) {
        self.init(
            rule: rule.id, severity: rule.severity, layer: rule.layer, message: message, place: place, fix: fix)
    }
}

extension Finding: CustomStringConvertible {
    public var description: String { "\(severity.rawValue): \(message) [\(rule)]" }
}
