import PushDispatch

/// Reads the server's refusals: a status and an array of `errorCode` and `message` (docs/reference/selective-sync.md 6.6).
enum ServerRefusal {
    /// The advice by code. The message is not read, because it varies between releases.
    private static let adviceByCode: [String: FetchError.Advice] = [
        "MALFORMED_ID": .dropRecord,
        "INVALID_FIELD": .stop,
        "MALFORMED_QUERY": .stop,
        "INVALID_SESSION_ID": .logIn,
        "REQUEST_LIMIT_EXCEEDED": .keep,
        "INSUFFICIENT_ACCESS": .stop,
        "API_DISABLED_FOR_ORG": .stop,
        "NOT_FOUND": .stop,
        "ENTITY_IS_DELETED": .stop,
        // More than 600,000 ids in the span: a regular sync compares the local ids instead.
        "EXCEEDED_ID_LIMIT": .stop,
        // The server no longer knows the next page: the pass starts the query again at its mark.
        "INVALID_QUERY_LOCATOR": .stop,
        "UNKNOWN_EXCEPTION": .retryLater,
        "SERVER_UNAVAILABLE": .retryLater,
    ]

    private static let limits = JSONLimits(maximumBytes: 65_536, maximumDepth: 8, maximumValues: 2_048)

    /// Whether it is known what a refusal with this code means for a hint.
    static func knows(_ code: FetchError.Code) -> Bool { adviceByCode[code.rawValue] != nil }

    /// An error whose code is not known, or whose body cannot be read, is judged by its status and never drops a hint: the
    /// server gets new codes, and the body may be the page of a proxy or of a hotel's network.
    static func read(status: Int, body: [UInt8]) -> FetchError {
        guard !(300..<400).contains(status) else {
            return FetchError(
                .redirected, status: status, advice: .retryLater, "the server answers from another address")
        }
        let errors = (try? JSONReader.read(body, limits: limits))?.array
        guard let code = errors?.first?.object?["errorCode"]?.string, isCode(code) else {
            return FetchError(
                .unexplained, status: status, advice: advice(status, otherwise: .keep),
                "the server refused without a readable errorCode")
        }
        return FetchError(
            FetchError.Code(code), status: status, advice: adviceByCode[code] ?? advice(status, otherwise: .keep),
            "the server refused the call")
    }

    /// The first error in words for the user who made the edit: its code, the fields that it names, and the server's message.
    /// It may contain values of the record, so it belongs into the record and not into a log.
    static func reason(_ body: [UInt8]) -> String? {
        let first = (try? JSONReader.read(body, limits: limits))?.array?.first?.object
        guard let code = first?["errorCode"]?.string, isCode(code) else { return nil }
        let fields = (first?["fields"]?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
        let named = fields.isEmpty ? code : "\(code) (\(fields.joined(separator: ", ")))"
        guard let message = first?["message"]?.string, !message.isEmpty else { return named }
        return "\(named): \(message)"
    }

    /// Only upper-case letters, digits and `_`, so that nothing else of a reply gets into a message.
    private static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_" }
    }

    private static func advice(_ status: Int, otherwise advice: FetchError.Advice) -> FetchError.Advice {
        switch status {
        case 401: .logIn
        case 408, 409, 412, 429, 500...: .retryLater
        default: advice
        }
    }
}
