/// A number from 0 to 1: the relevance of an alert, the volume of a sound.
public struct UnitFraction: Hashable, Sendable {
    public let value: Double

    /// Fails for a number below 0 or above 1 and for NaN.
    public init?(_ value: Double) {
        guard (0...1).contains(value) else { return nil }
        self.value = value
    }

    /// The nearest number from 0 to 1; 0 for NaN.
    public init(clamping value: Double) { self.value = value > 0 ? min(value, 1) : 0 }
}

extension UnitFraction: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    public init(floatLiteral value: Double) {
        precondition((0...1).contains(value), "\(value) is not from 0 to 1")
        self.value = value
    }

    public init(integerLiteral value: Int) { self.init(floatLiteral: Double(value)) }
}

extension UnitFraction {
    /// 0 and 1 are written without a decimal point, which saves two bytes.
    var json: PayloadValue {
        value == 0 || value == 1 ? .integer(Int64(value)) : .number(FiniteNumber(floatLiteral: value))
    }
}
