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
        case .integer(let range): "an integer" + (range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? "")
        case .number(let range): "a number" + (range.map { " from \($0.lowerBound) to \($0.upperBound)" } ?? "")
        case .boolean: "true or false"
        case .object: "an object"
        case .array(_, let count): "an array" + (count.map { " of \(ContractValue.words(for: $0)) elements" } ?? "")
        }
    }

    private static func words(for range: ClosedRange<Int>) -> String {
        if range.lowerBound == range.upperBound { return "\(range.lowerBound)" }
        return range.upperBound == .max
            ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
    }
}
