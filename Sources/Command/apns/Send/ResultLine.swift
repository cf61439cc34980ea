import APNSModel
import APNSProvider
import PayloadJSON

/// The result of a notification, as `apns send` prints it.
struct ResultLine: Hashable, Sendable {
    var deviceToken: DeviceToken
    /// Empty for a notification without an id that was not sent.
    var apnsID: String
    var outcome: APNSOutcome
    var attempts: Int
    var nanoseconds: Int64
    /// The line of the input, from 1; nil for a notification that does not come from one.
    var line: Int?
    /// The recorded outcome; nil for a notification that is not from a record.
    var recorded: RecordedVerdict?

    init(_ result: APNSSendResult) {
        deviceToken = result.deviceToken
        apnsID = result.apnsIDText
        outcome = result.outcome
        attempts = result.attempts
        nanoseconds = result.durationNanoseconds
    }

    /// A notification that was not passed to the provider.
    init(unsent notification: APNSNotification, _ error: APNSSendError, line: Int? = nil) {
        self.init(notification, .unsent(error), line: line)
    }

    /// A notification that was not passed to the provider in this run.
    init(_ notification: APNSNotification, _ outcome: APNSOutcome, line: Int? = nil) {
        deviceToken = notification.deviceToken
        apnsID = notification.id?.text ?? ""
        self.outcome = outcome
        attempts = 0
        nanoseconds = 0
        self.line = line
    }

    func text(style: Style) -> String {
        var buffer = TextBuffer(capacity: 256)
        write(style: style, to: &buffer)
        return buffer.text
    }

    var json: String {
        var buffer = TextBuffer(capacity: 512)
        writeJSON(to: &buffer)
        return buffer.text
    }

    // MARK: For people

    /// Writes mark, shortened device token, outcome, `apns-id`, and what to do about a refusal, without a line end. What was not
    /// accepted has its line in the input.
    func write(style: Style, to buffer: inout TextBuffer) {
        switch outcome {
        case .accepted(let apnsID, let uniqueID):
            if style.isColoured { buffer.append("\u{1B}[32m✓\u{1B}[0m ") } else { buffer.append("✓ ") }
            buffer.appendShortened(deviceToken)
            buffer.append(" accepted  apns-id ")
            buffer.appendSafe(apnsID.text)
            if let uniqueID {
                buffer.append("  apns-unique-id ")
                buffer.appendSafe(uniqueID)
            }
        case .refused(let refusal):
            let reason = refusal.reason
            let code = reason.code.isEmpty ? "no reason" : PlainText.safe(reason.code)
            let since = refusal.timestamp.map { " (\(UTCText.text($0 / 1000)))" } ?? ""
            let wait = refusal.retryAfter.map { "; the gateway asks to wait \(DurationText.short($0))" } ?? ""
            begin(style.bad("✗"), "refused   \(style.strong(code)) (\(reason.status))", &buffer)
            buffer.append(string: "\n    \(RefusalAdvice.line(for: reason))\(since)\(wait)")
        case .unsent(let error): begin(style.bad("✗"), "unsent    \(PlainText.safe(error.code.rawValue))", &buffer)
        case .unknown(let error):
            begin(style.doubtful("?"), "unknown   \(PlainText.safe(error.code.rawValue))", &buffer)
        }
    }

    private func begin(_ mark: String, _ outcome: String, _ buffer: inout TextBuffer) {
        buffer.append(string: mark)
        buffer.append(" ")
        buffer.appendShortened(deviceToken)
        buffer.append(string: " \(outcome)")
        if !apnsID.isEmpty {
            buffer.append("  apns-id ")
            buffer.appendSafe(apnsID)
        }
        if let line { buffer.append(string: "  line \(line)") }
    }

    // MARK: For scripts

    /// Writes one JSON object with the keys of docs/reference/interfaces.md 1.2 and the whole device token, without a line end.
    ///
    /// Where there is no answer also `error` and `detail`, and `retry-after` where the gateway asked for a wait. For a
    /// notification from a record also `recorded`, and as `differs` whether the answer is another one now. Last the `line` of
    /// the input.
    func writeJSON(to buffer: inout TextBuffer) {
        buffer.append(#"{"token":"#)
        buffer.appendJSON(deviceToken.hex)
        switch outcome {
        case .accepted(let id, let uniqueID):
            writeIDs(id.text, uniqueID, &buffer)
            buffer.append(#","outcome":"accepted","status":200,"reason":null,"timestamp":null"#)
            writeAttempts(&buffer)
        case .refused(let refusal):
            writeIDs(refusal.apnsID?.text ?? (apnsID.isEmpty ? nil : apnsID), nil, &buffer)
            buffer.append(#","outcome":"refused","status":"#)
            buffer.append(refusal.reason.status)
            buffer.append(#","reason":"#)
            buffer.appendJSON(refusal.reason.code.isEmpty ? nil : refusal.reason.code)
            buffer.append(#","timestamp":"#)
            if let timestamp = refusal.timestamp { buffer.append(Int(timestamp)) } else { buffer.append("null") }
            writeAttempts(&buffer)
            if let wait = refusal.retryAfter {
                buffer.append(#","retry-after":"#)
                buffer.append(Int(wait.components.seconds))
            }
        case .unsent(let error), .unknown(let error):
            writeIDs(apnsID.isEmpty ? nil : apnsID, nil, &buffer)
            buffer.append(#","outcome":""#)
            buffer.append(string: outcome.name)
            buffer.append(#"","status":null,"reason":null,"timestamp":null"#)
            writeAttempts(&buffer)
            buffer.appendError(error.code.rawValue, error.detail)
        }
        if let recorded {
            let differs = recorded.difference(from: outcome) != nil
            buffer.append(string: #","recorded":\#(recorded.json),"differs":\#(differs)"#)
        }
        if let line {
            buffer.append(#","line":"#)
            buffer.append(line)
        }
        buffer.append("}")
    }

    private func writeIDs(_ apnsID: String?, _ uniqueID: String?, _ buffer: inout TextBuffer) {
        buffer.append(#","apns-id":"#)
        buffer.appendJSON(apnsID)
        buffer.append(#","apns-unique-id":"#)
        buffer.appendJSON(uniqueID)
    }

    private func writeAttempts(_ buffer: inout TextBuffer) {
        buffer.append(#","attempts":"#)
        buffer.append(attempts)
        buffer.append(#","milliseconds":"#)
        let (whole, fraction) = DurationText.parts(Double(nanoseconds) / 1_000_000, scale: 10)
        buffer.append(whole)
        buffer.append(UInt8(ascii: "."))
        buffer.append(fraction)
    }
}

extension TextBuffer {
    mutating func appendError(_ code: String, _ detail: String) {
        append(#","error":"#)
        appendJSON(code)
        append(#","detail":"#)
        appendJSON(detail)
    }

    /// The first and last four digits of a device token.
    fileprivate mutating func appendShortened(_ deviceToken: DeviceToken) {
        var hex = deviceToken.hex
        hex.withUTF8 { utf8 in
            // A character of a recorded device token may have several bytes.
            guard utf8.count > 8, PlainText.isPrintableASCII(utf8) else {
                return append(string: PlainText.safe(deviceToken.shortened))
            }
            append(UnsafeBufferPointer(rebasing: utf8[..<4]))
            append("…")
            append(UnsafeBufferPointer(rebasing: utf8[(utf8.count - 4)...]))
        }
    }
}
