import APNSModel
import APNSPayload
import ArgumentParser

/// What `apns send --hint` sends.
struct HintArguments: Hashable, Sendable {
    var kind: HintPayload.Kind
    var records: [String]
    var changed: [String]

    /// - Parameter changed: Names of fields, separated by commas.
    init(type: String, records: [String], changed: String?) throws {
        guard let kind = HintPayload.Kind(rawValue: type) else {
            let known = HintPayload.Kind.allCases.map(\.rawValue)
            let meant = Suggestion.best(for: type, among: known).map { " Did you mean \($0)?" } ?? ""
            throw ValidationError(
                "--hint must be \(known.joined(separator: " or ")), not \"\(PlainText.safe(type))\".\(meant)")
        }
        guard !records.isEmpty else { throw ValidationError("--hint needs the ids of the records: --record ID...") }
        guard changed == nil || kind == .accountUpdate else {
            throw ValidationError("--changed needs --hint ACCOUNT_UPDATE; \(type) has no changed fields.")
        }
        self.kind = kind
        self.records = records
        self.changed =
            changed?.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty } ?? []
    }

    /// As few payloads as possible: one for each account; interactions share one as long as they fit.
    func payloads() throws(CommandError) -> [[UInt8]] {
        do throws(HintPayloadError) {
            switch kind {
            case .accountUpdate:
                return try records.map { id throws(HintPayloadError) in
                    try HintPayload.accountUpdate(id, changedFields: changed)
                }
            case .interaction: return try HintPayload.interactions(records)
            }
        } catch {
            throw CommandError(PlainText.safe(error.description), .badArguments)
        }
    }

    /// The sentence about several payloads; nil for one.
    func announcement(payloadCount count: Int) -> String? {
        guard count > 1 else { return nil }
        let why = kind == .accountUpdate ? "one for each record" : "because one payload has at most 4096 bytes"
        return
            "The \(records.count) records are sent as \(count) notifications to each device, \(why). APNs keeps only the "
            + "newest one for a device that is offline."
    }
}

extension Substring {
    /// Without white space at both ends.
    var trimmed: Substring {
        let start = drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
