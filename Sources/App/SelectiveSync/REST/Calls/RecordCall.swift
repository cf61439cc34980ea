package import PushDispatch

/// One record (docs/reference/selective-sync.md 6.2). Where the list of fields makes the address too long, the collection call with one
/// id takes its place.
package struct RecordCall: RESTExchange {
    private let short: CollectionCall
    private let long: RESTCall
    private let request: FetchRequest
    private var isShort: Bool

    /// - Parameters:
    ///   - request: With one id.
    ///   - isPart: Whether it travels in the body of another call, where no address is too long.
    package init(_ request: FetchRequest, version: String, isPart: Bool = false) throws(FetchError) {
        guard request.records.count == 1, let id = request.records.first else {
            throw FetchError(.badRequest, advice: .stop, "\(request.records.count) ids for a call that takes one")
        }
        self.request = request
        short = try CollectionCall(request, version: version)
        var call = RESTCall(.get, try RESTPath.data(version, "sobjects/\(request.object)/\(id)"))
        let fields = request.fields.contains("Id") ? request.fields : ["Id"] + request.fields
        call.query = RESTCall.query([("fields", fields.joined(separator: ","))])
        long = call
        isShort = !isPart && call.isTooLong
    }

    package var call: RESTCall { isShort ? short.call : long }

    package mutating func shorten() -> Bool {
        defer { isShort = true }
        return !isShort
    }

    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> FetchedRecord {
        if isShort { return try short.read(reply, limits: limits)[0] }
        let id = request.records[0]
        let value: JSONValue
        do throws(FetchError) {
            value = try reply.json(limits)
        } catch {
            if error.isMissingRecord { return .missing(id) }
            throw error
        }
        let record = try ServerRecord(value, of: request.object, at: "the reply", fields: request.fields)
        guard record.id == id else { throw reply.bad("the reply is not the record that was asked for") }
        return .record(record)
    }
}
