/// The required value of a custom key.
public indirect enum ContractValue: Hashable, Sendable {
    case any
    /// - Parameter length: In characters (Unicode scalars); nil for any.
    case string(ContractFormat = .any, length: ClosedRange<Int>? = nil)
    /// A number without fraction and exponent.
    case integer(ClosedRange<Int64>? = nil)
    case number(ClosedRange<Double>? = nil)
    case boolean
    case object
    /// - Parameter count: How many elements; nil for any.
    case array(of: ContractValue = .any, count: ClosedRange<Int>? = nil)
}

extension ContractValue: CustomStringConvertible {
    /// The value with its article, for messages.
    public var description: String {
        switch self {
        case .any: "any value"
        case .string(let format, let length):
            length.map { "\(format.description) of \(ContractValue.words(for: $0)) characters" } ?? format.description
        case .integer(let range): "an integer" + (range.map { ContractValue.words(for: $0) } ?? "")
        case .number(let range): "a number" + (range.map { ContractValue.words(for: $0) } ?? "")
        case .boolean: "true or false"
        case .object: "an object"
        case .array(_, let count): "an array" + (count.map { " of \(ContractValue.words(for: $0)) elements" } ?? "")
        }
    }

    private static func words(for range: ClosedRange<Int64>) -> String {
        let (least, most) = (range.lowerBound, range.upperBound)
        return words(least: least == .min ? nil : "\(least)", most: most == .max ? nil : "\(most)")
    }

    private static func words(for range: ClosedRange<Double>) -> String {
        words(least: text(range.lowerBound), most: text(range.upperBound))
    }

    /// Nil stands for a limit that there is not.
    private static func words(least: String?, most: String?) -> String {
        switch (least, most) {
        case (let least?, let most?): " from \(least) to \(most)"
        case (let least?, nil): " of at least \(least)"
        case (nil, let most?): " of at most \(most)"
        case (nil, nil): ""
        }
    }

    /// A number as JSON has it; nil for an infinite one.
    private static func text(_ number: Double) -> String? {
        guard number.isFinite else { return nil }
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    private static func words(for range: ClosedRange<Int>) -> String {
        if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
        return range.upperBound == .max
            ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    }
}
