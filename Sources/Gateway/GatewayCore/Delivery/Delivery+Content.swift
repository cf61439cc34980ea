import APNSModel
import PayloadJSON

extension Delivery {
    /// Whether it wakes the app and shows nothing. Without a push type the payload decides, as it did before push types
    /// existed (docs/reference/apns.md 2.2).
    var isSilent: Bool {
        if let pushType { return pushType == .background }
        guard let aps = PayloadAPS(payload) else { return false }
        return aps.isSilent
    }
}

/// What delivery needs of a payload.
struct PayloadAPS {
    private let document: JSONDocument
    private let aps: JSONIndex

    /// Nil for a payload that is not JSON or has no object `aps`.
    init?(_ payload: [UInt8]) {
        guard let document = try? JSONDocument(payload), let aps = document.member("aps", of: .root),
            document.isObject(aps)
        else { return nil }
        self.document = document
        self.aps = aps
    }

    var isSilent: Bool {
        guard let value = document.member("content-available", of: aps),
            document.kind(of: value) == .true || document.integer(of: value) == 1
        else { return false }
        return document.member("alert", of: aps) == nil && document.member("badge", of: aps) == nil
            && document.member("sound", of: aps) == nil
    }

    /// Of a Live Activity.
    var event: String? { document.member("event", of: aps).flatMap { document.string(of: $0) } }

    /// Of a Live Activity, in seconds since 1970.
    var timestamp: Double? { document.member("timestamp", of: aps).flatMap { document.number(of: $0) } }
}
