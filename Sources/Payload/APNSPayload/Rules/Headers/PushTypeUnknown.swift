import APNSModel

extension Rule {
    public static let pushTypeUnknown = Rule(
        id: "push-type-unknown", severity: .warning, layer: .gateway, refusal: .invalidPushType, stage: .headers,
        pushTypes: .undocumented, summary: "The push type is a documented one, in lower case.",
        rationale: """
            APNs answers InvalidPushType to an unknown push type. Apple adds push types now and then, so an unknown \
            one is not an error here; turn the rule off for a new one.
            """,
        source: RuleSource.sendingRequests,
        passes: [Example("{}", .alert), Example("{}", .liveactivity), Example("{}")],
        fails: [
            Example("{}", PushType(rawValue: "Alert")), Example("{}", PushType(rawValue: "silent")),
            Example("{}", PushType(rawValue: "")),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .pushType), !PushType(rawValue: text).isKnown else { return }
        if notification.envelope.isBroadcast, text.lowercased() == PushType.liveactivity.rawValue { return }
        let known = PushType.known.map(\.rawValue)
        // A short word is similar to too many push types, so only its case and hyphens are ignored.
        let letters = text.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
        let meant = known.contains(letters) ? letters : text.count > 4 ? Suggestion.best(for: text, among: known) : nil
        let advice = meant.map { "did you mean \($0)?" } ?? "known push types are \(known.joined(separator: ", "))"
        findings.report("apns-push-type is \(notification.shown(text: text)); \(advice)", at: .header("apns-push-type"))
    }
}
