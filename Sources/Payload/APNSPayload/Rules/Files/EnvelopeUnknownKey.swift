extension Rule {
    public static let envelopeUnknownKey = Rule(
        id: "envelope-unknown-key", severity: .warning, layer: .delivery, stage: .headers,
        summary: "The headers of an envelope are beside its payload, with their names in lower case.",
        rationale: """
            An envelope uses the names of the HTTP headers, such as `apns-push-type`. A key with another spelling is \
            not sent, nor is a header in an object such as `headers`, so the notification goes out without it. Comments \
            and other keys of your own are allowed.
            """,
        source: RuleSource.envelope,
        passes: [
            Example(file: #"{"apns-topic":"com.example.agent","apns-push-type":"alert","note":"x","payload":{}}"#),
            Example(file: #"{"aps":{"alert":"Hi"},"topic":"custom"}"#),
            Example(file: #"{"apns-priority":5,"sent":{"apns-priority":10,"apns-id":"x"},"payload":{}}"#),
        ],
        fails: [
            Example(file: #"{"apns-topic":"com.example.agent","push-type":"alert","payload":{}}"#),
            Example(file: #"{"APNs-Topic":"com.example.agent","apns-push-type":"alert","payload":{}}"#),
            Example(file: #"{"apns-colapse-id":"x","payload":{}}"#),
            Example(file: #"{"deviceToken":"ab12","payload":{}}"#),
            Example(file: #"{"headers":{"apns-push-type":"alert","apns-priority":5},"payload":{}}"#),
        ]
    ) { notification, findings in
        for problem in notification.envelope.problems {
            if case .nestedHeaders(let names) = problem.kind {
                findings.report(
                    "\(names.joined(separator: ", ")) in \(notification.shown(text: problem.key)) "
                        + "\(names.count == 1 ? "is" : "are") not sent; an envelope has its headers beside the payload",
                    at: .header(problem.key))
            }
            guard case .unknownKey(let meant) = problem.kind else { continue }
            let advice =
                meant.map { "did you mean \($0)?" }
                ?? "headers are \(EnvelopeKey.allCases.map(\.name).joined(separator: ", "))"
            findings.report(
                "the key \(notification.shown(text: problem.key)) is not a header, so it is not sent; \(advice)",
                at: .header(problem.key),
                correction: meant.flatMap { notification.envelope.isOnlySpelling(problem.key, of: $0) ? $0 : nil })
        }
    }
}

extension Envelope {
    /// Whether a key differs from the name of a header in case, hyphens, underscores and spaces only, and no other key of the
    /// envelope is that name or such a spelling of it.
    ///
    /// `apns-id` and `apns-request-id` count as one name, because at most one of them is sent; the second only in a broadcast.
    fileprivate func isOnlySpelling(_ key: String, of name: String) -> Bool {
        guard KnownSpelling.fold(key) == KnownSpelling.fold(name) else { return false }
        guard name != EnvelopeKey.requestID.name || isBroadcast else { return false }
        let ids: [EnvelopeKey] = [.apnsID, .requestID]
        let names = ids.contains { $0.name == name } ? ids.map(\.name) : [name]
        let isTaken = names.contains { value(ofHeader: $0) != nil } || nullHeaders.contains { names.contains($0.name) }
        let spellings = names.map { KnownSpelling.fold($0) }
        return !isTaken && problems.count { spellings.contains(KnownSpelling.fold($0.key)) } == 1
    }
}
