/// Something in a text from outside that could not be used, and what is done without it. It contains no value but ids.
public struct ReadingIssue: Hashable, Sendable, CustomStringConvertible {
    /// Where: `fields.nt_config.components[2]`. Empty for the whole.
    public var path: String
    /// What is there, what was expected, and what is done.
    public var detail: String

    public init(_ path: String, _ detail: String) {
        self.path = path
        self.detail = detail
    }

    public var description: String { path.isEmpty ? detail : "\(path) \(detail)" }
}

/// Issues as they are found. More than 100 are not kept, because a hostile text could have millions.
struct IssueList: Hashable, Sendable {
    static let maximum = 100
    private(set) var all: [ReadingIssue] = []

    mutating func add(_ path: String, _ detail: @autoclosure () -> String) {
        if all.count < IssueList.maximum { all.append(ReadingIssue(path, detail())) }
    }

    mutating func add(_ issues: [ReadingIssue], under path: String = "") {
        for issue in issues.prefix(IssueList.maximum - all.count) {
            let place = [path, issue.path].filter { !$0.isEmpty }.joined(separator: ".")
            all.append(ReadingIssue(place, issue.detail))
        }
    }
}
