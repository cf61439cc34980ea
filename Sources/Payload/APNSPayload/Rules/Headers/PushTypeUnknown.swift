import APNSModel

extension Rule {
    public static let pushTypeUnknown = Rule(
        id: "push-type-unknown", severity: .error, layer: .gateway, refusal: .invalidPushType, stage: .headers,
        pushTypes: .undocumented, summary: "The push type is a documented one, in lower case.",
        rationale: """
            APNs answers InvalidPushType to an unknown push type, also to one with white space around it. Apple adds push \
            types now and then: `--allow-new-push-types`, or this rule turned off in the configuration, allows one that \
            this version does not know.
            """,
        source: RuleSource.sendingRequests,
        passes: [Example("{}", .alert), Example("{}", .liveactivity), Example("{}")],
        fails: [
            Example("{}", PushType(rawValue: "Alert")), Example("{}", PushType(rawValue: "silent")),
            Example("{}", PushType(rawValue: "alert ")), Example("{}", PushType(rawValue: "hologram")),
            Example("{}", PushType(rawValue: "")),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .pushType), !PushType(rawValue: text).isKnown else { return }
        if notification.envelope.isBroadcast, text.lowercased() == PushType.liveactivity.rawValue { return }
        let advice =
            PushType.meant(by: text).map { "did you mean \($0)?" }
            ?? "known push types are \(PushType.known.map(\.rawValue).joined(separator: ", "))"
        let hasSpace = text.utf8.first == UInt8(ascii: " ") || text.utf8.last == UInt8(ascii: " ")
        findings.report(
            "apns-push-type is \(notification.shown(text: text))\(hasSpace ? " with white space around it" : ""); \(advice)",
            at: .header("apns-push-type"))
    }
}
