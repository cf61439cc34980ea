import PayloadJSON

extension Rule {
    public static let headerInPayload = Rule(
        id: "header-in-payload", severity: .warning, layer: .device,
        looksAt: KeySet([], [.suspiciousInRoot, .unknownInAPS]),
        summary: "A payload does not contain headers.",
        rationale: """
            Topic, push type, priority, expiration and collapse id are headers of the request. In the payload they \
            have no effect. An envelope has them beside its key `payload`.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example(#"{"aps":{"alert":"Hi"},"priority":"high"}"#),
            Example(
                file: #"{"apns-priority":5,"apns-push-type":"background","payload":{"aps":{"content-available":1}}}"#),
        ],
        fails: [
            Example(#"{"aps":{"content-available":1},"apns-priority":5}"#),
            Example(#"{"aps":{"alert":"Hi","apns-collapse-id":"x"}}"#),
        ]
    ) { notification, findings in
        if notification.has(.suspiciousInRoot) { notification.reportHeaders(in: .root, &findings) }
        if let aps = notification.aps { notification.reportHeaders(in: aps, &findings) }
    }
}

extension InspectedNotification {
    fileprivate func reportHeaders(in object: JSONIndex, _ findings: inout Findings) {
        for member in document.members(of: object) {
            // Every header begins with "apns", and hardly any key of a payload does, so this check skips most keys.
            guard document.mayBegin(member.key, with: UInt8(ascii: "a")),
                let key = EnvelopeKey(member.key, of: document), key != .token
            else { continue }
            findings.report(
                "\(key.name) is a header and has no effect in the payload; send it as a header",
                at: place(ofKeyOf: member.value))
        }
    }
}
