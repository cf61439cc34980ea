/// A provider token that this process signed. Whoever has it can send until it expires, so its description does not show
/// it.
package struct SignedToken: Hashable, Sendable {
    /// The token without `bearer`.
    package let text: String
    /// The value of the `authorization` header.
    package let authorization: [UInt8]

    package init(_ text: String) {
        self.text = text
        authorization = Array("bearer \(text)".utf8)
    }
}

extension SignedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "signed provider token" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
