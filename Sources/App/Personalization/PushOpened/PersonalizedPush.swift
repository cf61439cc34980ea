public import PushDispatch

/// What a personalization push asks for, as far as the app allows it.
public struct PersonalizedPush: Hashable, Sendable {
    /// The points to fetch, each once.
    public var points: [String]
    public var context = DecisionContext()
    /// A link from outside. It has to pass the app's rules for links before it leads anywhere.
    public var link: String?
    /// What of the payload was left out.
    public var issues: [PushIssue] = []

    public init(points: [String]) { self.points = points }

    private static let maximumIssues = 100

    mutating func issue(_ code: PushIssue.Code, _ place: [String], _ detail: String) {
        guard issues.count < PersonalizedPush.maximumIssues else { return }
        let pointer = place.map { "/" + $0.replacing("~", "~0").replacing("/", "~1") }.joined()
        issues.append(PushIssue(code, at: pointer, detail))
    }
}

extension String {
    /// Every `old` replaced, without Foundation and on all systems that this library supports.
    fileprivate func replacing(_ old: Character, _ new: String) -> String {
        reduce(into: "") { if $1 == old { $0 += new } else { $0.append($1) } }
    }
}
