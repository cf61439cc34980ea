import APNSModel

extension Rule {
    public static let apnsIDForm = Rule(
        id: "apns-id-form", severity: .error, layer: .gateway, refusal: .badMessageID, stage: .headers,
        summary: "An `apns-id` is a UUID in the form 8-4-4-4-12.",
        rationale: """
            It has 32 hexadecimal digits with hyphens, without brackets or prefix. APNs answers BadMessageId to \
            anything else, and creates an id if there is none. Upper-case digits are accepted as well.
            """,
        source: RuleSource.sendingRequests,
        passes: [
            Example("{}", .alert, apnsID: "9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607"),
            Example("{}", .alert, apnsID: "9D1F3C2A-5B6E-4F70-8A91-B2C3D4E5F607"), Example("{}", .alert),
        ],
        fails: [
            Example("{}", .alert, apnsID: "9d1f3c2a5b6e4f708a91b2c3d4e5f607"),
            Example("{}", .alert, apnsID: "{9d1f3c2a-5b6e-4f70-8a91-b2c3d4e5f607}"),
            Example("{}", .alert, apnsID: "order-7"), Example("{}", .alert, apnsID: ""),
        ]
    ) { notification, findings in
        guard let text = notification.text(of: .apnsID), NotificationID(checking: text) == nil else { return }
        let name = (notification.envelope.isIDOfRequest ? EnvelopeKey.requestID : .apnsID).name
        let digits = text.utf8.filter(\.isHexDigit)
        var meant: String?
        if digits.count == 32 {
            let hex = String(decoding: digits, as: UTF8.self)
            var parts: [Substring] = []
            var rest = hex[...]
            for length in [8, 4, 4, 4, 12] {
                parts.append(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            meant = parts.joined(separator: "-")
        }
        let bare = text.trimmed { $0.properties.isWhitespace || "{}()<>[]".unicodeScalars.contains($0) }
        // Hyphens in other places are a typing error, so digits may be wrong too.
        let isCertain = bare == meant || bare.utf8.allSatisfy(\.isHexDigit)
        findings.report(
            "\(name) is \(notification.shown(text: text)); it must be a UUID in the form 8-4-4-4-12"
                + (meant.map { ", for example \($0)" } ?? ""),
            at: .header(name), correction: isCertain ? meant : nil)
    }
}
