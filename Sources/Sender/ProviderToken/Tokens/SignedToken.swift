/// A provider token that this process signed. Whoever has it can send until it expires, so its description does not show
/// it.
package struct SignedToken: Hashable, Sendable {
    /// The token without `bearer`.
    package let text: String
    /// The value of the `authorization` header.
    package let authorization: [UInt8]
    /// Tells the tokens of one key of a source from those of the next.
    package let keyNumber: Int

    package init(_ text: String, keyNumber: Int = 0) {
        self.text = text
        self.keyNumber = keyNumber
        authorization = Array("bearer \(text)".utf8)
    }
}

extension SignedToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "signed provider token" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}
