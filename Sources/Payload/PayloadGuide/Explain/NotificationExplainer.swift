package import APNSModel
package import APNSPayload
package import PayloadJSON

/// Explains notifications of files, one after another.
package struct NotificationExplainer: Sendable {
    /// An explanation, and what the validator finds.
    package struct Explained: Hashable, Sendable {
        package let explanation: PayloadExplanation
        package var findings: [Finding]

        /// Whether APNs or the device refuses it.
        package var hasError: Bool { findings.contains { $0.severity == .error } }
    }

    /// For a notification whose push type no header names.
    private let pushType: PushType?
    private var reader = EnvelopeReader()
    private var validator = Validator()
    private let now: Int64

    /// - Parameter now: Seconds since 1970-01-01 UTC.
    package init(pushType: PushType? = nil, now: Int64) {
        (self.pushType, self.now) = (pushType, now)
        validator.now = now
    }

    /// - Throws: For a payload that is not JSON; the offset is one of the source.
    package mutating func explain(_ source: SourceText) throws(JSONSyntaxError) -> Explained {
        let sourced = reader.read(source)
        var envelope = sourced.envelope
        if envelope.pushType == nil { envelope.pushType = pushType?.rawValue }
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(envelope.payload)
        } catch {
            throw JSONSyntaxError(offset: sourced.payloadOrigin.sourceOffset(of: error.offset), reason: error.reason)
        }
        let findings = validator.findings(for: envelope)
        return Explained(
            explanation: PayloadExplanation(
                envelope, PayloadFacts(document), refusals: NotificationExplainer.refusals(findings), now: now),
            findings: findings)
    }

    /// What APNs answers for certain, each once: a warning says what it may answer.
    private static func refusals(_ findings: [Finding]) -> [Reason] {
        var refusals: [Reason] = []
        let errors = findings.filter { $0.severity == .error }
        for case let refusal? in errors.map({ Rule.named($0.rule)?.refusal }) where !refusals.contains(refusal) {
            refusals.append(refusal)
        }
        return refusals
    }
}

extension NotificationExplainer.Explained {
    /// One line of JSON, without its end.
    ///
    /// - Parameter line: The first line of the notification in the file, from 1.
    package func json(file: String, line: Int) -> String {
        let object = JSONText.object { object in
            object.add("file", file)
            object.add("line", line)
            explanation.write(to: &object)
            object.add(
                "findings",
                .array(
                    findings.map { finding in
                        JSONText.object { object in
                            object.add("rule", finding.rule)
                            object.add("severity", finding.severity.rawValue)
                            object.add("message", finding.message)
                        }
                    }))
        }
        return String(decoding: object.bytes, as: UTF8.self)
    }
}
