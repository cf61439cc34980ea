import APNSModel
import APNSPayload
import PayloadJSON

/// Renders the notification of each recipient of `apns send --recipients`, and checks it.
struct RecipientRenderer {
    enum Line {
        /// A blank line.
        case nothing
        case bad(BadLine)
        /// - Parameter warnings: The report about it; nil where there is nothing to report.
        case notification(APNSNotification, warnings: String?)
        case heldBack(APNSNotification, report: String)
    }

    private let template: PayloadTemplate
    /// How messages name the template.
    private let templateName: String
    /// What a recipient does not have itself.
    private let defaults: EnvelopeDefaults
    /// The options that give `defaults`, by the name of the header.
    private let headerOptions: [String: String]
    private var reader = JSONReader()
    private var validator: Validator?
    private let reportsWarnings: Bool

    /// How many places a message about a payload that is too large names.
    private static let namedPlaces = 3

    /// - Parameters:
    ///   - headerOptions: The options that give `defaults`, for messages, by the name of the header.
    ///   - validates: Whether each notification is checked.
    ///   - reportsWarnings: Whether a check looks for more than the first error. That takes much longer.
    init(
        _ template: PayloadTemplate, named templateName: String, defaults: EnvelopeDefaults,
        headerOptions: [String: String] = [:], validates: Bool, allowsNewPushTypes: Bool = false,
        reportsWarnings: Bool = false
    ) {
        self.template = template
        self.templateName = templateName
        self.defaults = defaults
        self.headerOptions = headerOptions
        validator = validates ? Validator(allowsNewPushTypes: allowsNewPushTypes) : nil
        self.reportsWarnings = reportsWarnings && validates
    }

    /// Renders the notification of one line.
    ///
    /// - Parameters:
    ///   - name: How messages name the file.
    ///   - number: The number of the line, from 1.
    mutating func render(_ bytes: [UInt8], name: String, number: Int) -> Line {
        guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return .nothing }
        do throws(JSONSyntaxError) {
            try reader.parse(bytes)
        } catch {
            return .bad(.notJSON(bytes, error, input: name, number: number))
        }
        guard reader.document.isObject(.root) else {
            return .bad(
                BadLine(
                    input: name, number: number,
                    problem: "this is not a recipient; each line is an object with the key token and the values of "
                        + "\(templateName)"))
        }
        let notification: APNSNotification
        do {
            let payload = try template.rendered(with: reader.document, limit: SendPlan.maximumPayloadFileBytes)
            let envelope = Envelope(headersOf: reader.document, payload: payload)
            guard envelope.channelID == nil else {
                return .bad(
                    BadLine(
                        input: name, number: number,
                        problem: "a recipient is a device, and this one has apns-channel-id; send it with --batch"))
            }
            var found = try envelope.notification(defaults: defaults)
            found.addNeededPriority()
            notification = found
        } catch {
            return .bad(BadLine(input: name, number: number, problem: PlainText.safe("\(error)")))
        }
        guard validator?.firstError(for: notification) != nil else {
            let report = reportsWarnings ? report(on: notification, .warning, "\(name):\(number)") : ""
            return .notification(notification, warnings: report.isEmpty ? nil : report)
        }
        let least: Severity = reportsWarnings ? .warning : .error
        return .heldBack(notification, report: report(on: notification, least, "\(name):\(number)"))
    }

    /// A line for each finding, with the place of the recipient, because the template is not what is wrong.
    private mutating func report(on notification: APNSNotification, _ least: Severity, _ place: String) -> String {
        var text = ""
        let recipient = Envelope(headersOf: reader.document, payload: [])
        for finding in validator?.findings(for: Envelope(notification)) ?? [] where finding.severity >= least {
            var message = finding.message
            var pointer = finding.pointer.map { $0.isEmpty ? "" : " at \(PlainText.safe($0))" } ?? ""
            if case .header(let name) = finding.place, let option = headerOptions[name],
                recipient.value(ofHeader: name) == nil
            {
                message = "\(option): \(message)"
                pointer = ""
            }
            text += "\(place): \(finding.severity.rawValue): \(PlainText.safe(message))\(pointer) [\(finding.rule)]\n"
        }
        guard !text.isEmpty else { return "" }
        text += "  rendered from \(templateName), \(notification.payload.count) bytes"
        if notification.payload.count > notification.pushType.maximumPayloadBytes {
            let largest = template.largest(with: reader.document, count: RecipientRenderer.namedPlaces)
                .map { "{{\(PlainText.safe($0.name))}} with \($0.bytes)" }
            if !largest.isEmpty { text += "; the largest values: \(largest.joined(separator: ", "))" }
        }
        return text + "\n"
    }
}
