import PayloadJSON

/// The value of a key whose only valid value is the number 1.
enum Flag: Hashable, Sendable {
    case one
    /// `true`, or 1 with a fraction or an exponent, which a device may read as 1.
    case likeOne
    /// 0 or `false`.
    case off
    case other
}

extension InspectedNotification {
    func flag(_ value: JSONIndex) -> Flag {
        switch document.kind(of: value) {
        case .true: .likeOne
        case .false: .off
        case .integer, .fraction:
            switch document.number(of: value) {
            case 1: document.isOne(value) ? .one : .likeOne
            case 0: .off
            default: .other
            }
        case .null, .string, .array, .object: .other
        }
    }

    /// The value of a key as a number; nil if it is absent or of another type.
    func number(_ key: KnownKey) -> Double? { self[key].flatMap { document.number(of: $0) } }

    /// Whether a number is outside of a range, also one that is beyond the range of a double. False for other values.
    func isNumber(_ value: JSONIndex, outside range: ClosedRange<Double>) -> Bool {
        guard [.integer, .fraction].contains(document.kind(of: value)) else { return false }
        guard let number = document.number(of: value) else { return true }
        return !range.contains(number)
    }

    /// The value as a whole number, however it is written: 3, 3.0 and 0.3e1 are 3. Nil for anything else and for more
    /// than 18 digits.
    func wholeNumber(_ value: JSONIndex) -> Int64? {
        guard [.integer, .fraction].contains(document.kind(of: value)) else { return nil }
        let parts = document.source(of: value).lowercased().split(separator: "e")
        let mantissa = parts[0].split(separator: ".")
        let places = mantissa.count > 1 ? mantissa[1].utf8.count : 0
        guard var scale = parts.count > 1 ? Int(parts[1]) : 0, var number = Int64(mantissa.joined()) else { return nil }
        scale = scale.subtractingReportingOverflow(places).partialValue
        guard number != 0 else { return 0 }
        while scale < 0, number.isMultiple(of: 10) { (number, scale) = (number / 10, scale + 1) }
        while scale > 0, number.magnitude < 100_000_000_000_000_000 { (number, scale) = (number * 10, scale - 1) }
        return scale == 0 ? number : nil
    }

    /// Whether the value of a key is exactly this string.
    func isText(_ key: KnownKey, _ text: StaticString) -> Bool {
        self[key].map { document.isString($0, text) } ?? false
    }

    /// A value for a message: the kind of an object or array, anything else as it is written.
    func described(_ value: JSONIndex) -> String {
        let kind = document.kind(of: value)
        return kind == .object || kind == .array ? kind.inWords : shown(value)
    }

    /// Whether an `alert`, as a string or an object, contains no text.
    func isEmptyAlert(_ alert: JSONIndex) -> Bool {
        switch document.kind(of: alert) {
        case .string: isEmptyText(alert)
        case .object:
            !keys.common(with: InspectedNotification.alertTexts).contains { key in
                self[key].map { !isEmptyText($0) } ?? false
            }
        default: false
        }
    }

    private static let alertTexts: KeySet = [
        .alertTitle, .alertSubtitle, .alertBody, .alertTitleLocKey, .alertSubtitleLocKey, .alertLocKey,
    ]

    func isEmptyText(_ value: JSONIndex) -> Bool {
        document.kind(of: value) == .string && document.range(of: value).count == 2
    }

    /// The edit that removes a member from its object, with one of the commas beside it.
    func removal(of value: JSONIndex, from object: JSONIndex) -> Fix.Edit {
        let start = document.range(of: document.key(of: value)).lowerBound
        let end = document.range(of: value).upperBound
        var before: Int?
        for member in document.members(of: object) {
            if member.value == value { continue }
            let range = document.range(of: member.key)
            if range.lowerBound > end {
                return Fix.Edit((before ?? start)..<(before == nil ? range.lowerBound : end), "")
            }
            before = document.range(of: member.value).upperBound
        }
        return Fix.Edit((before ?? start)..<end, "")
    }
}

extension Array where Element == String {
    /// "a", "a and b", "a, b and c".
    func listed(_ conjunction: String = "and") -> String {
        guard let last, count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }
}
