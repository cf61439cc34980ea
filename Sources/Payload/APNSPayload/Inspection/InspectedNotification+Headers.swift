import APNSModel

extension InspectedNotification {
    /// The text of a header, for a rule about its form; nil also for a value that is no text at all, which another rule
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

    /// A text from outside as a message shows it: in quotes, at most 48 characters.
    func shown(text: String) -> String {
        let isLong = text.unicodeScalars.count > 48
        return "\"\(isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(47))) + "…" : text)\""
    }

    /// The topic belongs to a certificate and not to an app of its own: a Wallet pass, a website, an MDM server.
    var isCertificateTopic: Bool {
        guard let topic = envelope.topic else { return false }
        return topic.begins(with: "pass.") || topic.begins(with: "web.") || topic.begins(with: "com.apple.mgmt.")
    }

    /// The suffix of a push type that the topic ends with; empty for a bare bundle id, nil without a topic.
    var topicSuffix: String? {
        guard let topic = envelope.topic else { return nil }
        let place = topic.withBytes { bytes -> Int? in
            guard let last = bytes.last else { return nil }
            var place = 0
            while place < InspectedNotification.suffixes.count {
                let wanted = InspectedNotification.suffixes[place]
                // Of a topic without a suffix the last byte nearly always settles it.
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
    /// The same as `hasPrefix` for ASCII, without a look at what Unicode takes for equal.
    func begins(with prefix: String) -> Bool { utf8.starts(with: prefix.utf8) }

    /// The same as `hasSuffix` for ASCII, without a look at what Unicode takes for equal.
    func ends(with suffix: String) -> Bool {
        utf8.count >= suffix.utf8.count && utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Lends the UTF-8 of the text; rules that run for every notification that is sent go through it byte by byte.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}
