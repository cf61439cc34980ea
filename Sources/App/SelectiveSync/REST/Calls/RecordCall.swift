package import PushDispatch

/// One record (docs/reference/selective-sync.md 6.2), as a part of a batch.
package struct RecordCall: RESTExchange {
    package let call: RESTCall
    private let request: FetchRequest
    private let id: RecordID

    /// - Parameter request: Names one id.
    package init(_ request: FetchRequest, version: String) throws(FetchError) {
        guard request.records.count == 1, let id = request.records.first else {
            throw FetchError(.badRequest, advice: .stop, "\(request.records.count) ids for a call that takes one")
        }
        guard request.filter == nil else {
            throw FetchError(.badRequest, advice: .stop, "a call by id has no filter; use a query")
        }
        self.request = request
        self.id = id
        let object = try RESTPath.object(request.object)
        var call = RESTCall(.get, try RESTPath.data(version, "sobjects/\(object)/\(id)"))
        let fields = request.fields.contains("Id") ? request.fields : ["Id"] + request.fields
        call.query = RESTCall.query([("fields", fields.joined(separator: ","))])
        self.call = call
    }

    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> FetchedRecord {
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
