package import PushDispatch

/// A page of a query (docs/reference/selective-sync.md 6.3). A query that is too long for an address is sent in the
/// body of a composite call.
package struct QueryCall: RESTExchange {
    private let request: QueryRequest
    private let long: RESTCall
    private let short: CompositeCall?
    private var isShort: Bool

    /// - Parameter isPart: Whether it is sent in the body of another call, where the length of an address is not limited.
    /// - Throws: `badRequest` for a name that is not allowed in a query, and for a `next` that is not a path on the same host.
    ///   The pass then starts the query again.
    package init(_ request: QueryRequest, version: String, isPart: Bool = false) throws(FetchError) {
        self.request = request
        var call: RESTCall
        if let next = request.next {
            guard RESTPath.isNext(next) else {
                throw FetchError(.badRequest, advice: .stop, "the next page is not a path on the server's own host")
            }
            call = RESTCall(.get, next)
        } else {
            call = RESTCall(.get, try RESTPath.data(version, "query"))
            call.query = RESTCall.query([("q", try request.text())])
        }
        call.headers["Sforce-Query-Options"] = "batchSize=\(min(max(request.pageSize, 200), 2_000))"
        long = call
        short = request.next == nil && !isPart ? try CompositeCall([call], version: version) : nil
        isShort = short != nil && call.isTooLong
    }

    package var call: RESTCall {
        if isShort, let short { short.call } else { long }
    }

    package mutating func shorten() -> Bool {
        guard short != nil, !isShort else { return false }
        isShort = true
        return true
    }

    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> QueryPage {
        guard isShort, let short else { return try page(reply, reply.date, limits) }
        return try page(short.read(reply, limits: limits)[0], reply.date, limits)
    }

    private func page(_ reply: RESTReply, _ date: ServerDate?, _ limits: JSONLimits) throws(FetchError) -> QueryPage {
        let members = try reply.object(limits)
        guard case .bool(let isDone)? = members["done"] else { throw reply.bad("done is not true or false") }
        guard let elements = members["records"]?.array else { throw reply.bad("records is not an array") }
        var page = QueryPage(records: [], serverDate: date)
        page.next = try next(members["nextRecordsUrl"] ?? .null, isDone, reply)
        switch members["totalSize"] ?? .null {
        case .null: break
        case .integer(let total):
            // Services that do not count return -1.
            page.totalSize = Int(exactly: total).flatMap { $0 < 0 ? nil : $0 }
        default: throw reply.bad("totalSize is not a whole number")
        }
        if let total = page.totalSize, total < elements.count {
            throw reply.bad("a page of \(elements.count) records belongs to a result of \(total)")
        }
        page.records.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            page.records.append(
                try ServerRecord(element, of: request.object, at: "record \(index)", fields: request.fields))
        }
        return page
    }

    private func next(_ value: JSONValue, _ isDone: Bool, _ reply: RESTReply) throws(FetchError) -> String? {
        guard value != .null else {
            guard isDone else { throw reply.bad("the result has more pages, but no address of the next one") }
            return nil
        }
        guard !isDone else { throw reply.bad("the result is done, but has the address of a next page") }
        guard let next = value.string, RESTPath.isNext(next) else {
            throw reply.bad("nextRecordsUrl is not a path on the server's own host")
        }
        return next
    }
}
