import APNSModel
import APNSPayload

/// What `apns send` was asked to send, before any of it is read.
struct SendPlan {
    var message: MessageOptions
    var deviceTokens: [DeviceToken]
    var tokenPath: String?
    var batchPath: String?
    var topic: Topic?
    var validates: Bool

    /// A payload has at most 5120 bytes; the rest is room for tests of what is too large.
    static let maximumPayloadFileBytes = 1024 * 1024

    /// How messages name the input that is read bit by bit; nil where there is none.
    var inputName: String? {
        (batchPath ?? tokenPath).map { $0 == "-" ? InputFile.standardInputName : $0 }
    }

    /// Opens the input and checks the payload.
    ///
    /// - Returns: Nil when a check found an error, which was reported.
    func reader(_ output: Output) throws -> NotificationReader? {
        if let batchPath {
            let defaults = EnvelopeDefaults(
                deviceToken: deviceTokens.first, topic: topic, pushType: message.pushType ?? .alert,
                priority: message.priority, expiration: message.expiration, collapseID: message.collapseID)
            return NotificationReader(batch: try open(batchPath), defaults: defaults, validates: validates)
        }
        guard let source = try message.source() else { return nil }
        var (template, tokens, sourced) = try template(for: source)
        if tokens.isEmpty { tokens = deviceTokens }
        guard !tokens.isEmpty || tokenPath != nil else {
            throw CommandError("there is no device token; give --token HEX or --tokens FILE", .badArguments)
        }
        if template.payloads.count > 1 {
            guard template.id == nil else {
                throw CommandError(
                    "--apns-id is for one notification only, and the records need \(template.payloads.count)",
                    .badArguments)
            }
            if case .hint(let hint) = source, let text = hint.announcement(payloadCount: template.payloads.count) {
                output.note(text)
            }
        }
        if validates, !isGood(template, sourced, output) { return nil }
        // Opened last, so that no other fault leaves a pipe half read.
        if let tokenPath {
            return NotificationReader(template, deviceTokens: tokens, tokenFile: try open(tokenPath))
        }
        return NotificationReader(template, deviceTokens: tokens, tokenFile: nil)
    }

    /// What tells this batch from others: the content of its files and the options that have a say in what is sent.
    func fingerprint() throws(CommandError) -> String {
        var fingerprint = BatchFingerprint()
        for path in [batchPath, tokenPath, message.payload].compactMap(\.self) {
            fingerprint.add("file")
            do throws(FileError) {
                let file = try InputFile(path: path)
                guard file.isRegular else {
                    throw FileError(
                        path, detail: "it is no file that can be read twice, which --journal needs; name a file")
                }
                while true {
                    let bytes = try file.read(upTo: 64 * 1024, until: nil)
                    guard !bytes.isEmpty else { break }
                    fingerprint.add(bytes)
                }
            } catch {
                throw CommandError(error.description)
            }
        }
        for deviceToken in deviceTokens { fingerprint.add("token \(deviceToken.hex)") }
        fingerprint.add("topic \(topic?.value ?? "")")
        fingerprint.add(message.fingerprint)
        fingerprint.add("validates \(validates)")
        return fingerprint.text
    }

    private func open(_ path: String) throws(CommandError) -> LineReader {
        do throws(FileError) {
            return LineReader(try InputFile(path: path))
        } catch {
            throw CommandError(error.description)
        }
    }

    /// What to send, the device tokens that its file names, and the file's text for reports.
    private func template(
        for source: MessageOptions.Source
    ) throws(CommandError) -> (MessageTemplate, [DeviceToken], SourcedEnvelope?) {
        var reader = EnvelopeReader()
        switch source {
        case .alert(let text): return (try template([AlertPush(Alert(.plain(text))).encoded()], .alert), [], nil)
        case .hint(let hint): return (try template(try hint.payloads(), .background), [], nil)
        case .file(let path):
            let sourced = reader.read(SourceText(name: name(of: path), bytes: try bytes(path)))
            guard sourced.envelope.kind == .envelope else {
                // The option wins over the file's `Simulator Target Bundle`, as it does with simctl.
                let target = sourced.envelope.topic.flatMap { Topic($0) }
                return (try template([sourced.envelope.payload], .alert, topic: topic ?? target), [], sourced)
            }
            return try template(from: sourced)
        }
    }

    private func template(
        _ payloads: [[UInt8]], _ pushType: PushType, topic: Topic? = nil
    ) throws(CommandError) -> MessageTemplate {
        guard let topic = topic ?? self.topic else {
            throw CommandError(
                "the topic is missing: give --topic with the bundle id of the app, or set APNS_TOPIC", .badArguments)
        }
        return MessageTemplate(
            topic: topic, pushType: message.pushType ?? pushType, priority: message.priority,
            expiration: message.expiration, collapseID: message.collapseID, id: message.apnsID, payloads: payloads)
    }

    /// An envelope as payload file: as in a batch, what it leaves out comes from the options.
    private func template(
        from sourced: SourcedEnvelope
    ) throws(CommandError) -> (MessageTemplate, [DeviceToken], SourcedEnvelope?) {
        var envelope = sourced.envelope
        let ownToken = envelope.token != nil
        if !ownToken { envelope.token = deviceTokens.first?.hex ?? "00" }  // the place of those to come
        let defaults = EnvelopeDefaults(
            topic: topic, pushType: message.pushType ?? .alert, priority: message.priority,
            expiration: message.expiration, collapseID: message.collapseID)
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
        guard template.id == nil || tokenPath == nil else {
            throw CommandError(
                "the envelope has an apns-id, which is for one notification only; leave out --tokens", .badArguments
            )
        }
        return (template, ownToken && !replaced ? [notification.deviceToken] : [], sourced)
    }

    private func name(of path: String) -> String { path == "-" ? InputFile.standardInputName : path }

    private func bytes(_ path: String) throws(CommandError) -> [UInt8] {
        do throws(FileError) {
            return try InputFile.bytes(of: path, limit: SendPlan.maximumPayloadFileBytes)
        } catch {
            throw CommandError("\(error); it should be a payload, a JSON object with the key aps")
        }
    }

    /// Reports errors and warnings of the one message that all device tokens get.
    private func isGood(_ template: MessageTemplate, _ sourced: SourcedEnvelope?, _ output: Output) -> Bool {
        var validator = Validator()
        var reporter = TextReporter()
        for payload in template.payloads {
            let envelope = Envelope(
                topic: template.topic.value, pushType: template.pushType.rawValue,
                priority: (template.priority ?? MessageTemplate.neededPriority(template.pushType))
                    .map { String($0.rawValue) },
                expiration: template.expiration.map { String($0.secondsSince1970) },
                collapseID: template.collapseID?.value, apnsID: template.id?.text, payload: payload)
            let findings = validator.findings(for: envelope).filter { $0.severity >= .warning }
            guard !findings.isEmpty else { continue }
            var reader = EnvelopeReader()
            var shown = sourced ?? reader.read(SourceText(name: "payload", bytes: payload))
            shown.envelope = envelope
            output.note(String(reporter.report(findings, in: shown).dropLast()))
        }
        guard reporter.count(of: .error) > 0 else { return true }
        output.note("Nothing was sent. Fix the errors, or send it all the same with --skip-validation.")
        return false
    }
}
