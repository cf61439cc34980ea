public import APNSModel
import PayloadJSON

/// Checks notifications against rules. Keep one for many notifications: it reuses the memory that payloads are read into.
///
/// ```swift
/// var validator = Validator()
/// for finding in validator.findings(for: envelope) { print(finding) }
/// ```
public struct Validator: Sendable {
    public var rules: [Rule] { all.rules }
    /// The present, in seconds since 1970-01-01 UTC, for rules that compare a time with it; nil where it does not matter,
    /// and then they find nothing.
    public var now: Int64?
    private let all: Checks
    private let errors: Checks
    private var storage = Storage()
    /// The last notification without an error. A bulk send has one payload for many device tokens more often than not.
    private var lastGood: APNSNotification?

    private static let allOfAll = Checks(Rule.all) { _ in true }
    private static let errorsOfAll = Checks(Rule.all) { $0.severity == .error }

    /// With every rule.
    public init() {
        all = Validator.allOfAll
        errors = Validator.errorsOfAll
    }

    public init(rules: [Rule]) { self.init(rules: rules, prunes: true) }

    /// - Parameter prunes: Whether a check is spared the payloads that have nothing its rule looks at. Without that, the
    ///   findings are the same and take longer.
    package init(rules: [Rule], prunes: Bool) {
        all = Checks(rules, prunes: prunes) { _ in true }
        errors = Checks(rules, prunes: prunes) { $0.severity == .error }
    }

    /// Every finding: those about headers and the payload as a whole first, then by place in the payload, then in the
    /// order of the rules.
    public mutating func findings(for envelope: Envelope) -> [Finding] {
        Validator.sorted(run(all, on: envelope, stopsAtFirst: false))
    }

    private static func sorted(_ found: [Finding]) -> [Finding] {
        guard found.count > 1 else { return found }
        return found.enumerated().sorted { left, right in
            let places = (left.element.range?.lowerBound ?? -1, right.element.range?.lowerBound ?? -1)
            return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
        }.map(\.element)
    }

    /// Whether a text is a bare payload in which no rule finds anything. It says no of an envelope, of a file for the
    /// simulator, of a text that is not JSON, and where there is something to find; then `EnvelopeReader` and `findings`
    /// tell more.
    public mutating func isCleanPayload(
        _ text: UnsafeRawBufferPointer, topic: String? = nil, pushType: String? = nil
    ) -> Bool {
        ensureOwnStorage()
        let findings = storage.workspace.findings(
            ofBare: text, topic: topic, pushType: pushType, at: now, all, stopsAtFirst: true)
        return findings?.isEmpty ?? false
    }

    /// Every finding of a text that is a bare payload, or is not JSON, in the order of `findings(for:)`. Nil for an envelope
    /// and for a file for the simulator, which `EnvelopeReader` has to take apart first.
    ///
    /// For streams of many notifications: it reads the text once, makes no copy of one that is right, and asks no rule
    /// about a payload that only differs from one before in texts and numbers that the rule does not read.
    public mutating func findings(
        forPayload text: UnsafeRawBufferPointer, topic: String? = nil, pushType: String? = nil
    ) -> [Finding]? {
        ensureOwnStorage()
        let found = storage.workspace.findings(
            ofBare: text, topic: topic, pushType: pushType, at: now, all, stopsAtFirst: false)
        return found.map(Validator.sorted)
    }

    /// An error-level finding, if there is one, found with the least work: headers and size before the payload is read.
    public mutating func firstError(for envelope: consuming Envelope) -> Finding? {
        run(errors, on: envelope, stopsAtFirst: true).first
    }

    /// The same for a notification that is about to be sent.
    ///
    /// What differs from the last good one only in device token and id is good as well: their types let no value through
    /// that a rule could find an error in.
    public mutating func firstError(for notification: borrowing APNSNotification) -> Finding? {
        if let lastGood, lastGood.payload == notification.payload, lastGood.topic == notification.topic,
            lastGood.pushType == notification.pushType, lastGood.priority == notification.priority,
            lastGood.expiration == notification.expiration, lastGood.collapseID == notification.collapseID
        {
            return nil
        }
        let finding = firstError(for: Envelope(notification))
        lastGood = finding == nil ? copy notification : nil
        return finding
    }

    /// The first finding of one rule, for those who check in an order of their own, as a gateway does.
    ///
    /// A rule about values has none for a payload that is not JSON.
    package mutating func finding(of rule: Rule, for envelope: Envelope) -> Finding? {
        ensureOwnStorage()
        return storage.workspace.finding(of: rule, for: envelope, at: now)
    }

    private mutating func run(_ checks: Checks, on envelope: consuming Envelope, stopsAtFirst: Bool) -> [Finding] {
        ensureOwnStorage()
        return storage.workspace.findings(of: checks, for: envelope, at: now, stopsAtFirst: stopsAtFirst)
    }

    /// A copy of a validator has the scratch of the other until one of them needs it.
    private mutating func ensureOwnStorage() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage() }
    }
}

extension Validator {
    /// The checks of some rules by stage. The hot path walks these instead of the rules, whose many texts would each be
    /// retained and released on the way. An object, as `CheckTable` is.
    private final class Checks: Sendable {
        let rules: [Rule]
        let headers: CheckTable
        let text: CheckTable
        let document: CheckTable

        var needPayload: Bool { !text.isEmpty || !document.isEmpty }

        init(_ rules: [Rule], prunes: Bool = true, where isIncluded: (Rule) -> Bool) {
            func checks(_ stage: Rule.Stage) -> CheckTable {
                CheckTable(
                    rules.enumerated().filter { $0.element.stage == stage && isIncluded($0.element) },
                    prunes: prunes && stage == .document)
            }
            self.rules = rules
            headers = checks(.headers)
            text = checks(.text)
            document = checks(.document)
        }
    }

    /// Keeps a workbench at one place. An object, because moving the parts to and fro cost more than the rules did.
    ///
    /// `@unchecked Sendable`: a validator uses it only while nobody else has a reference to it.
    private final class Storage: @unchecked Sendable {
        var workspace = Workspace()
    }

    /// What payloads are read into and findings are collected in, kept from one notification to the next.
    private struct Workspace: ~Copyable {
        private var notification = InspectedNotification()
        /// What the check that is running reports into; empty in between.
        private var reported = Findings()
        /// What is known of bare payloads with these headers: the lengths that no rule about headers has anything against,
        /// and what rules found nothing in.
        private var cleanLengths: [Bool] = []
        private var cache = CheckCache()
        private var bareTopic: String?
        private var barePushType: String?

        mutating func findings(
            of checks: Checks, for envelope: consuming Envelope, at now: Int64?, stopsAtFirst: Bool
        ) -> [Finding] {
            notification.now = now
            notification.begin(envelope)
            defer { notification.end() }
            var findings: [Finding] = []
            if collect(checks.headers, of: checks.rules, stopsAtFirst, into: &findings) { return findings }
            guard checks.needPayload, !notification.envelope.payload.isEmpty else { return findings }
            let isJSON = notification.readPayload()
            if collect(checks.text, of: checks.rules, stopsAtFirst, into: &findings) || !isJSON { return findings }
            _ = collect(checks.document, of: checks.rules, stopsAtFirst, into: &findings)
            return findings
        }

        /// - Returns: Whether to stop here.
        private mutating func collect(
            _ checks: CheckTable, of rules: [Rule], _ stopsAtFirst: Bool, into findings: inout [Finding]
        ) -> Bool {
            checks.run(on: notification, into: &reported) { rule, entries in
                let rule = rules[rule]
                findings += entries.map { Finding(of: rule, $0) }
                return stopsAtFirst
            }
        }

        mutating func finding(of rule: Rule, for envelope: consuming Envelope, at now: Int64?) -> Finding? {
            notification.now = now
            notification.begin(envelope)
            defer { notification.end() }
            let canLook =
                switch rule.stage {
                case .headers: true
                case .text, .document:
                    !notification.envelope.payload.isEmpty && (notification.readPayload() || rule.stage == .text)
                }
            if canLook && rule.pushTypes.contains(notification.pushTypes)
                && (rule.stage != .document || notification.has(rule.looksAt))
            {
                rule.check(notification, &reported)
            }
            defer { reported.removeAll() }
            return reported.entries.first.map { Finding(of: rule, $0) }
        }

        /// - Returns: Nil for a text that is no payload by itself.
        mutating func findings(
            ofBare text: UnsafeRawBufferPointer, topic: String?, pushType: String?, at now: Int64?, _ checks: Checks,
            stopsAtFirst: Bool
        ) -> [Finding]? {
            notification.now = now
            defer { notification.end() }
            let isJSON = notification.begin(bare: text, topic: topic, pushType: pushType)
            if isJSON, notification.isWrapped { return nil }
            if topic != bareTopic || pushType != barePushType {
                bareTopic = topic
                barePushType = pushType
                cleanLengths.removeAll()
                cache.removeAll()
            }
            var findings: [Finding] = []
            if !headersAreClean(checks.headers),
                collect(checks.headers, of: checks.rules, stopsAtFirst, into: &findings)
            {
                return findings
            }
            guard !text.isEmpty else { return findings }
            // The rules of the second stage are about texts that are no JSON.
            guard isJSON else {
                _ = collect(checks.text, of: checks.rules, stopsAtFirst, into: &findings)
                return findings
            }
            _ = checks.document.run(on: notification, using: &cache, into: &reported) { rule, entries in
                let rule = checks.rules[rule]
                findings += entries.map { Finding(of: rule, $0) }
                return stopsAtFirst
            }
            return findings
        }

        /// Rules of the first stage see headers and the number of bytes, so for the same headers the answer is the same
        /// for every payload of one length.
        private mutating func headersAreClean(_ checks: CheckTable) -> Bool {
            let count = notification.envelope.payload.count
            if count < cleanLengths.count, cleanLengths[count] { return true }
            guard checks.findsNothing(in: notification, into: &reported) else { return false }
            guard count < PushType.voip.maximumPayloadBytes else { return true }
            if cleanLengths.isEmpty {
                cleanLengths = [Bool](repeating: false, count: PushType.voip.maximumPayloadBytes)
            }
            cleanLengths[count] = true
            return true
        }
    }
}
