import PayloadJSON

/// A problem document (RFC 9457).
package struct ProblemDocument {
    /// Its detail, or its title if it has no detail.
    package let message: String

    /// Nil for another body.
    package init?(_ body: [UInt8]) {
        guard let document = try? JSONDocument(body), document.kind(of: .root) == .object else { return nil }
        let title = document.member("title", of: .root).flatMap { document.string(of: $0) }
        let detail = document.member("detail", of: .root).flatMap { document.string(of: $0) }
        guard let message = detail ?? title else { return nil }
        self.message = message
    }
}
