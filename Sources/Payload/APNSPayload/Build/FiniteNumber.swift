/// A number that JSON can represent: neither infinite nor NaN.
public struct FiniteNumber: Hashable, Sendable {
    public let value: Double

    /// Fails for an infinite number and for NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.value = value
    }
}

extension FiniteNumber: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
    public init(floatLiteral value: Double) {
        precondition(value.isFinite, "JSON cannot represent \(value)")
        self.value = value
    }

    public init(integerLiteral value: Int) { self.value = Double(value) }
}
