import PushDispatch

/// What the service says about a request or a point. Codes are not HTTP statuses (docs/reference/personalization.md 2.1).
public struct DecisionDiagnostic: Hashable, Sendable {
    public var code: Int
    public var description: String

    public init(code: Int, description: String) {
        self.code = code
        self.description = description
    }

    /// Whether it says that all is well: the codes 200 to 299.
    public var isFine: Bool { (200..<300).contains(code) }

    /// What the code is about; nil for a code without a known meaning.
    public var meaning: String? {
        switch code {
        case 200..<300: "fine, possibly without a qualified decision"
        case 401: "the point is not configured"
        case 402: "the point has neither id nor name"
        case 403: "no point of the request can be answered"
        case 404, 405: "not permitted"
        case 406: "too many requests"
        case 407: "no decision with the given id"
        case 408: "a named decision needs sign-on"
        case 521: "a rule could not be evaluated"
        case 533: "the content was too large and was cut off"
        case 500..<600: "a fault of the service"
        default: nil
        }
    }

    /// Reads the list `diagnostics`. What is not an object with a code is left out.
    static func list(_ value: JSONValue?) -> [DecisionDiagnostic] {
        (value?.array ?? []).compactMap { element in
            guard let members = element.object, let code = members["code"].flatMap({ FieldScalar.integer($0) }),
                let code = Int(exactly: code)
            else { return nil }
            return DecisionDiagnostic(code: code, description: members["description"]?.string ?? "")
        }
    }
}
