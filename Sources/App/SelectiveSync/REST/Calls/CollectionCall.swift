package import PushDispatch

/// The collection call of docs/reference/selective-sync.md 6.1: up to 2,000 records of one object. Always a POST, whose address
/// is short for any number of ids and fields.
package struct CollectionCall: RESTExchange {
    package let call: RESTCall
    private let request: FetchRequest

    package var path: String { call.path }
    package var body: [UInt8] { call.body }

    /// - Parameter version: Such as `v66.0`.
    package init(_ request: FetchRequest, version: String) throws(FetchError) {
        guard (1...FetchRequest.maximumRecords).contains(request.records.count) else {
            throw FetchError(
                .badRequest, advice: .stop,
                "\(request.records.count) ids in one call; it takes 1 to \(FetchRequest.maximumRecords)")
        }
        self.request = request
        let object = try RESTPath.object(request.object)
        var call = RESTCall(.post, try RESTPath.data(version, "composite/sobjects/\(object)"))
        var fields = request.fields
        if !fields.contains("Id") { fields.insert("Id", at: 0) }
        JSONValue.appendObject(
            [
                ("ids", .array(request.records.map { .string($0.description) })),
                ("fields", .array(fields.map { .string($0) })),
            ], to: &call.body)
        self.call = call
    }

    package func records(status: Int, body: [UInt8], limits: JSONLimits) throws(FetchError) -> [FetchedRecord] {
        try read(RESTReply(status: status, body: body), limits: limits)
    }

    /// Requires one element for each id, in the same order, of the requested object and with the requested id.
    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> [FetchedRecord] {
        let value = try reply.json(limits)
        guard let elements = value.array else {
            throw reply.bad("the reply is \(value.kindInWords); an array is wanted")
        }
        guard elements.count == request.records.count else {
            throw reply.bad("the reply has \(elements.count) elements for \(request.records.count) ids")
        }
        var fetched: [FetchedRecord] = []
        fetched.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            let wanted = request.records[index]
            guard element != .null else {
                fetched.append(.missing(wanted))
                continue
            }
            let record = try ServerRecord(
                element, of: request.object, at: "element \(index)", fields: request.fields)
            guard record.id == wanted else {
                throw reply.bad("element \(index) is not the record that was asked for at this place")
            }
            fetched.append(.record(record))
        }
        return fetched
    }
}
