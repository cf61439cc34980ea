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
        /// A message about a bad line, with its place.
        case fault(String)
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
    private var reader = EnvelopeReader()
    private var validator: Validator?
    private var recordReader = JSONReader()

    /// Reads device tokens. The payload of the template was checked before.
    init(_ template: MessageTemplate, deviceTokens: [DeviceToken], tokenFile: LineReader? = nil) {
        self.template = template
        self.deviceTokens = deviceTokens
        self.tokenFile = tokenFile
        batch = nil
        defaults = EnvelopeDefaults()
        validator = nil
    }

    /// Reads envelopes, and checks each if `validates`.
    init(batch: LineReader, defaults: EnvelopeDefaults, validates: Bool) {
        template = nil
        deviceTokens = []
        tokenFile = nil
        self.batch = batch
        self.defaults = defaults
        validator = validates ? Validator() : nil
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

    /// The next item; nil at the end, or when `stop` is raised while this waits.
    mutating func next(until stop: StopSignal?) throws(FileError) -> Item? {
        while true {
            if let notification = waiting.popLast() { return .notification(notification) }
            if nextDeviceToken < deviceTokens.count {
                expand(deviceTokens[nextDeviceToken])
                nextDeviceToken += 1
            } else if let tokenFile {
                guard let line = try tokenFile.next(until: stop) else { return nil }
                if let fault = take(tokenLine: line, of: tokenFile.name) { return .fault(fault) }
            } else if let batch {
                guard let line = try batch.next(until: stop) else { return nil }
                if let item = take(batchLine: line, of: batch.name) { return item }
            } else {
                return nil
            }
        }
    }

    private mutating func expand(_ deviceToken: DeviceToken) {
        waiting = template?.notifications(to: deviceToken).reversed() ?? []
    }

    private mutating func take(tokenLine line: LineReader.Line, of name: String) -> String? {
        let place = "\(name):\(line.number): "
        guard let bytes = line.bytes else { return place + NotificationReader.tooLong }
        switch DeviceTokenLine(bytes) {
        case .nothing: return nil
        case .fault(let fault): return place + fault
        case .deviceToken(let deviceToken):
            expand(deviceToken)
            return nil
        }
    }

    private mutating func take(batchLine line: LineReader.Line, of name: String) -> Item? {
        guard let bytes = line.bytes else { return .fault("\(name):\(line.number): \(NotificationReader.tooLong)") }
        let read = BatchLine.read(
            bytes, name: name, number: line.number, defaults: defaults, with: &reader, &recordReader)
        switch read {
        case .nothing: return nil
        case .fault(let fault): return .fault(fault)
        case .recorded(let recorded, let verdict):
            // It is sent unchanged, whatever a check would find.
            guard let obstacle = recorded.obstacle else { return .recorded(recorded.notification, verdict) }
            return .unsendable(recorded.notification, verdict, obstacle)
        case .notification(let notification, let sourced):
            guard validator?.firstError(for: notification) != nil else { return .notification(notification) }
            return .heldBack(notification, report: report(on: notification, sourced))
        }
    }

    private mutating func report(on notification: APNSNotification, _ sourced: SourcedEnvelope) -> String {
        var sourced = sourced
        sourced.envelope = Envelope(notification)
        let findings = validator?.findings(for: sourced.envelope).filter { $0.severity == .error } ?? []
        var reporter = TextReporter()
        return reporter.report(findings, in: sourced)
    }

    private static let tooLong = "the line has more than \(LineReader.maximumBytes) bytes and was skipped"
}
