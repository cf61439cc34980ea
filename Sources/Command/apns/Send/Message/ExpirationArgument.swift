import APNSModel
import ArgumentParser

/// The value of `--expiration`: a time, a single attempt, or a time span from now.
enum ExpirationArgument: Hashable, Sendable {
    case time(Expiration)
    /// Whole seconds from when the command starts.
    case fromNow(Int64)

    /// - Throws: `ValidationError` with the forms, or with the one that was probably meant.
    init(_ text: String) throws {
        if text == "once" {
            self = .time(.once)
        } else if text.hasPrefix("+"), let milliseconds = TimeText.milliseconds(ofDuration: text.dropFirst()),
            milliseconds > 0
        {
            self = .fromNow((milliseconds + 999) / 1000)
        } else if let seconds = Int64(text), !text.hasPrefix("+"),
            let expiration = Expiration(secondsSince1970: seconds)
        {
            if let (unit, count) = TokenVerdict.unit(of: seconds) {
                throw ValidationError("it looks like \(unit); did you mean \(seconds / count)?")
            }
            self = .time(expiration)
        } else if let milliseconds = TimeText.milliseconds(ofTime: text),
            let expiration = Expiration(secondsSince1970: milliseconds / 1000)
        {
            self = .time(expiration)
        } else {
            let meant = "+" + (text.hasPrefix("+") ? text.dropFirst() : text[...]).filter { $0 != " " }
            if meant != text, TimeText.milliseconds(ofDuration: meant.dropFirst()).map({ $0 > 0 }) == true {
                throw ValidationError("did you mean \(meant)?")
            }
            throw ValidationError(
                "it must be a time span from now such as +1h, whole seconds since 1970-01-01 UTC, a time such as "
                    + "2026-11-21T07:00:00Z, or once for a single attempt without storage")
        }
    }

    /// - Parameter now: Seconds since 1970-01-01 UTC.
    func expiration(at now: Int64) -> Expiration? {
        switch self {
        case .time(let expiration): expiration
        case .fromNow(let seconds): Expiration(secondsSince1970: now + seconds)
        }
    }

    /// Identifies the value in the fingerprint of a batch. It is the same in a second run of the same command, although a
    /// time span then ends later.
    var fingerprint: String {
        switch self {
        case .time(let expiration): String(expiration.secondsSince1970)
        case .fromNow(let seconds): "+\(seconds)"
        }
    }
}
