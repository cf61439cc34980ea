public import APNSModel

/// A check of the validator and its documentation.
public struct Rule: Sendable, Identifiable {
    /// Never changes its meaning. The id of a removed rule is not used again.
    public let id: String
    public let severity: Severity
    public let layer: Layer
    /// What APNs answers if the rule is broken; nil if it accepts the notification or the answer is unknown.
    public let refusal: Reason?
    /// The requirement, in one sentence.
    public let summary: String
    public let rationale: String
    /// The documentation that the rule is based on.
    public let source: String
    public let passes: [Example]
    public let fails: [Example]

    /// What the check of a rule needs.
    package enum Stage: Hashable, Sendable {
        /// The headers and the number of bytes.
        case headers
        /// Whether the bytes are JSON. A rule of this stage has nothing to report for a payload that is JSON.
        case text
        /// The values. Rules of this stage run only if the payload is JSON.
        case document
    }

    package let stage: Stage
    /// The check runs only if the payload has one of these.
    package let looksAt: KeySet
    /// The push types that the rule applies to; the check does not run for others.
    package let pushTypes: PushTypes
    /// The keys whose values the check reads, beyond their forms.
    package let reads: KeySet

    package typealias Check =
        @Sendable (_ notification: borrowing InspectedNotification, _ findings: inout Findings) -> Void
    package let check: Check

    /// Creates a rule with its check, which reports findings.
    ///
    /// The check runs only for payloads that it may have findings for, so that many rules take little time. So
    /// `looksAt` must name everything that the check looks at. `soundVolumeRange` is a short example to start from.
    ///
    /// - Parameters:
    ///   - stage: What the check needs.
    ///   - looksAt: Keys and facts of which the payload must have at least one. A rule that reports a missing key looks
    ///     at `.everything`, or at a key that requires the missing one. Ignored unless the stage is `document`.
    ///   - pushTypes: The push types that the rule applies to, at every stage; `.absent` means that none is given. The
    ///     check need not compare the push type again.
    ///   - reads: The keys whose values the check reads beyond their form (`JSONForm`), and the facts that make it read
    ///     other names and values. If the check finds nothing in a payload with none of these, it does not run for
    ///     later payloads with the same headers, keys, facts and forms. Pass `[]` for a check that uses keys, kinds,
    ///     flags and empty strings only. Messages may show any value.
    ///   - check: Must find nothing in a payload that has nothing of `looksAt`.
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
