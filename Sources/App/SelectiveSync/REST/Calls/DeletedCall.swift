package import PushDispatch

/// The list of records deleted in a span of time (docs/reference/selective-sync.md 6.4).
package struct DeletedCall: RESTExchange {
    /// The server lists deletions of this many days at most.
    package static let maximumDays: Int64 = 15

    package let call: RESTCall

    /// - Throws: `badRequest` with the advice `stop` for a span that is shorter than a minute or longer than the server
    ///   takes. A regular sync then compares all ids.
    package init(_ request: DeletionsRequest, version: String) throws(FetchError) {
        let (start, end) = (request.start.flooredToMinute, request.end.flooredToMinute)
        let (length, overflow) = end.millisecondsSince1970.subtractingReportingOverflow(start.millisecondsSince1970)
        guard overflow || length > 0 else {
            throw FetchError(.badRequest, advice: .stop, "the span's start is not a minute before its end")
        }
        guard !overflow, length <= DeletedCall.maximumDays * ServerDate.dayMilliseconds else {
            throw FetchError(
                .badRequest, advice: .stop, "the server lists deletions of at most \(DeletedCall.maximumDays) days")
        }
        let object = try RESTPath.object(request.object)
        var call = RESTCall(.get, try RESTPath.data(version, "sobjects/\(object)/deleted/"))
        call.query = RESTCall.query([("start", start.queryLiteral), ("end", end.queryLiteral)])
        self.call = call
    }

    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> Deletions {
        let members = try reply.object(limits)
        guard let elements = members["deletedRecords"]?.array else {
            throw reply.bad("deletedRecords is not an array")
        }
        guard let covered = DeletedCall.date(members["latestDateCovered"]) else {
            throw reply.bad("latestDateCovered is not a date-time")
        }
        let earliest = DeletedCall.date(members["earliestDateAvailable"])
        if earliest == nil, members["earliestDateAvailable"] ?? .null != .null {
            throw reply.bad("earliestDateAvailable is not a date-time")
        }
        var deletions = Deletions(deleted: [], earliestAvailable: earliest, covered: covered)
        deletions.deleted.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let id = element.object?["id"]?.string.flatMap({ RecordID($0) }),
                let date = DeletedCall.date(element.object?["deletedDate"])
            else { throw reply.bad("deletion \(index) has no readable id and date") }
            deletions.deleted.append(Deletions.Deletion(id, at: date))
        }
        return deletions
    }

    private static func date(_ value: JSONValue?) -> ServerDate? { value?.string.flatMap { ServerDate($0) } }
}
