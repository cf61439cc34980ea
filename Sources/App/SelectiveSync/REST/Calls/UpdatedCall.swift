package import PushDispatch

/// What was changed in a span of time, ids alone (docs/reference/selective-sync.md 6.4).
package struct UpdatedCall: RESTExchange {
    package static let maximumDays: Int64 = 30

    package let call: RESTCall

    /// - Throws: `badRequest` with the advice `stop` for a span that is empty or reaches further back than the server
    ///   remembers.
    package init(_ request: UpdatesRequest, version: String) throws(FetchError) {
        let span = try TimeSpan(from: request.start, to: request.end, maximumDays: UpdatedCall.maximumDays)
        call = try span.call("updated", request.object, version: version)
    }

    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> Updates {
        let members = try reply.object(limits)
        guard let elements = members["ids"]?.array else { throw reply.bad("ids is not an array") }
        let covered = try TimeSpan.covered(members, reply)
        var updates = Updates(updated: [], covered: covered)
        updates.updated.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard let id = element.string.flatMap({ RecordID($0) }) else {
                throw reply.bad("element \(index) of ids is no record id")
            }
            updates.updated.append(id)
        }
        return updates
    }
}
