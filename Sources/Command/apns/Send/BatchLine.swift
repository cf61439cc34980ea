import APNSModel
import APNSPayload
import PayloadJSON

/// One line of a batch.
enum BatchLine {
    /// A blank line.
    case nothing
    case notification(APNSNotification, SourcedEnvelope)
    /// A line that a gateway recorded, which is sent unchanged.
    case recorded(RecordedNotification, RecordedVerdict)
    /// A line that cannot be sent, with a message that begins with `file:line:` or `file:line:column:`.
    case fault(String)

    static func read(
        _ bytes: [UInt8], name: String, number: Int, defaults: EnvelopeDefaults, with reader: inout EnvelopeReader,
        _ recordReader: inout JSONReader
    ) -> BatchLine {
        guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return .nothing }
        let sourced = reader.read(SourceText(name: name, bytes: bytes, firstLine: number))
        guard sourced.envelope.kind == .envelope else {
            return .fault(problemWithoutEnvelope(bytes, name: name, number: number))
        }
        if let recorded = RecordedVerdict(bytes, place: "\(name):\(number)", with: &recordReader) {
            return .recorded(RecordedNotification(sourced.envelope, payloadBytes: recorded.payloadBytes), recorded)
        }
        do throws(EnvelopeError) {
            var notification = try sourced.envelope.notification(defaults: defaults)
            if notification.priority == nil {
                notification.priority = MessageTemplate.neededPriority(notification.pushType)
            }
            return .notification(notification, sourced)
        } catch {
            return .fault("\(name):\(number): \(PlainText.safe(error.description))")
        }
    }

    private static func problemWithoutEnvelope(_ bytes: [UInt8], name: String, number: Int) -> String {
        var reader = JSONReader()
        do throws(JSONSyntaxError) {
            try reader.parse(bytes)
        } catch {
            let column = LineIndex(bytes).location(of: error.offset).column
            return "\(name):\(number):\(column): not JSON: \(error)"
        }
        return
            "\(name):\(number): this is not an envelope; each line is an object with the keys token and payload, or "
            + "payload-base64 instead of payload"
    }
}
