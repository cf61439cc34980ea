package import PushDispatch

/// What was deleted in a span of time (docs/reference/selective-sync.md 6.4).
package struct DeletedCall: RESTExchange {
    /// The server remembers deletions this long at most.
    package static let maximumDays: Int64 = 15

    package let call: RESTCall

    /// - Throws: `badRequest` with the advice `stop` for a span that is empty or reaches further back than the server
    ///   remembers; a regular sync then compares all ids.
    package init(_ request: DeletionsRequest, version: String) throws(FetchError) {
        let span = try TimeSpan(from: request.start, to: request.end, maximumDays: DeletedCall.maximumDays)
        call = try span.call("deleted", request.object, version: version)
    }

    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> Deletions {
        let members = try reply.object(limits)
        guard let elements = members["deletedRecords"]?.array else {
            throw reply.bad("deletedRecords is not an array")
        }
        let covered = try TimeSpan.covered(members, reply)
        let earliest = TimeSpan.date(members["earliestDateAvailable"])
        if earliest == nil, members["earliestDateAvailable"] ?? .null != .null {
            throw reply.bad("earliestDateAvailable is not a date-time")
        }
        var deletions = Deletions(deleted: [], earliestAvailable: earliest, covered: covered)
        deletions.deleted.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let id = element.object?["id"]?.string.flatMap({ RecordID($0) }),
                let date = TimeSpan.date(element.object?["deletedDate"])
            else { throw reply.bad("deletion \(index) has no readable id and date") }
            deletions.deleted.append(Deletions.Deletion(id, at: date))
        }
        return deletions
    }
}
