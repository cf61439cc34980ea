/// What an answer of the service means for the events of the batch.
public enum AnswerMeaning: Hashable, Sendable {
    /// The service has them. They are removed.
    case delivered
    /// Something in the batch is refused. It is halved until the bad event is alone, which is dropped and reported.
    case refused
    /// All are refused. They are dropped and reported.
    case refusedWhole
    /// The credentials are not valid. The batch is sent again at once, with `renewsCredentials`; a second time in a row counts
    /// as a failure.
    case renewCredentials
    /// A failure. The batch is sent again after the back-off, but not before this wait.
    case retryLater(milliseconds: Int64 = 0)
    /// The batch is sent again at once, so many times in a row at most; then it is a failure.
    case retryAtOnce(times: Int = 1)
}

/// What each status means. The first range with a status counts.
public struct AnswerRules: Hashable, Sendable {
    public var ranges: [(statuses: ClosedRange<Int>, meaning: AnswerMeaning)] {
        get { rows.map { ($0.statuses, $0.meaning) } }
        set { rows = newValue.map { Row(statuses: $0.statuses, meaning: $0.meaning) } }
    }
    /// The meaning of every other status.
    public var otherwise = AnswerMeaning.retryLater()

    private struct Row: Hashable, Sendable {
        var statuses: ClosedRange<Int>
        var meaning: AnswerMeaning
    }

    private var rows: [Row] = []

    public init(
        _ ranges: [(statuses: ClosedRange<Int>, meaning: AnswerMeaning)], otherwise: AnswerMeaning = .retryLater()
    ) {
        self.otherwise = otherwise
        self.ranges = ranges
    }

    /// 2xx is delivered; 400, 413 and 422 are refused; 401 renews the credentials; everything else is tried again later.
    public init() {
        self.init([
            (200...299, .delivered), (400...400, .refused), (401...401, .renewCredentials), (413...413, .refused),
            (422...422, .refused),
        ])
    }

    public func meaning(of status: Int) -> AnswerMeaning {
        rows.first { $0.statuses.contains(status) }?.meaning ?? otherwise
    }
}
