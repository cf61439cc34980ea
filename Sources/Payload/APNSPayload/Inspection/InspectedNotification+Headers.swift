import APNSModel

extension InspectedNotification {
    /// The value of a header, for a rule about its form. Nil also for a value that is not a string, which another rule
    /// reports.
    func text(of key: EnvelopeKey) -> String? {
        let text =
            switch key {
            case .token: envelope.token
            case .topic: envelope.topic
            case .pushType: envelope.pushType
            case .priority: envelope.priority
            case .expiration: envelope.expiration
            case .collapseID: envelope.collapseID
            case .apnsID: envelope.apnsID
            case .channelID: envelope.channelID
            case .requestID: String?.none
            }
        guard let text, envelope.problems.isEmpty || !isOfWrongKind(key) else { return nil }
        return text
    }

    private func isOfWrongKind(_ key: EnvelopeKey) -> Bool {
        envelope.problems.contains { problem in
            guard case .wrongKind = problem.kind else { return false }
            return problem.key == key.name
        }
    }

    /// The key that gives the topic, for a message.
    var nameOfTopic: String { envelope.kind == .apns ? EnvelopeReader.simulatorKey : "apns-topic" }

    /// A string from the input, for a message: in quotes, at most 48 characters.
    func shown(text: String) -> String {
        let isLong = text.unicodeScalars.count > 48
        return "\"\(isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(47))) + "…" : text)\""
    }

    /// Whether the topic belongs to a certificate and not to an app: that of a Wallet pass, a website or an MDM server.
    var isCertificateTopic: Bool {
        guard let topic = envelope.topic else { return false }
        return topic.begins(with: "pass.") || topic.begins(with: "web.") || topic.begins(with: "com.apple.mgmt.")
    }

    /// The push type's suffix at the end of the topic; empty for a plain bundle id, nil without a topic.
    var topicSuffix: String? {
        guard let topic = envelope.topic else { return nil }
        let place = topic.withBytes { bytes -> Int? in
            guard let last = bytes.last else { return nil }
            var place = 0
            while place < InspectedNotification.suffixes.count {
                let wanted = InspectedNotification.suffixes[place]
                // For a topic without a suffix, comparing the last byte is nearly always enough.
                if wanted[wanted.count - 1] == last, bytes.count >= wanted.count,
                    bytes.suffix(wanted.count).elementsEqual(wanted)
                {
                    return place
                }
                place += 1
            }
            return nil
        }
        return place.map { Topic.suffixes[$0] } ?? ""
    }

    private static let suffixes = Topic.suffixes.map { Array($0.utf8) }
}

extension String {
    /// Like `hasPrefix`, but compares bytes and ignores Unicode equivalence.
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Like `hasSuffix`, but compares bytes and ignores Unicode equivalence.
    func ends(with suffix: String) -> Bool {
        utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Calls `body` with the UTF-8 bytes without a copy. For rules that run for every notification that is sent.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}
