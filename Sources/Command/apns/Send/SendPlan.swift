import APNSModel
import APNSPayload

/// What `apns send` is to send, before the input is read.
struct SendPlan {
    var message: MessageOptions
    var deviceTokens: [DeviceToken]
    var tokenPath: String?
    var batchPath: String?
    var templatePaths: TemplatePaths?
    /// The channel of envelopes of a batch that name neither a device nor a channel.
    var channelID: ChannelID?
    var topic: Topic?
    /// Where the topic comes from, for messages.
    var topicOption = CredentialVariable.topic.option
    var validates: Bool
    /// Whether what has an error is shown and not sent.
    var isPreview = false
    /// When the command started, in seconds since 1970-01-01 UTC.
    var now: Int64

    /// The largest payload file that is sent. APNs accepts at most 5120 bytes; larger ones are for tests.
    static let maximumPayloadFileBytes = 1024 * 1024

    /// How messages name the file that is read line by line; nil where there is none.
    var inputName: String? {
        (batchPath ?? templatePaths?.recipients ?? tokenPath).map { $0 == "-" ? InputFile.standardInputName : $0 }
    }

    var expiration: Expiration? { message.expiration.flatMap { $0.expiration(at: now) } }

    /// The options that give headers, as messages name them, by the name of the header.
    var headerOptions: [String: String] {
        var options = ["apns-push-type": pushTypeOption]
        if !deviceTokens.isEmpty { options["token"] = "--token" }
        if topic != nil { options["apns-topic"] = topicOption }
        if message.priority != nil { options["apns-priority"] = "--priority" }
        if message.expiration != nil { options["apns-expiration"] = "--expiration" }
        if message.collapseID != nil { options["apns-collapse-id"] = "--collapse-id" }
        if message.apnsID != nil { options["apns-id"] = "--apns-id" }
        if channelID != nil { options["apns-channel-id"] = "--channel" }
        return options
    }

    private var pushTypeOption: String {
        if message.pushType != nil { return "--push-type" }
        return message.hint == nil ? "the default of --push-type" : "--hint"
    }

    /// The options that give the headers of a message. An option wins over `Simulator Target Bundle`, and a header of an
    /// envelope over the option.
    func headerOptions(beside file: SourcedEnvelope?) -> [String: String] {
        guard let envelope = file?.envelope, envelope.kind == .envelope else { return headerOptions }
        return headerOptions.filter { envelope.value(ofHeader: $0.key) == nil }
    }

    /// Opens the input and checks the payload.
    ///
    /// - Returns: Nil when a check found an error, which was reported.
    func reader(_ output: Output) throws -> NotificationReader? {
        if let batchPath {
            let defaults = EnvelopeDefaults(
                deviceToken: deviceTokens.first, topic: topic, pushType: message.pushType ?? .alert,
                priority: message.priority, expiration: expiration, collapseID: message.collapseID)
            return NotificationReader(
                batch: try open(batchPath), defaults: defaults, channelID: channelID, headerOptions: headerOptions,
                validates: validates, allowsNewPushTypes: message.allowNewPushTypes, reportsWarnings: isPreview)
        }
        if let templatePaths { return try recipientReader(templatePaths) }
        guard let source = try message.source() else { return nil }
        var (template, tokens, sourced) = try template(for: source)
        if tokens.isEmpty { tokens = deviceTokens }
        guard !tokens.isEmpty || tokenPath != nil else {
            throw CommandError("there is no device token; give --token HEX or --tokens FILE", .badArguments)
        }
        if template.payloads.count > 1 {
            guard template.id == nil else {
                throw CommandError(
                    "--apns-id is for one notification, and the records need \(template.payloads.count)",
                    .badArguments)
            }
            if case .hint(let hint) = source, let text = hint.announcement(payloadCount: template.payloads.count) {
                output.note(text)
            }
        }
        if validates, !isGood(template, sourced, output), !isPreview { return nil }
        // Opened last, so that no other error leaves a pipe partly read.
        if let tokenPath {
            return NotificationReader(template, deviceTokens: tokens, tokenFile: try open(tokenPath))
        }
        return NotificationReader(template, deviceTokens: tokens, tokenFile: nil)
    }

    /// The files that are read, with their options.
    var inputs: [(option: String, path: String)] {
        let all = [
            ("--batch", batchPath), ("--tokens", tokenPath), ("--payload", message.payloadPath),
            ("--template", templatePaths?.template), ("--recipients", templatePaths?.recipients),
        ]
        return all.compactMap { option, path in path.map { (option: option, path: $0) } }
    }

    /// Identifies the batch by the content of its files and the options that affect what is sent.
    func fingerprint() throws(CommandError) -> String {
        var fingerprint = BatchFingerprint()
        for (_, path) in inputs {
            fingerprint.add("file")
            do throws(FileError) {
                let file = try InputFile(path: path)
                guard file.isRegular else {
                    throw FileError(
                        path, detail: "--journal needs a regular file, which can be read twice")
                }
                try fingerprint.add { () throws(FileError) in try file.read(upTo: 64 * 1024, until: nil) }
            } catch {
                throw CommandError(error.description)
            }
        }
        for deviceToken in deviceTokens { fingerprint.add("token \(deviceToken.hex)") }
        if let channelID { fingerprint.add("channel \(channelID.base64)") }
        fingerprint.add("topic \(topic?.value ?? "")")
        fingerprint.add(message.fingerprint)
        fingerprint.add("validates \(validates)")
        return fingerprint.text
    }

    func open(_ path: String) throws(CommandError) -> LineReader {
        do throws(FileError) {
            return LineReader(try InputFile(path: path), skipsByteOrderMark: true)
        } catch {
            throw CommandError(error.description)
        }
    }

    /// The template, the device tokens in its file, and the text of the file for reports.
    private func template(
        for source: MessageOptions.Source
    ) throws(CommandError) -> (MessageTemplate, [DeviceToken], SourcedEnvelope?) {
        switch source {
        case .content(let content): return (try template([try content.payload()], .alert), [], nil)
        case .hint(let hint): return (try template(try hint.payloads(), hint.pushType), [], nil)
        case .payload(let payload): return try template(from: try MessageOptions.text(of: payload))
        }
    }

    /// For a payload, an `.apns` file or an envelope.
    private func template(
        from text: SourceText
    ) throws(CommandError) -> (MessageTemplate, [DeviceToken], SourcedEnvelope?) {
        var reader = EnvelopeReader()
        let sourced = reader.read(text)
        guard sourced.envelope.kind == .envelope else {
            // The option wins over `Simulator Target Bundle` of the file, as with simctl.
            let target = sourced.envelope.topic.flatMap { Topic($0) }
            return (try template([sourced.envelope.payload], .alert, topic: topic ?? target), [], sourced)
        }
        return try template(from: sourced)
    }

    private func template(
        _ payloads: [[UInt8]], _ pushType: PushType, topic: Topic? = nil
    ) throws(CommandError) -> MessageTemplate {
        guard let topic = topic ?? self.topic else {
            throw CredentialChoice.missingTopic
        }
        return MessageTemplate(
            topic: topic, pushType: message.pushType ?? pushType, priority: message.priority,
            expiration: expiration, collapseID: message.collapseID, id: message.apnsID, payloads: payloads)
    }

    /// For an envelope as payload file. As in a batch, the options supply what it does not have.
    private func template(
        from sourced: SourcedEnvelope
    ) throws(CommandError) -> (MessageTemplate, [DeviceToken], SourcedEnvelope?) {
        var envelope = sourced.envelope
        let ownToken = envelope.token != nil
        if !ownToken { envelope.token = deviceTokens.first?.hex ?? "00" }  // a placeholder for those of --tokens
        let defaults = EnvelopeDefaults(
            topic: topic, pushType: message.pushType ?? .alert, priority: message.priority,
            expiration: expiration, collapseID: message.collapseID)
        let notification: APNSNotification
        do throws(EnvelopeError) {
            notification = try envelope.notification(defaults: defaults)
        } catch {
            throw CommandError("\(sourced.source.name): \(PlainText.safe(error.description))", .no)
        }
        let template = MessageTemplate(
            topic: notification.topic, pushType: notification.pushType, priority: notification.priority,
            expiration: notification.expiration, collapseID: notification.collapseID,
            id: notification.id ?? message.apnsID, payloads: [notification.payload])
        let replaced = !deviceTokens.isEmpty || tokenPath != nil
        guard template.id == nil || (tokenPath == nil && deviceTokens.count < 2) else {
            throw CommandError(
                "the envelope has an apns-id, which is for one notification, and there are several device tokens",
                .badArguments)
        }
        return (template, ownToken && !replaced ? [notification.deviceToken] : [], sourced)
    }

    /// Reports errors and warnings about the message that all device tokens get.
    ///
    /// - Returns: Whether there is no error.
    private func isGood(_ template: MessageTemplate, _ sourced: SourcedEnvelope?, _ output: Output) -> Bool {
        var validator = Validator(allowsNewPushTypes: message.allowNewPushTypes)
        var reporter = TextReporter()
        for payload in template.payloads {
            let envelope = Envelope(
                topic: template.topic.value, pushType: template.pushType.rawValue,
                priority: (template.priority ?? MessageTemplate.neededPriority(template.pushType))
                    .map { String($0.rawValue) },
                expiration: template.expiration.map { String($0.secondsSince1970) },
                collapseID: template.collapseID?.value, apnsID: template.id?.text,
                problems: sourced?.envelope.problems ?? [], payload: payload)
            let findings = validator.findings(for: envelope).filter { $0.severity >= .warning }
            guard !findings.isEmpty else { continue }
            var reader = EnvelopeReader()
            var shown = sourced ?? reader.read(SourceText(name: "payload", bytes: payload))
            shown.envelope = envelope
            shown.headerOptions = headerOptions(beside: sourced)
            output.note(String(reporter.report(findings, in: shown).dropLast()))
        }
        guard reporter.count(of: .error) > 0 else { return true }
        if !isPreview { output.note("Nothing was sent. Fix the errors, or send it anyway with --skip-validation.") }
        return false
    }
}
