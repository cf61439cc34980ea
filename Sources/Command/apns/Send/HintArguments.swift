import APNSModel
import APNSPayload
import ArgumentParser

/// What `apns send --hint` sends.
struct HintArguments: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case account
        case interaction
        /// The visible push of a set-up.
        case test
        /// A type that another trigger sends, with or without records.
        case other(String)
    }

    var kind: Kind
    var records: [String]
    var changed: [String]
    /// Keys besides those of the hint; only with another type.
    var custom: CustomData

    private static let test = "TEST"
    private static let known = HintPayload.Kind.allCases.map(\.rawValue) + [test]
    /// The most bytes of a type. Real ones are far shorter.
    private static let maximumTypeBytes = 64

    /// - Parameter changed: Names of fields, separated by commas.
    init(type: String, records: [String], changed: String?, custom: CustomData = [:]) throws {
        kind = try HintArguments.kind(type)
        switch kind {
        case .account, .interaction:
            guard !records.isEmpty else { throw ValidationError("--hint needs the ids of the records: --record ID...") }
        case .test:
            guard records.isEmpty else {
                throw ValidationError("--hint TEST shows that pushes arrive, and names no records; leave out --record.")
            }
        case .other: break
        }
        guard changed == nil || kind == .account else {
            throw ValidationError("--changed needs --hint ACCOUNT_UPDATE; \(type) has no changed fields.")
        }
        if !custom.values.isEmpty {
            guard case .other = kind else {
                throw ValidationError("--hint \(type) has no keys besides its own; leave out --custom.")
            }
            for key in ["type", "recordIds"] where custom[key] != nil {
                throw ValidationError("--hint gives the key \(key) itself; leave out --custom \(key).")
            }
        }
        self.records = records
        self.custom = custom
        self.changed =
            changed?.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty } ?? []
    }

    private static func kind(_ type: String) throws -> Kind {
        switch type {
        case HintPayload.Kind.accountUpdate.rawValue: return .account
        case HintPayload.Kind.interaction.rawValue: return .interaction
        case test: return .test
        default: break
        }
        // Another type is allowed, because a trigger can send any. A misspelt one is not.
        if let meant = Suggestion.best(for: type, among: known) {
            throw ValidationError("--hint \"\(PlainText.safe(type))\": did you mean \(meant)?")
        }
        guard (1...maximumTypeBytes).contains(type.utf8.count), type.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw ValidationError(
                "--hint must be \(known.joined(separator: ", ")) or another type of 1 to \(maximumTypeBytes) ASCII "
                    + "characters without spaces, not \"\(PlainText.safe(ShownText.cut(type, to: 80)))\".")
        }
        return .other(type)
    }

    /// Silent, except for the push of a set-up.
    var pushType: PushType { kind == .test ? .alert : .background }

    /// As few payloads as possible: one for each account; other records share one as long as they fit.
    func payloads() throws(CommandError) -> [[UInt8]] {
        do throws(HintPayloadError) {
            switch kind {
            case .account:
                return try records.map { id throws(HintPayloadError) in
                    try HintPayload.accountUpdate(id, changedFields: changed)
                }
            case .interaction: return try HintPayload.interactions(records)
            case .test: return [HintPayload.test()]
            case .other(let type):
                guard records.isEmpty else { return try HintPayload.records(records, type: type, custom: custom) }
                var custom = custom
                try? custom.set(.string(type), for: "type")
                return [BackgroundPush(custom: custom).encoded()]
            }
        } catch {
            throw CommandError(PlainText.safe(error.description), .badArguments)
        }
    }

    /// The sentence about several payloads; nil for one.
    func announcement(payloadCount count: Int) -> String? {
        guard count > 1 else { return nil }
        let why = kind == .account ? "one for each record" : "because one payload has at most 4096 bytes"
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
