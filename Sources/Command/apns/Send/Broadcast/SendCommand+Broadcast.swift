import APNSModel
import APNSPayload
import APNSProvider
import ArgumentParser
import SystemFiles

/// `apns send --channel`: one message to all devices that subscribe to a channel.
extension SendCommand {
    /// Checks the options beside `--channel`.
    func validateBroadcast() throws {
        let others = [
            ("--token", !token.isEmpty), ("--tokens", tokens != nil),
            ("--user", person.user != nil), ("--journal", journal != nil), ("--rate", rate != nil),
            ("--collapse-id", message.collapseID != nil), ("--dry-run", dryRun), ("--print-curl", printCurl),
            ("--verbose", verbose),
        ]
        if let other = others.first(where: \.1) {
            throw ValidationError("--channel is for a broadcast, which has no \(other.0); leave one of them out.")
        }
        try validateChannels(channel)
        guard try message.source() != nil, message.payload != nil else {
            throw ValidationError("A broadcast updates or ends a Live Activity; give its payload with --payload FILE.")
        }
        guard message.apnsID == nil || channel.count < 2 else {
            throw ValidationError("--apns-id is for one message, and there are several channels.")
        }
        if let type = message.pushType, type != .liveactivity {
            throw ValidationError("A broadcast has the push type liveactivity and no other.")
        }
    }

    /// Checks `--channel` beside `--batch`: the channel of envelopes that name no destination.
    func validateDefaultChannel() throws {
        guard let text = channel.first else { return }
        guard channel.count == 1, token.isEmpty else {
            throw ValidationError(
                "With --batch, one --token or one --channel is the destination of the envelopes that have none.")
        }
        try validateChannels([text])
    }

    private func validateChannels(_ channels: [String]) throws {
        for text in channels where ChannelID(text) == nil {
            throw ValidationError(
                "--channel: \"\(PlainText.safe(ShownText.cut(text, to: 80)))\" is not base64, as a channel id is.")
        }
    }

    /// Sends the message to each channel.
    func sendBroadcasts(_ choice: CredentialChoice, with configuration: ProviderConfiguration) async throws {
        let output = Output.standard
        let text = try MessageOptions.text(of: message.payload ?? "-")
        let message = BroadcastMessage(
            app: message.topic, defaultApp: try choice.checkedTopic(), priority: message.priority,
            expiration: message.expiration?.expiration(at: WallClock.secondsSince1970), id: message.apnsID)
        var reader = EnvelopeReader()
        let sourced = reader.read(text)
        let broadcasts = try message.broadcasts(sourced, to: channel.compactMap { ChannelID($0) })
        if !skipValidation, !message.isGood(broadcasts[0], sourced, output) { return try ExitStatus.no.end() }
        let provider = try choice.open { () throws(ProviderConfigurationError) in
            try PushProvider(configuration, logger: .silent("apns.send"))
        }
        let run = BroadcastRun(isJSON: json, gateway: configuration.gateway, output: output)
        let status = await run.send(broadcasts, with: provider)
        try output.finish()
        try status.end()
    }
}
