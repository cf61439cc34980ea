import APNSModel
import APNSPayload
import APNSProvider

/// Shows what `apns send` would send, and sends nothing.
struct SendPreview {
    var form: PreviewForm
    var curl: CurlCommand
    /// What stands for the value of `authorization`; nil for a sender with a certificate.
    var authorization: String?
    var validates: Bool
    /// How messages name the file that is read line by line; nil where there is none.
    var inputName: String?
    var output: Output

    private var validator: Validator
    private var shown = 0
    private var bad = 0
    /// Whether there was a notification for a line of curl.
    private var hasLine = false
    /// The first line of curl, until it is known whether there is another one.
    private var held: APNSNotification?

    init(
        form: PreviewForm, curl: CurlCommand, authorization: String?, validates: Bool,
        allowsNewPushTypes: Bool, inputName: String? = nil, output: Output
    ) {
        self.form = form
        self.curl = curl
        self.authorization = authorization
        self.validates = validates
        self.inputName = inputName
        self.output = output
        validator = Validator(allowsNewPushTypes: allowsNewPushTypes)
    }

    /// - Returns: `done` when all of the input could be sent, `no` when a line is bad or a check found an error, `failed`
    ///   when there is nothing to send.
    mutating func show(_ input: NotificationReader) throws(CommandError) -> ExitStatus {
        var input = input
        do throws(FileError) {
            while let item = try input.next(until: nil), !output.isBroken {
                switch item {
                case .notification(let notification):
                    if let warnings = input.warnings { output.note(String(warnings.dropLast())) }
                    show(notification, checks: validates)
                // It is sent unchecked.
                case .recorded(let notification, _): show(notification, checks: false)
                case .heldBack(let notification, let report):
                    output.note(String(report.dropLast()))
                    show(notification, checks: true)
                case .broadcast(let broadcast):
                    if let warnings = input.warnings { output.note(String(warnings.dropLast())) }
                    show(broadcast)
                case .heldBackBroadcast(let broadcast, let report):
                    output.note(String(report.dropLast()))
                    show(broadcast)
                case .bad(let line):
                    bad += 1
                    output.note(line.message)
                case .unsendable(_, let recorded, let error):
                    bad += 1
                    output.note("\(recorded.place): \(error.detail)")
                }
            }
        } catch {
            throw CommandError(error.description)
        }
        if let held { write(held, isSingle: true) }
        output.flush()
        if shown == 0, bad == 0, let inputName {
            output.note("\(inputName) holds nothing to send.")
            return .failed
        }
        output.note("\(shown) \(shown == 1 ? "notification" : "notifications") shown, nothing sent.")
        return bad == 0 && shown > 0 ? .done : .no
    }

    private mutating func show(_ notification: APNSNotification, checks: Bool) {
        shown += 1
        let findings = checks ? validator.findings(for: Envelope(notification)).filter { $0.severity >= .warning } : []
        let preview = NotificationPreview(notification: notification, gateway: curl.gateway, findings: findings)
        if preview.hasError { bad += 1 }
        switch form {
        case .text: output.result((shown > 1 ? "\n" : "") + preview.text(authorization: authorization))
        case .json: output.result(preview.json)
        case .curl:
            if !hasLine {
                hasLine = true
                held = notification
                return
            }
            if let first = held {
                held = nil
                if let assignment = curl.assignment { output.result(assignment) }
                write(first, isSingle: false)
            }
            write(notification, isSingle: false)
        }
    }

    private mutating func show(_ broadcast: APNSBroadcast) {
        shown += 1
        let findings =
            validates ? validator.findings(for: Envelope(broadcast)).filter { $0.severity >= .warning } : []
        let preview = BroadcastPreview(broadcast: broadcast, gateway: curl.gateway, findings: findings)
        if preview.hasError { bad += 1 }
        switch form {
        case .text: output.result((shown > 1 ? "\n" : "") + preview.text(authorization: authorization))
        case .json: output.result(preview.json)
        case .curl:
            bad += 1
            output.note("\(broadcast.channelID): --print-curl prints no broadcasts; --dry-run shows them.")
        }
    }

    private mutating func write(_ notification: APNSNotification, isSingle: Bool) {
        guard let line = curl.line(notification, isSingle: isSingle) else {
            bad += 1
            output.note(
                "The payload for \(notification.deviceToken.shortened) is not text, so no command line can hold it.")
            return
        }
        output.result(line)
    }
}
