import APNSModel
import PayloadJSON

/// The headers of an envelope in its usual form: each key once, values without escapes and of the right form, a payload that
/// is an object, and no other keys and no white space.
///
/// It is for streams of many envelopes. For anything unusual there is none, and `EnvelopeReader` decides.
struct EnvelopeLine {
    /// What the rules about headers see beyond the forms that are right: envelopes that are the same in this have the same
    /// findings about headers.
    struct HeaderClass: Hashable {
        var topic: Range<Int>?
        var pushType: Range<Int>?
        var priority: UInt8 = 0
        var expiration = ExpirationClass.absent
        var hasToken = false
        var hasCollapseID = false
        var hasID = false
    }

    enum ExpirationClass: UInt8 { case absent, once, time }

    /// With ranges of the line.
    private(set) var headers = HeaderClass()
    private(set) var payload = JSONIndex.root

    private enum Name {
        static let token = 0
        static let topic = 1
        static let pushType = 2
        static let priority = 3
        static let expiration = 4
        static let collapseID = 5
        static let apnsID = 6
        static let payload = 7

        static let table = JSONKeyTable([
            ("token", 0), ("apns-topic", 1), ("apns-push-type", 2), ("apns-priority", 3), ("apns-expiration", 4),
            ("apns-collapse-id", 5), ("apns-id", 6), ("payload", 7),
        ])
    }

    /// Memory for `init`, which is reused.
    struct Scratch {
        fileprivate var values = [JSONIndex](repeating: .root, count: 64)
        fileprivate let table = Name.table
    }

    /// - Parameter now: In seconds since 1970-01-01 UTC; nil if unknown.
    init?(_ document: borrowing JSONDocument, _ scratch: inout Scratch, now: Int64?) {
        guard !document.containsSpace else { return nil }
        let scan = document.scan(.root, for: scratch.table, into: &scratch.values)
        guard !scan.hasOthers, !scan.repeatsKey, scan.nulls == 0, scan.found >> UInt64(Name.payload) & 1 == 1 else {
            return nil
        }
        payload = scratch.values[Name.payload]
        guard document.isObject(payload) else { return nil }
        let isRight = document.bytes.withUnsafeBufferPointer { text in
            func read(_ name: Int, _ check: (UnsafeBufferPointer<UInt8>, Range<Int>) -> Bool) -> Bool {
                guard scan.found >> UInt64(name) & 1 == 1 else { return true }
                guard let range = document.plainRange(of: scratch.values[name]) else { return false }
                return check(UnsafeBufferPointer(rebasing: text[range]), range)
            }
            /// The digits of a string or of an integer.
            func readDigits(_ name: Int, _ check: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
                guard scan.found >> UInt64(name) & 1 == 1 else { return true }
                let value = scratch.values[name]
                let range =
                    document.kind(of: value) == .integer ? document.range(of: value) : document.plainRange(of: value)
                return range.map { check(UnsafeBufferPointer(rebasing: text[$0])) } ?? false
            }
            return read(
                Name.token,
                { token, _ in
                    headers.hasToken = true
                    return EnvelopeLine.isToken(token)
                })
                && read(
                    Name.topic,
                    { _, range in
                        headers.topic = range
                        return true
                    })
                && read(
                    Name.pushType,
                    { _, range in
                        headers.pushType = range
                        return true
                    })
                && readDigits(Name.priority, { take(priority: $0) })
                && readDigits(Name.expiration, { take(expiration: $0, now: now) })
                && read(
                    Name.collapseID,
                    { id, _ in
                        headers.hasCollapseID = true
                        return EnvelopeLine.isCollapseID(id)
                    })
                && read(
                    Name.apnsID,
                    { id, _ in
                        headers.hasID = true
                        return ASCIIWord.isUUID(id)
                    })
        }
        guard isRight else { return nil }
    }

    /// The bytes of a range, compared with others.
    static func isSame(_ range: Range<Int>?, of text: UnsafeBufferPointer<UInt8>, as other: [UInt8]?) -> Bool {
        guard let range, let other else { return range == nil && other == nil }
        return range.count == other.count && text[range].elementsEqual(other)
    }

    private mutating func take(priority: UnsafeBufferPointer<UInt8>) -> Bool {
        switch (priority.count, priority.first) {
        case (1, UInt8(ascii: "5")): headers.priority = 5
        case (1, UInt8(ascii: "1")): headers.priority = 1
        case (2, UInt8(ascii: "1")) where priority[1] == UInt8(ascii: "0"): headers.priority = 10
        default: return false
        }
        return true
    }

    /// A time that no rule reports, or 0.
    private mutating func take(expiration: UnsafeBufferPointer<UInt8>, now: Int64?) -> Bool {
        if expiration.count == 1, expiration[0] == UInt8(ascii: "0") {
            headers.expiration = .once
            return true
        }
        guard (10...11).contains(expiration.count), expiration[0] != UInt8(ascii: "0") else { return false }
        var seconds: Int64 = 0
        for digit in expiration {
            guard digit &- UInt8(ascii: "0") < 10 else { return false }
            seconds = seconds * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        headers.expiration = .time
        return now.map { seconds - $0 <= 30 * 86_400 } ?? true
    }

    /// A device token of a usual length.
    private static func isToken(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        (64...200).contains(text.count) && text.count.isMultiple(of: 2) && ASCIIWord.isHex(text)
    }

    private static func isCollapseID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard (1...CollapseID.maximumBytes).contains(text.count), text[0] != 0x20, text[text.count - 1] != 0x20 else {
            return false
        }
        var isRight = true
        for byte in text { isRight = isRight && byte >= 0x20 && byte != 0x7F }
        return isRight
    }
}
