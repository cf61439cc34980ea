import APNSModel

extension Rule {
    public static let pushTypeUnknown = Rule(
        id: "push-type-unknown", severity: .error, layer: .gateway, refusal: .invalidPushType, stage: .headers,
        pushTypes: .undocumented, summary: "The push type is a documented one, in lower case.",
        rationale: """
            APNs answers InvalidPushType to an unknown push type, also to one with white space around it. Apple adds push \
            types now and then: `--allow-new-push-types` accepts those that this version does not know, but none that looks \
            like a misspelt known one. Turning this rule off in the configuration accepts everything.
            """,
        source: RuleSource.sendingRequests,
        passes: [Example("{}", .alert), Example("{}", .liveactivity), Example("{}")],
        fails: [
            Example("{}", PushType(rawValue: "Alert")), Example("{}", PushType(rawValue: "silent")),
            Example("{}", PushType(rawValue: "alert ")), Example("{}", PushType(rawValue: "hologram")),
            Example("{}", PushType(rawValue: "")),
        ]
    ) { notification, findings in notification.reportUnknownPushType(allowsNew: false, &findings) }

    /// Every rule, with a check of the push type that finds typing errors only and allows new push types.
    package static let allAllowingNewPushTypes: [Rule] = all.map { rule in
        guard rule == .pushTypeUnknown else { return rule }
        return rule.with { notification, findings in
            notification.reportUnknownPushType(allowsNew: true, &findings)
        }
    }
}

extension InspectedNotification {
    fileprivate func reportUnknownPushType(allowsNew: Bool, _ findings: inout Findings) {
        guard let text = text(of: .pushType), !PushType(rawValue: text).isKnown else { return }
        if allowsNew, PushType.isPossiblyNew(text) { return }
        if envelope.isBroadcast, text.lowercased() == PushType.liveactivity.rawValue { return }
        let advice =
            PushType.meant(by: text).map { "did you mean \($0)?" }
            ?? "known push types are \(PushType.known.map(\.rawValue).joined(separator: ", "))"
        let ends = [text.unicodeScalars.first, text.unicodeScalars.last]
        let hasSpace = ends.contains { $0?.properties.isWhitespace == true }
        findings.report(
            "apns-push-type is \(shown(text: text))\(hasSpace ? " with white space around it" : ""); \(advice)",
            at: .header("apns-push-type"), correction: PushType.spelling(text)?.rawValue)
    }
}
