import APNSModel
import APNSPayload

/// What options say about a broadcast. What a payload file says as an envelope counts where an option is absent.
struct BroadcastMessage: Hashable, Sendable {
    var app: Topic?
    /// The app of a payload file that names none.
    var defaultApp: Topic?
    var priority: Priority?
    var expiration: Expiration?
    var id: NotificationID?

    /// - Throws: Where the envelope has an id, and there are several channels.
    func broadcasts(_ sourced: SourcedEnvelope, to channels: [ChannelID]) throws(CommandError) -> [APNSBroadcast] {
        let broadcasts = try channels.map { channel throws(CommandError) in try broadcast(sourced, to: channel) }
        guard broadcasts.count < 2 || broadcasts[0].id == nil else {
            throw CommandError(
                "the envelope has an apns-id, which is for one message, and there are several channels", .badArguments)
        }
        return broadcasts
    }

    /// Without a value for it the priority is 10, and the message is not stored.
    private func broadcast(_ sourced: SourcedEnvelope, to channelID: ChannelID) throws(CommandError) -> APNSBroadcast {
        var envelope = sourced.envelope
        // A broadcast has none; the reader of an envelope wants one.
        envelope.token = "00"
        if let app { envelope.topic = app.value }
        guard envelope.topic != nil || defaultApp != nil else { throw CredentialChoice.missingTopic }
        let defaults = EnvelopeDefaults(topic: defaultApp, pushType: .liveactivity)
        let found: APNSNotification
        do throws(EnvelopeError) {
            found = try envelope.notification(defaults: defaults)
        } catch {
            throw CommandError("\(sourced.source.name): \(PlainText.safe(error.description))", .no)
        }
        return APNSBroadcast(
            to: channelID, of: found.topic, pushType: found.pushType,
            priority: priority ?? found.priority ?? .immediate,
            expiration: expiration ?? found.expiration ?? .once, id: id ?? found.id, payload: found.payload)
    }

    /// Reports errors and warnings.
    ///
    /// - Returns: Whether there is no error.
    static func isGood(_ broadcast: APNSBroadcast, _ sourced: SourcedEnvelope, _ output: Output) -> Bool {
        var validator = Validator()
        let envelope = Envelope(broadcast)
        let findings = validator.findings(for: envelope).filter { $0.severity >= .warning }
        guard !findings.isEmpty else { return true }
        var shown = sourced
        shown.envelope = envelope
        var reporter = TextReporter()
        output.note(String(reporter.report(findings, in: shown).dropLast()))
        guard reporter.count(of: .error) > 0 else { return true }
        output.note("Nothing was sent. Fix the errors, or send it anyway with --skip-validation.")
        return false
    }
}
