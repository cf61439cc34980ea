/// A provider token of our own, ready to be sent. What describes it never shows it.
package struct SignedToken: Hashable, Sendable {
    /// The token without the word `bearer`.
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
