/// An argument that a test gateway does not accept.
public struct TestGatewayError: Error, Hashable, Sendable, CustomStringConvertible {
    public var detail: String

    public init(_ detail: String) { self.detail = detail }

    public var description: String { detail }
}
