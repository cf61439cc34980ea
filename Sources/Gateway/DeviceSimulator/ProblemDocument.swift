import PayloadJSON

/// The words of a problem document (RFC 9457).
struct ProblemDocument {
    let words: String

    /// Nil for a body that is none.
    init?(_ body: [UInt8]) {
        guard let document = try? JSONDocument(body), document.kind(of: .root) == .object else { return nil }
        let title = document.member("title", of: .root).flatMap { document.string(of: $0) }
        let detail = document.member("detail", of: .root).flatMap { document.string(of: $0) }
        guard let words = detail ?? title else { return nil }
        self.words = words
    }
}
