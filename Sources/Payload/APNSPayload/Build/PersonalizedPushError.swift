/// Why a personalized push cannot be built.
public enum PersonalizedPushError: Error, Hashable, Sendable {
    /// The content has no alert.
    case noAlert
    /// The name of a point that is not valid.
    case badPoint(String)
    case repeatedPoint(String)
    case badContextKey(String)
    /// A context key that says who the person is.
    case identityKey(String)
    /// The key whose value is an array or an object.
    case badContextValue(String)
    /// What is wrong with the link, as the end of a sentence.
    case badLink(String)
    /// A key of the app's own data that the push has itself.
    case reservedKey(String)
}

extension PersonalizedPushError: CustomStringConvertible {
    public var description: String {
        let form = "1 to \(PersonalizedText.maximumNameLength) letters, digits, _, - and ."
        switch self {
        case .noAlert: return "a personalized push needs an alert, because the app fetches when the user opens it"
        case .badPoint(let name): return "\"\(name)\" cannot be the name of a point: it must have \(form)"
        case .repeatedPoint(let name): return "the point \"\(name)\" is there twice"
        case .badContextKey(let key): return "\"\(key)\" cannot be a context key: it must have \(form)"
        case .identityKey(let key):
            return "the context key \"\(key)\" says who the person is, which an app does not take from a push"
        case .badContextValue(let key):
            return "the value of the context key \"\(key)\" must be text, a number, true or false"
        case .badLink(let problem): return "the link \(problem); it must be a URL with https and a host"
        case .reservedKey(let key): return "\"\(key)\" is a key of the personalized push itself; use another name"
        }
    }
}
