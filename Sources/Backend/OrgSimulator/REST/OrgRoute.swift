import ServiceHost

/// The resource that a path names.
enum OrgRoute: Hashable {
    case collectionFetch(object: String)
    case collectionWrite
    case create(object: String)
    case record(object: String, id: String)
    case external(ExternalName)
    case updated(object: String)
    case deleted(object: String)
    case query(isAll: Bool)
    case nextPage(locator: String)
    case composite
    case batch
    case push
    case notices
    case notice(id: String)
    case noticeStatus
    case noticeTypes
    case noticeAction(id: String, key: String)
    case sendNotices
    case limits

    static let tokenPath = "/services/oauth2/token"
    static let revokePath = "/services/oauth2/revoke"

    private static let root = "/services/data/"

    /// The route and the API version that the path names, such as `v66.0`.
    static func read(_ path: String) -> (route: OrgRoute, version: String)? {
        guard path.hasPrefix(root) else { return nil }
        var parts = path.dropFirst(root.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, isVersion(parts[0]) else { return nil }
        let version = parts.removeFirst()
        return OrgRoute(parts).map { ($0, version) }
    }

    private init?(_ parts: [String]) {
        switch (parts.count, parts[0], parts.count > 1 ? parts[1] : "") {
        case (1, "composite", _): self = .composite
        case (1, "query", _): self = .query(isAll: false)
        case (1, "queryAll", _): self = .query(isAll: true)
        case (1, "limits", _): self = .limits
        // Clients also write the query's address with a slash before the question mark.
        case (2, "query", ""): self = .query(isAll: false)
        case (2, "queryAll", ""): self = .query(isAll: true)
        case (2, "query", let locator), (2, "queryAll", let locator): self = .nextPage(locator: locator)
        case (2, "composite", "batch"): self = .batch
        case (2, "composite", "sobjects"): self = .collectionWrite
        case (2, "sobjects", let object): self = .create(object: object)
        case (3, "composite", "sobjects"): self = .collectionFetch(object: parts[2])
        case (2, "connect", "notifications"): self = .notices
        case (3, "connect", "notifications"):
            switch parts[2] {
            case "push": self = .push
            case "types": self = .noticeTypes
            case "status": self = .noticeStatus
            case let id: self = .notice(id: id)
            }
        case (5, "connect", "notifications") where parts[3] == "actions":
            self = .noticeAction(id: parts[2], key: parts[4])
        case (3, "actions", "standard") where parts[2] == "customNotificationAction": self = .sendNotices
        case (3, "sobjects", let object), (4, "sobjects", let object):
            if parts.count == 4, !parts[3].isEmpty {
                guard !["updated", "deleted"].contains(parts[2]),
                    let value = FormText.decode(parts[3][...], plus: "+")
                else { return nil }
                self = .external(ExternalName(object: object, field: parts[2], value: value))
                return
            }
            switch parts[2] {
            case "updated": self = .updated(object: object)
            case "deleted": self = .deleted(object: object)
            case let id where parts.count == 3: self = .record(object: object, id: id)
            default: return nil
            }
        default: return nil
        }
    }

    private static func isVersion(_ text: String) -> Bool {
        let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
        return text.hasPrefix("v") && parts.count == 2
            && parts.allSatisfy { (1...3).contains($0.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// Whether the path is the address of a later page of a query.
    static func isLaterPage(_ path: String) -> Bool {
        if case .nextPage? = read(path)?.route { true } else { false }
    }

    var methods: [String] {
        switch self {
        case .collectionFetch: ["GET", "POST"]
        case .collectionWrite: ["POST", "PATCH", "DELETE"]
        case .create, .composite, .batch, .push, .noticeAction, .sendNotices: ["POST"]
        case .notices, .notice: ["GET", "PATCH"]
        case .record: ["GET", "PATCH", "DELETE"]
        case .external: ["GET", "PATCH"]
        case .updated, .deleted, .query, .nextPage, .noticeStatus, .noticeTypes, .limits: ["GET"]
        }
    }

    /// Whether a composite call counts it towards the limit of queries and collections.
    var isHeavy: Bool {
        switch self {
        case .query, .nextPage, .collectionFetch, .collectionWrite: true
        default: false
        }
    }
}
