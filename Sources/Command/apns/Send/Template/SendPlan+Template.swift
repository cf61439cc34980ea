import APNSModel
import APNSPayload
import PayloadJSON

extension SendPlan {
    /// Reads the template and opens the file of recipients.
    ///
    /// - Throws: An error with line and column of what is wrong in the template, also where no recipient's payload could fit.
    func recipientReader(_ paths: TemplatePaths) throws(CommandError) -> NotificationReader {
        let text = try MessageOptions.text(ofFile: paths.template)
        var reader = EnvelopeReader()
        let sourced = reader.read(text)
        let template = try template(in: sourced)
        let defaults = try defaults(of: sourced)
        let limit = (defaults.pushType ?? .alert).maximumPayloadBytes
        guard !validates || template.minimumBytes <= limit else {
            throw CommandError(
                "\(text.name): the template has \(template.minimumBytes) bytes before a value is in it, and at most \(limit) "
                    + "can be sent", .no)
        }
        let renderer = RecipientRenderer(
            template, named: text.name, defaults: defaults, headerOptions: headerOptions(beside: sourced),
            validates: validates, allowsNewPushTypes: message.allowNewPushTypes, reportsWarnings: isPreview)
        return NotificationReader(recipients: try open(paths.recipients), renderer)
    }

    /// The payload in compact form, with its places.
    private func template(in sourced: SourcedEnvelope) throws(CommandError) -> PayloadTemplate {
        let payload = sourced.envelope.payload
        do throws(PayloadTemplateError) {
            // As it is written, so that an error has its place in the file.
            let template = try PayloadTemplate(payload)
            guard sourced.envelope.kind != .envelope else { return template }
            return try PayloadTemplate(CompactJSON.compact(payload, in: payload.indices).bytes)
        } catch {
            let source = sourced.source
            let place = LineIndex(source.bytes).location(of: sourced.payloadOrigin.sourceOffset(of: error.offset))
            throw CommandError(
                "\(source.name):\(place.line):\(place.column): \(PlainText.safe(error.detail))", .no)
        }
    }

    /// The headers of all recipients: those of a template that is an envelope, then the options.
    private func defaults(of sourced: SourcedEnvelope) throws(CommandError) -> EnvelopeDefaults {
        let options = EnvelopeDefaults(
            deviceToken: deviceTokens.first, topic: topic ?? sourced.envelope.topic.flatMap { Topic($0) },
            pushType: message.pushType ?? .alert, priority: message.priority, expiration: expiration,
            collapseID: message.collapseID)
        guard sourced.envelope.kind == .envelope else { return options }
        var envelope = sourced.envelope
        guard envelope.token == nil, envelope.channelID == nil, envelope.apnsID == nil else {
            throw CommandError(
                "\(sourced.source.name): a template is for all recipients, so it has no token, apns-channel-id and apns-id; "
                    + "put them into the lines of --recipients", .no)
        }
        envelope.token = "00"  // A placeholder, for the reader.
        // Each recipient may have its own, so the topic may be missing here.
        if envelope.topic == nil, options.topic == nil { envelope.topic = "none" }
        do throws(EnvelopeError) {
            let found = try envelope.notification(defaults: options)
            return EnvelopeDefaults(
                deviceToken: options.deviceToken, topic: sourced.envelope.topic == nil ? options.topic : found.topic,
                pushType: found.pushType, priority: found.priority, expiration: found.expiration,
                collapseID: found.collapseID)
        } catch {
            throw CommandError("\(sourced.source.name): \(PlainText.safe(error.description))", .no)
        }
    }
}
