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
        /// A message to a channel.
        case broadcast(APNSBroadcast)
        case heldBackBroadcast(APNSBroadcast, report: String)
        case bad(BadLine)
        /// Not sent, because a check found an error, which the report shows.
        case heldBack(APNSNotification, report: String)
    }

    private let deviceTokens: [DeviceToken]
    private var nextDeviceToken = 0
    private let template: MessageTemplate?
    private let tokenFile: LineReader?
    private let batch: LineReader?
    /// The file of recipients, and what renders their notifications.
    private let recipients: LineReader?
    private var renderer: RecipientRenderer?
    private let defaults: EnvelopeDefaults
    /// The channel of envelopes that name neither a device nor a channel.
    private let channelID: ChannelID?
    /// The options that give `defaults` and `channelID`, by the name of the header.
    private let headerOptions: [String: String]
    private var waiting: [APNSNotification] = []
    /// The line of the last item, from 1; nil where it comes from an option.
    private(set) var line: Int?
    /// The report of warnings about the last envelope, if the envelope is still sent; nil where there are none.
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
        recipients = nil
        renderer = nil
        defaults = EnvelopeDefaults()
        channelID = nil
        headerOptions = [:]
        plainReader = PlainEnvelopeReader(defaults: defaults)
        validator = nil
        reportsWarnings = false
    }

    /// Reads envelopes, and checks each if `validates`.
    ///
    /// - Parameters:
    ///   - channelID: The channel of envelopes that name neither a device nor a channel.
    ///   - headerOptions: The options that give `defaults` and `channelID`, for messages, by the name of the header.
    ///   - reportsWarnings: Whether a check looks for more than the first error. That takes much longer.
    init(
        batch: LineReader, defaults: EnvelopeDefaults, channelID: ChannelID? = nil,
        headerOptions: [String: String] = [:], validates: Bool, allowsNewPushTypes: Bool = false,
        reportsWarnings: Bool = false
    ) {
        template = nil
        deviceTokens = []
        tokenFile = nil
        self.batch = batch
        recipients = nil
        renderer = nil
        self.defaults = defaults
        self.channelID = channelID
        self.headerOptions = headerOptions
        plainReader = PlainEnvelopeReader(defaults: defaults)
        validator = validates ? Validator(allowsNewPushTypes: allowsNewPushTypes) : nil
        self.reportsWarnings = reportsWarnings && validates
    }

    /// Reads recipients, and renders and checks the notification of each.
    init(recipients: LineReader, _ renderer: RecipientRenderer) {
        template = nil
        deviceTokens = []
        tokenFile = nil
        batch = nil
        self.recipients = recipients
        self.renderer = renderer
        defaults = EnvelopeDefaults()
        channelID = nil
        headerOptions = [:]
        plainReader = PlainEnvelopeReader(defaults: defaults)
        validator = nil
        reportsWarnings = false
    }

    /// The file that is read line by line; nil where there is none.
    private var lines: LineReader? { tokenFile ?? batch ?? recipients }

    /// Whether `next` returns without blocking.
    var isReady: Bool {
        if !waiting.isEmpty || nextDeviceToken < deviceTokens.count { return true }
        return lines?.isReady ?? true
    }

    /// Whether the rest of the input can be read without blocking.
    var restIsReady: Bool {
        guard let lines else { return true }
        return lines.file.isRegular || lines.isAtEnd
    }

    /// The part of a file that was read, from 0 to 1; nil where the input is not a file whose size is known.
    var readPart: Double? {
        guard let lines, lines.file.size > 0 else { return nil }
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
            } else if let recipients {
                guard let line = try recipients.next(until: stop) else { return nil }
                if let item = take(recipientLine: line, of: recipients.name) { return item }
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
            Array(bytes), name: name, number: number, defaults: defaults, channelID: channelID, with: &reader,
            &recordReader)
        switch read {
        case .nothing: return nil
        case .bad(let bad): return .bad(bad)
        case .recorded(let recorded, let verdict):
            // It is sent unchanged, whatever a check would find.
            guard let obstacle = recorded.obstacle else { return .recorded(recorded.notification, verdict) }
            return .unsendable(recorded.notification, verdict, obstacle)
        case .broadcast(let broadcast, let sourced):
            let envelope = Envelope(broadcast)
            guard validator?.firstError(for: envelope) != nil else {
                if reportsWarnings { setWarnings(report(on: envelope, sourced)) }
                return .broadcast(broadcast)
            }
            return .heldBackBroadcast(broadcast, report: report(on: envelope, sourced))
        case .notification(let notification, let sourced):
            guard validator?.firstError(for: notification) != nil else {
                if reportsWarnings { setWarnings(report(on: Envelope(notification), sourced)) }
                return .notification(notification)
            }
            return .heldBack(notification, report: report(on: Envelope(notification), sourced))
        }
    }

    /// - Returns: Nil for a blank line.
    private mutating func take(recipientLine read: LineReader.Line, of name: String) -> Item? {
        line = read.number
        warnings = nil
        guard let bytes = read.bytes else {
            return .bad(BadLine(input: name, number: read.number, problem: NotificationReader.tooLong))
        }
        switch renderer?.render(Array(bytes), name: name, number: read.number) {
        case .nothing, nil: return nil
        case .bad(let bad): return .bad(bad)
        case .heldBack(let notification, let report): return .heldBack(notification, report: report)
        case .notification(let notification, let report):
            warnings = report
            return .notification(notification)
        }
    }

    private mutating func setWarnings(_ report: String) { warnings = report.isEmpty ? nil : report }

    private mutating func report(on envelope: Envelope, _ sourced: SourcedEnvelope) -> String {
        var sourced = sourced
        let written = sourced.envelope
        sourced.envelope = envelope
        sourced.envelope.problems = written.problems
        sourced.headerOptions = headerOptions.filter { written.value(ofHeader: $0.key) == nil }
        let least: Severity = reportsWarnings ? .warning : .error
        let findings = validator?.findings(for: sourced.envelope).filter { $0.severity >= least } ?? []
        var reporter = TextReporter()
        return reporter.report(findings, in: sourced)
    }

    private static let tooLong = "the line has more than \(LineReader.maximumBytes) bytes and was skipped"
}
