import PushDispatch

/// A span that the server is asked about, in whole minutes.
struct TimeSpan: Hashable, Sendable {
    let start: ServerDate
    let end: ServerDate

    init(from start: ServerDate, to end: ServerDate, maximumDays: Int64) throws(FetchError) {
        self.start = start.flooredToMinute
        self.end = end.flooredToMinute
        let (length, overflow) = self.end.millisecondsSince1970.subtractingReportingOverflow(
            self.start.millisecondsSince1970)
        guard overflow || length > 0 else {
            throw FetchError(.badRequest, advice: .stop, "the span's start is not a minute before its end")
        }
        guard !overflow, length <= maximumDays * ServerDate.dayMilliseconds else {
            throw FetchError(.badRequest, advice: .stop, "the server is asked for at most \(maximumDays) days")
        }
    }

    var query: String { RESTCall.query([("start", start.queryLiteral), ("end", end.queryLiteral)]) }

    static func date(_ value: JSONValue?) -> ServerDate? { value?.string.flatMap { ServerDate($0) } }
}
