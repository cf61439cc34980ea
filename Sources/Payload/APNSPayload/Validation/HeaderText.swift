/// The value of a header in an example, which can be written as a number.
public struct HeaderText: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public let text: String

    public init(stringLiteral text: String) { self.text = text }
    public init(integerLiteral number: Int) { text = String(number) }
}

extension HeaderText: CustomStringConvertible {
    public var description: String { text }
}
