import APNSModel
import PayloadJSON

extension Rule {
    public static let hintTooManyRecords = Rule(
        id: "hint-too-many-records", severity: .warning, layer: .gateway, looksAt: [.recordIds],
        summary: "A hint has no more ids than fit into one payload.",
        rationale: """
            191 ids of 18 characters, or 223 of 15, fit into the 4096 bytes of a background push. More ids need \
            several pushes, and APNs keeps only the newest of them for an offline device. For a very large change, \
            send a hint without ids that asks for a regular sync.
            """,
        source: RuleSource.hintContract,
        passes: [
            Example(#"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["0xIxx0000000001EAA"]}"#),
            Example(.hint(ofRecords: 191)),
        ],
        fails: [Example(.hint(ofRecords: 192)), Example(.hint(ofRecords: 250), .background, priority: 5)]
    ) { notification, findings in
        let limit = PushType.background.maximumPayloadBytes
        guard notification.envelope.payload.count > limit, notification.hintKind == .interaction,
            let ids = notification[.recordIds], notification.document.kind(of: ids) == .array
        else { return }
        var count = 0
        var bytes = 0
        var most = 0
        let range = notification.document.range(of: ids)
        let rest = notification.envelope.payload.count - range.count + 2
        for id in notification.document.elements(of: ids) {
            bytes += notification.document.range(of: id).count + (count > 0 ? 1 : 0)
            count += 1
            if rest + bytes <= limit { most = count }
        }
        // Otherwise the payload is too large even without ids, or because of white space only.
        guard most > 0, most < count else { return }
        findings.report(
            "there are \(count) recordIds, and one payload has space for the first \(most); split them, or ask for a "
                + "regular sync", at: notification.place(ofKeyOf: ids))
    }
}

extension String {
    /// A hint that names `count` interactions.
    fileprivate static func hint(ofRecords count: Int) -> String {
        let ids = (0..<count).map { number in
            let digits = String(number)
            return "\"0xI" + String(repeating: "0", count: 12 - digits.count) + digits + "EAA\""
        }
        return #"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":["#
            + ids.joined(separator: ",") + "]}"
    }
}
