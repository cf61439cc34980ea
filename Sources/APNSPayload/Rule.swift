public import APNSModel

/// A check of the validator, with all that a developer should know about it.
public struct Rule: Sendable, Identifiable {
    /// Never changes its meaning; that of a retired rule stays reserved.
    public let id: String
    public let severity: Severity
    public let layer: Layer
    /// What APNs answers when the rule is broken; nil when it accepts the notification or the answer is not known.
    public let refusal: Reason?
    /// What is right, in one sentence.
    public let summary: String
    public let rationale: String
    /// Where the rule comes from.
    public let source: String
    public let passes: [Example]
    public let fails: [Example]

    /// What has to be known before a rule can look.
    package enum Stage: Hashable, Sendable {
        /// Headers and the number of bytes.
        case headers
        /// Whether the bytes are JSON.
        case text
        /// The values; only asked for JSON.
        case document
    }

    package let stage: Stage

    package typealias Check =
        @Sendable (_ notification: borrowing InspectedNotification, _ findings: inout Findings) -> Void
    package let check: Check

    package init(
        id: String, severity: Severity, layer: Layer, refusal: Reason? = nil, stage: Stage = .document, summary: String,
        rationale: String, source: String, passes: [Example], fails: [Example], check: @escaping Check
    ) {
        self.id = id
        self.severity = severity
        self.layer = layer
        self.refusal = refusal
        self.stage = stage
        self.summary = summary
        self.rationale = rationale
        self.source = source
        self.passes = passes
        self.fails = fails
        self.check = check
    }
}

extension Rule: Hashable {
    public static func == (left: Rule, right: Rule) -> Bool { left.id == right.id }
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension Rule: CustomStringConvertible {
    public var description: String { id }
}
