public import APNSModel
import PayloadJSON

/// Checks notifications against rules. Use one validator for many notifications: it reuses the memory for payloads.
///
/// ```swift
/// var validator = Validator()
/// for finding in validator.findings(for: envelope) { print(finding) }
/// ```
public struct Validator: Sendable {
    public var rules: [Rule] { all.rules }
    /// The current time in seconds since 1970-01-01 UTC, for rules that compare times with it. If it is nil, these
    /// rules find nothing.
    public var now: Int64?
    private let all: Checks
    private let errors: Checks
    private var storage = Storage()
    /// The last notification without an error. A bulk send usually has one payload for many device tokens.
    private var lastValid: APNSNotification?
    /// How many notifications in a row had the headers of the one before.
    private var repeats = 0

    /// After so many, what is known of the headers is kept. Keeping it costs more than one check.
    private static let repeatsToKeep = 8

    private static let sharedChecks = Checks(Rule.all) { _ in true }
    private static let sharedErrorChecks = Checks(Rule.all) { $0.severity == .error }
    private static let sharedTolerantChecks = Checks(Rule.allAllowingNewPushTypes) { _ in true }
    private static let sharedTolerantErrorChecks = Checks(Rule.allAllowingNewPushTypes) { $0.severity == .error }

    /// A validator with every rule.
    public init() {
        all = Validator.sharedChecks
        errors = Validator.sharedErrorChecks
    }

    public init(rules: [Rule]) { self.init(rules: rules, prunes: true) }

    /// A validator with every rule.
    ///
    /// - Parameter allowsNewPushTypes: Whether a push type that this version does not know passes. One that looks like a
    ///   misspelt known push type never does.
    public init(allowsNewPushTypes: Bool) {
        all = allowsNewPushTypes ? Validator.sharedTolerantChecks : Validator.sharedChecks
        errors = allowsNewPushTypes ? Validator.sharedTolerantErrorChecks : Validator.sharedErrorChecks
    }

    /// - Parameter prunes: Whether a check is skipped for payloads that have nothing that its rule looks at. Otherwise
    ///   the findings are the same and take longer.
    package init(rules: [Rule], prunes: Bool) {
        all = Checks(rules, prunes: prunes) { _ in true }
        errors = Checks(rules, prunes: prunes) { $0.severity == .error }
    }

    /// All findings: first those about headers and the payload as a whole, then by offset in the payload, then in the
    /// order of the rules.
    public mutating func findings(for envelope: Envelope) -> [Finding] {
        Validator.sorted(run(all, on: envelope, stopsAtFirst: false))
    }

    private static func sorted(_ found: [Finding]) -> [Finding] {
        guard found.count > 1 else { return found }
        let starts = found.indices.map { found[$0].range?.lowerBound ?? -1 }
        guard zip(starts, starts.dropFirst()).contains(where: >) else { return found }
        // Numbers are sorted, and not findings, which are large.
        return starts.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }.map { found[$0] }
    }

    /// Whether a text is a bare payload without findings. False for an envelope, a simulator file, text that is not
    /// JSON, and a payload with findings. Then `EnvelopeReader` and `findings` give the details.
    public mutating func isCleanPayload(
        _ text: UnsafeRawBufferPointer, topic: String? = nil, pushType: String? = nil
    ) -> Bool {
        ensureOwnStorage()
        let findings = storage.workspace.findings(
            ofBare: text, topic: topic, pushType: pushType, at: now, all, stopsAtFirst: true)
        return findings?.isEmpty ?? false
    }

    /// All findings of a text that is a bare payload or is not JSON, in the order of `findings(for:)`. Nil for an
    /// envelope and for a simulator file, which `EnvelopeReader` must read first.
    ///
    /// For streams of many notifications: it reads the text once and does not copy a valid payload. A rule does not run
    /// for a payload that differs from an earlier one only in strings and numbers that the rule does not read.
    public mutating func findings(
        forPayload text: UnsafeRawBufferPointer, topic: String? = nil, pushType: String? = nil
    ) -> [Finding]? {
        ensureOwnStorage()
        let found = storage.workspace.findings(
            ofBare: text, topic: topic, pushType: pushType, at: now, all, stopsAtFirst: false)
        return found.map(Validator.sorted)
    }

    /// The findings of one line of a stream, in the order of `findings(for:)`: of a bare payload or a text that is not JSON,
    /// and none for an envelope in its usual form without findings. Nil for everything else, which `EnvelopeReader` must read
    /// first.
    package mutating func findings(
        forLine text: UnsafeRawBufferPointer, topic: String? = nil, pushType: String? = nil
    ) -> [Finding]? {
        ensureOwnStorage()
        let found = storage.workspace.findings(
            ofBare: text, topic: topic, pushType: pushType, at: now, all, stopsAtFirst: false, readsEnvelopes: true)
        return found.map(Validator.sorted)
    }

    /// The first finding of severity error, if any. Headers and size are checked before the payload is read.
    public mutating func firstError(for envelope: consuming Envelope) -> Finding? {
        run(errors, on: envelope, stopsAtFirst: true).first
    }

    /// The first finding of severity error in a notification that is about to be sent.
    ///
    /// A notification that differs from the last one without an error only in device token and id has no error either:
    /// their types allow no value that a rule would report. For one that differs in the payload or in the value of the
    /// collapse id, the rules run that looked at values in an earlier payload of the same form.
    public mutating func firstError(for notification: borrowing APNSNotification) -> Finding? {
        if let lastValid, lastValid.topic == notification.topic, lastValid.pushType == notification.pushType,
            lastValid.priority == notification.priority, lastValid.expiration == notification.expiration,
            (lastValid.collapseID == nil) == (notification.collapseID == nil)
        {
            let hasSameID = lastValid.collapseID == notification.collapseID
            if hasSameID, lastValid.payload == notification.payload { return nil }
            repeats += 1
            if repeats >= Validator.repeatsToKeep, hasSameID || notification.collapseID.isWellFormed {
                ensureOwnStorage()
                let isClean = storage.workspace.hasNoError(
                    notification.payload, headersOf: notification, at: now, errors)
                if isClean {
                    self.lastValid?.payload = notification.payload
                    if !hasSameID { self.lastValid?.collapseID = notification.collapseID }
                    return nil
                }
            }
        } else {
            repeats = 0
        }
        let finding = firstError(for: Envelope(notification))
        lastValid = finding == nil ? copy notification : nil
        return finding
    }

    /// The first finding of one rule, for a caller with its own order of checks, such as a gateway.
    ///
    /// A rule about values finds nothing in a payload that is not JSON.
    package mutating func finding(of rule: Rule, for envelope: Envelope) -> Finding? {
        ensureOwnStorage()
        return storage.workspace.finding(of: rule, for: envelope, at: now)
    }

    private mutating func run(_ checks: Checks, on envelope: consuming Envelope, stopsAtFirst: Bool) -> [Finding] {
        ensureOwnStorage()
        return storage.workspace.findings(of: checks, for: envelope, at: now, stopsAtFirst: stopsAtFirst)
    }

    /// A copy of a validator shares its storage until one of them is used.
    private mutating func ensureOwnStorage() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage() }
    }
}

extension Validator {
    /// The checks of some rules by stage. The hot path iterates over these and not over the rules, because that would
    /// retain and release each of their strings. A class for the same reason as `CheckTable`.
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

    /// Holds a workspace. A class, because moving the parts of a struct took longer than the rules.
    ///
    /// `@unchecked Sendable`: a validator uses it only while it holds the only reference.
    private final class Storage: @unchecked Sendable {
        // A validator is a value, so the compiler has checked that no other access overlaps.
        @exclusivity(unchecked) var workspace = Workspace()
    }

    /// Memory that is reused from one notification to the next.
    private struct Workspace: ~Copyable {
        private var notification = InspectedNotification()
        /// The findings of the check that is running; otherwise empty.
        private var reported = Findings()
        /// Known for bare payloads with the headers below: the lengths for which no rule about headers finds anything,
        /// and the checks that are still needed.
        private var cleanLengths: [Bool] = []
        private var cache = CheckCache()
        private var bareTopic: String?
        private var barePushType: String?
        /// Whether `cleanLengths` and `cache` are about the headers that `notification` keeps, and not a bare payload.
        private var knowsKeptHeaders = false
        /// What is known of the headers of the envelopes of a stream.
        private var lineScratch = EnvelopeLine.Scratch()
        private var contexts = EnvelopeContexts()
        /// Whether the last text was an envelope in its usual form. Then the next one usually is, too.
        private var expectsEnvelope = false

        mutating func findings(
            of checks: Checks, for envelope: consuming Envelope, at now: Int64?, stopsAtFirst: Bool
        ) -> [Finding] {
            notification.now = now
            notification.begin(envelope)
            defer { notification.end() }
            var findings: [Finding] = []
            if collect(checks.headers, of: checks.rules, stopsAtFirst, into: &findings) { return findings }
            guard checks.needPayload, !notification.envelope.payload.isEmpty,
                !notification.envelope.hasUnreadablePayload
            else { return findings }
            let isJSON = notification.readPayload()
            if collect(checks.text, of: checks.rules, stopsAtFirst, into: &findings) || !isJSON { return findings }
            _ = collect(checks.document, of: checks.rules, stopsAtFirst, into: &findings)
            return findings
        }

        /// - Returns: Whether to stop.
        private mutating func collect(
            _ checks: CheckTable, of rules: [Rule], _ stopsAtFirst: Bool, into findings: inout [Finding]
        ) -> Bool {
            checks.run(on: notification, into: &reported) { rule, entries in
                findings.append(entries, of: rules, rule)
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

        /// - Returns: Nil for an envelope and for a simulator file.
        mutating func findings(
            ofBare text: UnsafeRawBufferPointer, topic: String?, pushType: String?, at now: Int64?, _ checks: Checks,
            stopsAtFirst: Bool, readsEnvelopes: Bool = false
        ) -> [Finding]? {
            notification.now = now
            defer { notification.end() }
            let isJSON = notification.read(text, topic: topic, pushType: pushType)
            if isJSON {
                // First, because then no other keys have to be looked for.
                if readsEnvelopes, expectsEnvelope,
                    let isClean = isCleanEnvelope(topic: topic, pushType: pushType, checks)
                {
                    return isClean ? [] : nil
                }
                notification.begin(bareWith: topic, pushType)
                if notification.isWrapped {
                    guard readsEnvelopes, !expectsEnvelope else {
                        expectsEnvelope = false
                        return nil
                    }
                    let isClean = isCleanEnvelope(topic: topic, pushType: pushType, checks)
                    expectsEnvelope = isClean != nil
                    return isClean == true ? [] : nil
                }
                expectsEnvelope = false
            }
            if topic != bareTopic || pushType != barePushType || knowsKeptHeaders {
                knowsKeptHeaders = false
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
            // Rules of the stage `text` are about texts that are not JSON.
            guard isJSON else {
                _ = collect(checks.text, of: checks.rules, stopsAtFirst, into: &findings)
                return findings
            }
            _ = checks.document.run(on: notification, using: &cache, into: &reported) { rule, entries in
                findings.append(entries, of: checks.rules, rule)
                return stopsAtFirst
            }
            return findings
        }

        /// Whether the line that was read has no findings; nil if it is not an envelope in its usual form.
        private mutating func isCleanEnvelope(topic: String?, pushType: String?, _ checks: Checks) -> Bool? {
            guard let found = EnvelopeLine(notification.document, &lineScratch, now: notification.now),
                let context = contexts.context(of: found, in: notification.document, topic: topic, pushType: pushType)
            else { return nil }
            return context.isClean(
                found.payload, of: notification.document, at: notification.now, headerChecks: checks.headers,
                checks: checks.document, &reported)
        }

        /// Whether a payload has no error with the headers of the last notification without one. Where it is false, the
        /// payload has to be checked in the general way.
        mutating func hasNoError(
            _ payload: [UInt8], headersOf notification: borrowing APNSNotification, at now: Int64?, _ checks: Checks
        ) -> Bool {
            if !self.notification.keepsHeaders {
                self.notification.keepHeaders(of: Envelope(notification))
                cleanLengths.removeAll()
                cache.removeAll()
                knowsKeptHeaders = true
            }
            self.notification.now = now
            defer { self.notification.end() }
            guard !payload.isEmpty, self.notification.begin(payload: payload), headersAreClean(checks.headers) else {
                return false
            }
            return !checks.document.run(on: self.notification, using: &cache, into: &reported) { _, _ in true }
        }

        /// Rules of the stage `headers` use the headers and the number of bytes only, so for the same headers the
        /// result is the same for all payloads of one length.
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

extension CollapseID? {
    /// Whether there is no value, or one that no rule about errors reports. Recorded values may be others.
    fileprivate var isWellFormed: Bool {
        guard let value = self?.value else { return true }
        return value.withBytes { CollapseID.isWellFormed($0) }
    }
}
