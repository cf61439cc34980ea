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

    private func broadcast(_ sourced: SourcedEnvelope, to channelID: ChannelID) throws(CommandError) -> APNSBroadcast {
        var envelope = sourced.envelope
        if let app { envelope.topic = app.value }
        guard envelope.topic != nil || defaultApp != nil else { throw CredentialChoice.missingTopic }
        var broadcast: APNSBroadcast
        do throws(EnvelopeError) {
            broadcast = try APNSBroadcast(
                envelope, defaults: EnvelopeDefaults(topic: defaultApp), channelID: channelID)
        } catch {
            throw CommandError("\(sourced.source.name): \(PlainText.safe(error.description))", .no)
        }
        if let priority { broadcast.priority = priority }
        if let expiration { broadcast.expiration = expiration }
        if let id { broadcast.id = id }
        return broadcast
    }

    /// The options that give headers, as messages name them, by the name of the header. The topic is not a header.
    private var headerOptions: [String: String] {
        var options = ["apns-channel-id": "--channel"]
        if priority != nil { options["apns-priority"] = "--priority" }
        if expiration != nil { options["apns-expiration"] = "--expiration" }
        if id != nil { options["apns-id"] = "--apns-id" }
        return options
    }

    /// Reports errors and warnings.
    ///
    /// - Returns: Whether there is no error.
    func isGood(_ broadcast: APNSBroadcast, _ sourced: SourcedEnvelope, _ output: Output) -> Bool {
        var validator = Validator()
        let envelope = Envelope(broadcast)
        let findings = validator.findings(for: envelope).filter { $0.severity >= .warning }
        guard !findings.isEmpty else { return true }
        var shown = sourced
        shown.envelope = envelope
        shown.headerOptions = headerOptions
        var reporter = TextReporter()
        output.note(String(reporter.report(findings, in: shown).dropLast()))
        guard reporter.count(of: .error) > 0 else { return true }
        output.note("Nothing was sent. Fix the errors, or send it anyway with --skip-validation.")
        return false
    }
}
