import APNSModel
import APNSPayload
import APNSProvider
import PayloadJSON

/// Reads the notifications of `apns send` one by one: those to the device tokens of options, then of a file, or a batch.
/// Blocks the thread where the input is a pipe or a terminal.
struct NotificationReader {
    enum Item {
        case notification(APNSNotification)
        /// A notification that a gateway recorded, with the recorded answer.
        case recorded(APNSNotification, RecordedVerdict)
        /// A recorded notification that cannot be sent unchanged.
        case unsendable(APNSNotification, RecordedVerdict, APNSSendError)
        case bad(BadLine)
        /// Not sent, because a check found an error, which the report shows.
        case heldBack(APNSNotification, report: String)
    }

    private let deviceTokens: [DeviceToken]
    private var nextDeviceToken = 0
    private let template: MessageTemplate?
    private let tokenFile: LineReader?
    private let batch: LineReader?
    private let defaults: EnvelopeDefaults
    private var waiting: [APNSNotification] = []
    /// The line of the last item, from 1; nil where it comes from an option.
    private(set) var line: Int?
    /// The report of warnings about the last envelope, where it is sent all the same; nil where there are none.
    private(set) var warnings: String?
    private var plainReader: PlainEnvelopeReader
    private var reader = EnvelopeReader()
    private var validator: Validator?
    private let reportsWarnings: Bool
    private var recordReader = JSONReader()

    /// Reads device tokens. The payload of the template was checked before.
    init(_ template: MessageTemplate, deviceTokens: [DeviceToken], tokenFile: LineReader? = nil) {
        self.template = template
        self.deviceTokens = deviceTokens
        self.tokenFile = tokenFile
        batch = nil
        defaults = EnvelopeDefaults()
        plainReader = PlainEnvelopeReader(defaults: defaults)
        validator = nil
        reportsWarnings = false
    }

    /// Reads envelopes, and checks each if `validates`.
    ///
    /// - Parameter reportsWarnings: Whether a check looks for more than the first error. That takes much longer.
    init(batch: LineReader, defaults: EnvelopeDefaults, validates: Bool, reportsWarnings: Bool = false) {
        template = nil
        deviceTokens = []
        tokenFile = nil
        self.batch = batch
        self.defaults = defaults
        plainReader = PlainEnvelopeReader(defaults: defaults)
        validator = validates ? Validator() : nil
        self.reportsWarnings = reportsWarnings && validates
    }

    /// Whether `next` returns without blocking.
    var isReady: Bool {
        if !waiting.isEmpty || nextDeviceToken < deviceTokens.count { return true }
        return (tokenFile ?? batch)?.isReady ?? true
    }

    /// Whether the rest of the input can be read without blocking.
    var restIsReady: Bool {
        guard let lines = tokenFile ?? batch else { return true }
        return lines.file.isRegular || lines.isAtEnd
    }

    /// The part of a file that was read, from 0 to 1; nil where the input is no file whose size is known.
    var readPart: Double? {
        guard let lines = tokenFile ?? batch, lines.file.size > 0 else { return nil }
        return min(Double(lines.bytesReturned) / Double(lines.file.size), 1)
    }

    /// The next item; nil at the end, or when `stop` is raised while this waits.
    mutating func next(until stop: StopSignal?) throws(FileError) -> Item? {
        while true {
            if let notification = waiting.popLast() { return .notification(notification) }
            if nextDeviceToken < deviceTokens.count {
                expand(deviceTokens[nextDeviceToken])
                nextDeviceToken += 1
            } else if let tokenFile {
                guard let line = try tokenFile.next(until: stop) else { return nil }
                self.line = line.number
                if let bad = take(tokenLine: line, of: tokenFile.name) { return .bad(bad) }
            } else if let batch {
                let taken = try batch.next(until: stop) { number, bytes in
                    take(batchLine: bytes, number, of: batch.name)
                }
                guard let item = taken else { return nil }
                if let item { return item }
            } else {
                return nil
            }
        }
    }

    private mutating func expand(_ deviceToken: DeviceToken) {
        waiting = template?.notifications(to: deviceToken).reversed() ?? []
    }

    private mutating func take(tokenLine line: LineReader.Line, of name: String) -> BadLine? {
        guard let bytes = line.bytes else {
            return BadLine(input: name, number: line.number, problem: NotificationReader.tooLong)
        }
        switch DeviceTokenLine(bytes) {
        case .nothing: return nil
        case .fault(let fault): return BadLine(input: name, number: line.number, problem: fault)
        case .deviceToken(let deviceToken):
            expand(deviceToken)
            return nil
        }
    }

    /// - Returns: Nil for a blank line.
    private mutating func take(batchLine bytes: UnsafeRawBufferPointer?, _ number: Int, of name: String) -> Item? {
        line = number
        warnings = nil
        guard let bytes else {
            return .bad(BadLine(input: name, number: number, problem: NotificationReader.tooLong))
        }
        // Nearly every line has the usual form and no error. What it is otherwise is found in the general way.
        if !reportsWarnings, var notification = plainReader.notification(in: bytes) {
            notification.addNeededPriority()
            if validator?.firstError(for: notification) == nil { return .notification(notification) }
        }
        let read = BatchLine.read(
            Array(bytes), name: name, number: number, defaults: defaults, with: &reader, &recordReader)
        switch read {
        case .nothing: return nil
        case .bad(let bad): return .bad(bad)
        case .recorded(let recorded, let verdict):
            // It is sent unchanged, whatever a check would find.
            guard let obstacle = recorded.obstacle else { return .recorded(recorded.notification, verdict) }
            return .unsendable(recorded.notification, verdict, obstacle)
        case .notification(let notification, let sourced):
            guard validator?.firstError(for: notification) != nil else {
                if reportsWarnings {
                    let report = report(on: notification, sourced)
                    warnings = report.isEmpty ? nil : report
                }
                return .notification(notification)
            }
            return .heldBack(notification, report: report(on: notification, sourced))
        }
    }

    private mutating func report(on notification: APNSNotification, _ sourced: SourcedEnvelope) -> String {
        var sourced = sourced
        let problems = sourced.envelope.problems
        sourced.envelope = Envelope(notification)
        sourced.envelope.problems = problems
        let least: Severity = reportsWarnings ? .warning : .error
        let findings = validator?.findings(for: sourced.envelope).filter { $0.severity >= least } ?? []
        var reporter = TextReporter()
        return reporter.report(findings, in: sourced)
    }

    private static let tooLong = "the line has more than \(LineReader.maximumBytes) bytes and was skipped"
}
