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
    /// A line with a channel.
    case broadcast(APNSBroadcast, SourcedEnvelope)
    case bad(BadLine)

    /// - Parameter channelID: For an envelope that names neither a device nor a channel.
    static func read(
        _ bytes: [UInt8], name: String, number: Int, defaults: EnvelopeDefaults, channelID: ChannelID? = nil,
        with reader: inout EnvelopeReader, _ recordReader: inout JSONReader
    ) -> BatchLine {
        guard !bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return .nothing }
        let sourced = reader.read(SourceText(name: name, bytes: bytes, firstLine: number))
        guard sourced.envelope.kind == .envelope else {
            return .bad(problemWithoutEnvelope(bytes, name: name, number: number))
        }
        if let recorded = RecordedVerdict(bytes, place: "\(name):\(number)", with: &recordReader) {
            return .recorded(RecordedNotification(sourced.envelope, payloadBytes: recorded.payloadBytes), recorded)
        }
        switch BatchBroadcast(sourced.envelope, defaults: defaults, channelID: channelID) {
        case .none: break
        case .broadcast(let broadcast): return .broadcast(broadcast, sourced)
        case .fault(let fault): return .bad(BadLine(input: name, number: number, problem: fault))
        }
        do throws(EnvelopeError) {
            var notification = try sourced.envelope.notification(defaults: defaults)
            notification.addNeededPriority()
            return .notification(notification, sourced)
        } catch {
            return .bad(BadLine(input: name, number: number, problem: PlainText.safe(error.description)))
        }
    }

    private static func problemWithoutEnvelope(_ bytes: [UInt8], name: String, number: Int) -> BadLine {
        var reader = JSONReader()
        do throws(JSONSyntaxError) {
            try reader.parse(bytes)
        } catch {
            return .notJSON(bytes, error, input: name, number: number)
        }
        return BadLine(
            input: name, number: number,
            problem: "this is not an envelope; each line is an object with the keys token (or apns-channel-id) and "
                + "payload (or payload-base64)")
    }
}

extension APNSNotification {
    /// Gives a notification without a priority the one that its push type needs.
    mutating func addNeededPriority() {
        guard priority == nil else { return }
        priority = MessageTemplate.neededPriority(pushType)
    }
}
