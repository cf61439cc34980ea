/// How many of the day's API calls are used, from the header `Sforce-Limit-Info` (docs/reference/selective-sync.md 6.6).
public struct LimitInfo: Hashable, Sendable {
    public struct Usage: Hashable, Sendable {
        public var used: Int
        public var limit: Int
        /// The connected app that the numbers are about, if they are about one.
        public var app: String?

        public init(used: Int, limit: Int, app: String? = nil) {
            self.used = used
            self.limit = limit
            self.app = app
        }
    }

    /// The calls of the whole org.
    public var api: Usage?
    /// The calls of this app.
    public var app: Usage?

    /// Reads `api-usage=18/5000; per-app-api-usage=17/250(appName=sample-app)`. Skips unknown names and parts that cannot be
    /// read. Fails if nothing is left.
    public init?(_ header: String) {
        guard header.utf8.count <= 1_024 else { return nil }
        for part in header.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let usage = LimitInfo.usage(pair[1]) else { continue }
            switch pair[0].trimmingSpaces {
            case "api-usage": api = usage
            case "per-app-api-usage": app = usage
            default: continue
            }
        }
        if api == nil, app == nil { return nil }
    }

    private static func usage(_ text: Substring) -> Usage? {
        let text = text.trimmingSpaces
        let numbers = text.prefix { $0 != "(" }.split(separator: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2, let used = number(numbers[0]), let limit = number(numbers[1]) else { return nil }
        var usage = Usage(used: used, limit: limit)
        let rest = text.drop { $0 != "(" }
        if !rest.isEmpty {
            guard rest.hasPrefix("(appName="), rest.hasSuffix(")") else { return nil }
            usage.app = String(rest.dropFirst(9).dropLast())
        }
        return usage
    }

    private static func number(_ text: Substring) -> Int? {
        let digits = text.trimmingSpaces
        guard (1...18).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }
}
