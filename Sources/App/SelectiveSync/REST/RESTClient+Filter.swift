import PushDispatch

// Fetching by ids within a filter: a query, because the collection call takes no condition.
extension RESTClient {
    /// The ids of one query. Its address then has a length that the server takes.
    static let filteredBatch = 400

    func fetch(
        _ request: FetchRequest, matching filter: RecordFilter
    ) async throws(FetchError) -> [FetchedRecord] {
        guard (1...FetchRequest.maximumRecords).contains(request.records.count) else {
            throw FetchError(
                .badRequest, advice: .stop,
                "\(request.records.count) ids in one fetch; it takes 1 to \(FetchRequest.maximumRecords)")
        }
        let stopAt = clock.now().advanced(byMilliseconds: request.timeoutMilliseconds)
        var found: [RecordID: ServerRecord] = [:]
        // All pages are fetched for one user.
        var logIn: Int?
        for start in stride(from: 0, to: request.records.count, by: RESTClient.filteredBatch) {
            let ids = Array(request.records[start..<min(start + RESTClient.filteredBatch, request.records.count)])
            var query = QueryRequest(
                object: request.object, fields: ["Id"] + request.fields.filter { $0 != "Id" }, orderField: "",
                filter: .all([.records(ids), filter]), timeoutMilliseconds: request.timeoutMilliseconds)
            // A server that repeats its pages cannot have more of them than records.
            for _ in 0...ids.count {
                let left = max(1, stopAt.milliseconds(since: clock.now()))
                let reply = try await perform(QueryCall(query, version: version), left, continuing: logIn)
                let page = reply.answer
                logIn = reply.logIn
                for record in page.records { found[record.id] = record }
                query.next = page.next
                if page.next == nil { break }
            }
            guard query.next == nil else {
                throw FetchError(.badReply, status: 200, advice: .retryLater, "the pages repeat")
            }
        }
        let wanted = Set(request.records)
        guard found.keys.allSatisfy(wanted.contains) else {
            throw FetchError(
                .badReply, status: 200, advice: .retryLater, "the reply contains a record that was not asked for")
        }
        return request.records.map { id in found[id].map { .record($0) } ?? .missing(id) }
    }
}
