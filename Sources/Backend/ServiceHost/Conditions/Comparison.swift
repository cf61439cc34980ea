/// What a condition asks of a value.
package enum Comparison<Operand: Hashable & Sendable>: Hashable, Sendable {
    case equals(Operand)
    case isIn([Operand])
    case exists(Bool)
    case greater(Operand)
    case less(Operand)

    /// Whether it holds. A missing value meets only `exists: false`.
    ///
    /// - Parameter resolve: The text that an operand stands for; nil where it is missing.
    package func holds(_ value: String?, _ resolve: (Operand) -> String?) throws(ComparisonError) -> Bool {
        switch self {
        case .exists(let wanted): return (value != nil) == wanted
        case .equals(let operand): return value != nil && value == resolve(operand)
        case .isIn(let operands): return value != nil && operands.contains { resolve($0) == value }
        case .greater(let operand): return try Comparison.order(value, resolve(operand)) == 1
        case .less(let operand): return try Comparison.order(value, resolve(operand)) == -1
        }
    }

    /// 1, 0 or -1; nil if a value is missing. Two numbers are compared as numbers, two other texts by their characters.
    private static func order(_ left: String?, _ right: String?) throws(ComparisonError) -> Int? {
        guard let left, let right else { return nil }
        switch (number(left), number(right)) {
        case (let left?, let right?): return left < right ? -1 : left > right ? 1 : 0
        case (nil, nil): return left < right ? -1 : left > right ? 1 : 0
        default: throw ComparisonError()
        }
    }

    private static func number(_ text: String) -> Double? {
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            return nil
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}

/// Why a condition has no value: a number is compared with text that is not a number.
package struct ComparisonError: Error, Hashable, Sendable {
    package init() {}
}
