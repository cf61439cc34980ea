public import PushDispatch

/// Asks which records were changed in a span of time.
public struct UpdatesRequest: Hashable, Sendable {
    public var object: String
    /// Seconds do not count; at most 30 days before the end.
    public var start: ServerDate
    public var end: ServerDate
    public var timeoutMilliseconds: Int64

    public init(object: String, start: ServerDate, end: ServerDate, timeoutMilliseconds: Int64) {
        self.object = object
        self.start = start
        self.end = end
        self.timeoutMilliseconds = timeoutMilliseconds
    }
}

/// Which records were changed in a span of time.
public struct Updates: Hashable, Sendable {
    public var updated: [RecordID]
    /// The next span begins here.
    public var covered: ServerDate

    public init(updated: [RecordID], covered: ServerDate) {
        self.updated = updated
        self.covered = covered
    }
}
