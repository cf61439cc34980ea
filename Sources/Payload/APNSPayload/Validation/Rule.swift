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
        /// Whether the bytes are JSON; for a payload that is, such a rule has nothing to report.
        case text
        /// The values; only asked for JSON.
        case document
    }

    package let stage: Stage
    /// The check is called only where one of these is in the payload.
    package let looksAt: KeySet
    /// The push types that the rule is about; the check is called for no other.
    package let pushTypes: PushTypes
    /// What the check reads of a payload beyond keys, facts and the forms of values.
    package let reads: KeySet

    package typealias Check =
        @Sendable (_ notification: borrowing InspectedNotification, _ findings: inout Findings) -> Void
    package let check: Check

    /// A rule with its check, which reports what it finds.
    ///
    /// The check is spared every payload that it has nothing to say about, which makes many rules cheap. So say what it
    /// looks at, and never less than that. `soundVolumeRange` is a short one to start from.
    ///
    /// - Parameters:
    ///   - stage: What has to be known before the check can look.
    ///   - looksAt: Keys and facts, of which the payload must have at least one. A rule that reports a missing key looks
    ///     at `.everything`, or at a key that says that the missing one is wanted. Of no meaning before the stage
    ///     `document`.
    ///   - pushTypes: The push types that the rule is about; `.absent` stands for none given. For every stage. The check
    ///     need not look at the push type again.
    ///   - reads: The keys whose values the check reads beyond their form (`JSONForm`), and the facts that make it read other
    ///     names and values. A payload with none of these is like every other that has the same headers, keys, facts and
    ///     forms, so what the check finds nothing in is not shown to it again. Say `[]` for a check that asks for keys,
    ///     kinds, flags and empty texts only. A message may show any value.
    ///   - check: Must find nothing where `looksAt` says that there is nothing to look at.
    package init(
        id: String, severity: Severity, layer: Layer, refusal: Reason? = nil, stage: Stage = .document,
        looksAt: KeySet = .everything, pushTypes: PushTypes = .any, reads: KeySet = .everything, summary: String,
        rationale: String, source: String, passes: [Example], fails: [Example], check: @escaping Check
    ) {
        self.id = id
        self.severity = severity
        self.layer = layer
        self.refusal = refusal
        self.stage = stage
        self.looksAt = looksAt
        self.pushTypes = pushTypes
        self.reads = reads
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
