import APNSModel
import APNSPayload

/// A line of a batch that names a channel: `apns-channel-id` of its envelope, or the channel of the option for envelopes
/// without a destination.
enum BatchBroadcast {
    /// The line is for a device.
    case none
    case broadcast(APNSBroadcast)
    /// Why the line cannot be sent.
    case fault(String)

    /// - Parameters:
    ///   - defaults: The push type is not used: a broadcast has no other than `liveactivity`.
    ///   - channelID: For an envelope without `token` and `apns-channel-id`.
    init(_ envelope: Envelope, defaults: EnvelopeDefaults, channelID: ChannelID?) {
        guard let text = envelope.channelID else {
            guard envelope.token == nil, let channelID else {
                self = .none
                return
            }
            self = BatchBroadcast.read(envelope, defaults, channelID)
            return
        }
        guard envelope.token == nil else {
            self = .fault("there is a device token and apns-channel-id; keep the one that it is for")
            return
        }
        guard let channelID = ChannelID(text) else {
            let shown = PlainText.safe(ShownText.cut(text, to: 80))
            self = .fault("apns-channel-id is \"\(shown)\"; it must be base64, as a channel id is")
            return
        }
        self = BatchBroadcast.read(envelope, defaults, channelID)
    }

    private static func read(
        _ envelope: Envelope, _ defaults: EnvelopeDefaults, _ channelID: ChannelID
    ) -> BatchBroadcast {
        do throws(EnvelopeError) {
            return .broadcast(try APNSBroadcast(envelope, defaults: defaults, channelID: channelID))
        } catch {
            return .fault(PlainText.safe(error.description))
        }
    }
}

extension APNSBroadcast {
    /// - Parameter defaults: What the envelope does not have. Without a value for it the priority is 10, and the message is
    ///   not stored.
    init(_ envelope: Envelope, defaults: EnvelopeDefaults, channelID: ChannelID) throws(EnvelopeError) {
        var envelope = envelope
        // A broadcast has none; the reader of an envelope wants one.
        envelope.token = "00"
        var defaults = defaults
        defaults.pushType = .liveactivity
        let found = try envelope.notification(defaults: defaults)
        self.init(
            to: channelID, of: found.topic, pushType: found.pushType, priority: found.priority ?? .immediate,
            expiration: found.expiration ?? .once, id: found.id, payload: found.payload)
    }
}
