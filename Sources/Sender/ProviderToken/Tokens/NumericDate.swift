package import PayloadJSON

/// A time in the claims of a JWT: a JSON number of seconds since 1970-01-01 UTC (RFC 7519 2, NumericDate).
///
/// The RFC allows a fraction, and JSON any spelling of a number: `1700000000`, `1700000000.31` and `1.7e9` are times. Several
/// Python clients send nothing but fractions. The time is read from its digits, not as a double, so no value is rounded: a
/// fraction is cut off towards the past, as `floor` does.
package enum NumericDate {
    /// Why a value is not a time.
    package enum Fault: Error, Hashable, Sendable {
        /// It is not a number and, where that is accepted, not a string of digits.
        case notNumber
        /// Its whole seconds have more than 64 bits.
        case outOfRange
    }

    /// The whole seconds of the time `value`.
    ///
    /// - Parameter acceptsStrings: Whether a string of digits is a time too. It is not a NumericDate, but APNs has
    ///   accepted it from one library for years (docs/reference/apns.md 4.1). No client is known that puts a fraction
    ///   into a string.
    package static func seconds(
        of value: JSONIndex, in claims: JSONDocument, acceptsStrings: Bool
    ) throws(Fault) -> Int64 {
        switch claims.kind(of: value) {
        case .integer, .fraction:
            guard let seconds = floor(ofNumber: claims.source(of: value).utf8) else { throw .outOfRange }
            return seconds
        default:
            guard acceptsStrings, let seconds = claims.string(of: value).flatMap({ Int64($0) }) else {
                throw .notNumber
            }
            return seconds
        }
    }

    /// The largest integer that is not above a number; nil when it has more than 64 bits.
    ///
    /// - Parameter text: A number in the grammar of JSON.
    static func floor(ofNumber text: some Collection<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        var digits: [Int64] = []
        /// How many digits are before the decimal point. Less than 0: zeros follow the point first.
        var point = 0
        var position = isNegative ? text.index(after: text.startIndex) : text.startIndex
        var isFraction = false
        while position < text.endIndex, text[position] | 0x20 != UInt8(ascii: "e") {
            if text[position] == UInt8(ascii: ".") {
                isFraction = true
            } else {
                // A leading zero counts for nothing but the place of the point.
                if text[position] != UInt8(ascii: "0") || !digits.isEmpty {
                    digits.append(Int64(text[position] - UInt8(ascii: "0")))
                    if !isFraction { point += 1 }
                } else if isFraction {
                    point -= 1
                }
            }
            position = text.index(after: position)
        }
        if position < text.endIndex { point += exponent(text[text.index(after: position)...]) }
        guard digits.contains(where: { $0 != 0 }) else { return 0 }
        guard point <= 19 else { return nil }
        var seconds: Int64 = 0
        for index in 0..<max(0, point) {
            let digit = index < digits.count ? digits[index] : 0
            let (tens, overflow) = seconds.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflow, !sumOverflow else { return nil }
            seconds = sum
        }
        guard isNegative, digits.dropFirst(max(0, point)).contains(where: { $0 != 0 }) else { return seconds }
        let (below, overflow) = seconds.subtractingReportingOverflow(1)
        return overflow ? nil : below
    }

    /// The value of an exponent, with or without a sign. Beyond a million, which is more than a token has digits, its size
    /// makes no difference.
    private static func exponent(_ text: some Collection<UInt8>) -> Int {
        var value = 0
        for byte in text where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "+") {
            value = min(1_000_000, value * 10 + Int(byte - UInt8(ascii: "0")))
        }
        return text.first == UInt8(ascii: "-") ? -value : value
    }
}
