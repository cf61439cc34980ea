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

    /// Asks for what became of the records of an object in this span: `deleted` or `updated`.
    func call(_ fate: String, _ object: String, version: String) throws(FetchError) -> RESTCall {
        var call = RESTCall(.get, try RESTPath.data(version, "sobjects/\(RESTPath.object(object))/\(fate)/"))
        call.query = RESTCall.query([("start", start.queryLiteral), ("end", end.queryLiteral)])
        return call
    }

    /// Up to when the server's answer is complete.
    static func covered(_ members: [String: JSONValue], _ reply: RESTReply) throws(FetchError) -> ServerDate {
        guard let covered = date(members["latestDateCovered"]) else {
            throw reply.bad("latestDateCovered is not a date-time")
        }
        return covered
    }

    static func date(_ value: JSONValue?) -> ServerDate? { value?.string.flatMap { ServerDate($0) } }
}
