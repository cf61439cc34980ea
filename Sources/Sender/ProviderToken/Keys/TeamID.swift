public import APNSModel

/// The 10 characters that identify a developer team: the `iss` of its provider tokens.
public struct TeamID: Hashable, Sendable {
    public let value: String

    /// Fails unless `text` is 10 characters out of `0`-`9` and `A`-`Z`.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10, text.utf8.allSatisfy(\.isIdentifierCharacter) else { return nil }
        value = String(text)
    }

    /// Reads the same, and throws an error that says what is wrong.
    public init(parsing text: some StringProtocol) throws(APNSValueError) {
        guard let id = TeamID(text) else {
            throw APNSValueError(
                .teamID,
                "the team id \(IdentifierProblem.in(text)); it is on the membership page of the developer account")
        }
        self = id
    }
}

extension TeamID: CustomStringConvertible {
    public var description: String { value }
}
