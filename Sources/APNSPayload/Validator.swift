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
    private let all: Checks
    private let errors: Checks
    /// Nil only while it is lent to the notification under inspection.
    private var memory: InspectedNotification.Memory? = InspectedNotification.Memory()
    /// The last notification without an error. A bulk send has one payload for many device tokens more often than not.
    private var lastGood: APNSNotification?
    /// What `isCleanPayload` collects into; always empty in between.
    private var reported = Findings()
    /// The lengths of bare payloads with these headers that no rule about headers has anything against.
    private var cleanLengths: [Bool] = []
    private var cleanTopic: String?
    private var cleanPushType: String?

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
        let found = run(all, on: envelope, stopsAtFirst: false)
        guard found.count > 1 else { return found }
        return found.enumerated().sorted { left, right in
            let places = (left.element.range?.lowerBound ?? -1, right.element.range?.lowerBound ?? -1)
            return places.0 == places.1 ? left.offset < right.offset : places.0 < places.1
        }.map(\.element)
    }

    /// Whether a text is a bare payload in which no rule finds anything. It says no of an envelope, of a file for the
    /// simulator, of a text that is not JSON, and where there is something to find; then `EnvelopeReader` and `findings`
    /// tell more.
    ///
    /// For streams of many notifications, most of which are right: it reads the text once, makes no copy that outlives
    /// the call, and allocates nothing.
    public mutating func isCleanPayload(
        _ text: UnsafeRawBufferPointer, topic: String? = nil, pushType: String? = nil
    ) -> Bool {
        var notification = InspectedNotification(
            Envelope(kind: .payload, topic: topic, pushType: pushType, payload: []),
            memory: memory.take() ?? InspectedNotification.Memory())
        var isClean = notification.readBarePayload(text)
        if isClean {
            isClean =
                headersAreClean(notification)
                && all.text.findsNothing(in: notification, into: &reported)
                && all.document.findsNothing(in: notification, into: &reported)
        }
        memory = notification.finish()
        return isClean
    }

    /// Rules of the first stage see headers and the number of bytes, so for the same headers the answer is the same for
    /// every payload of one length.
    private mutating func headersAreClean(_ notification: borrowing InspectedNotification) -> Bool {
        let count = notification.envelope.payload.count
        if notification.envelope.topic != cleanTopic || notification.envelope.pushType != cleanPushType {
            cleanTopic = notification.envelope.topic
            cleanPushType = notification.envelope.pushType
            cleanLengths.removeAll()
        }
        if count < cleanLengths.count, cleanLengths[count] { return true }
        guard all.headers.findsNothing(in: notification, into: &reported) else { return false }
        if count < PushType.voip.maximumPayloadBytes {
            if cleanLengths.isEmpty {
                cleanLengths = [Bool](repeating: false, count: PushType.voip.maximumPayloadBytes)
            }
            cleanLengths[count] = true
        }
        return true
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
        var notification = InspectedNotification(envelope, memory: memory.take() ?? InspectedNotification.Memory())
        var reported = Findings()
        let canLook =
            switch rule.stage {
            case .headers: true
            case .text, .document:
                !envelope.payload.isEmpty && (notification.readPayload() || rule.stage == .text)
            }
        if canLook && rule.pushTypes.contains(notification.pushTypes)
            && (rule.stage != .document || rule.looksAt.meets(notification.keys))
        {
            rule.check(notification, &reported)
        }
        memory = notification.finish()
        return reported.entries.first.map { Finding(of: rule, $0) }
    }

    private mutating func run(
        _ checks: Checks, on envelope: consuming Envelope, stopsAtFirst: Bool
    ) -> [Finding] {
        var notification = InspectedNotification(envelope, memory: memory.take() ?? InspectedNotification.Memory())
        var collector = Collector(rules: checks.rules, stopsAtFirst: stopsAtFirst)
        collector.run(checks, on: &notification)
        memory = notification.finish()
        return collector.findings
    }
}

extension Validator {
    /// The checks of some rules by stage. The hot path walks these instead of the rules, whose many texts would each be
    /// retained and released on the way.
    private struct Checks: Sendable {
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

    private struct Collector {
        let rules: [Rule]
        let stopsAtFirst: Bool
        var reported = Findings()
        var findings: [Finding] = []

        mutating func run(_ checks: Checks, on notification: inout InspectedNotification) {
            if run(checks.headers, on: notification) { return }
            guard checks.needPayload, !notification.envelope.payload.isEmpty else { return }
            let isJSON = notification.readPayload()
            if run(checks.text, on: notification) || !isJSON { return }
            _ = run(checks.document, on: notification)
        }

        /// - Returns: Whether to stop here.
        private mutating func run(_ checks: CheckTable, on notification: borrowing InspectedNotification) -> Bool {
            checks.run(on: notification, into: &reported) { rule, entries in
                let rule = rules[rule]
                findings += entries.map { Finding(of: rule, $0) }
                return stopsAtFirst
            }
        }
    }
}
