package import PushDispatch

/// One record by the value of an external id field.
package struct LookupCall: RESTExchange {
    package let call: RESTCall
    private let lookup: RecordLookup

    package init(_ lookup: RecordLookup, version: String) throws(FetchError) {
        self.lookup = lookup
        var call = RESTCall(
            .get, try RESTPath.external(version, lookup.object, lookup.externalIDField, lookup.value))
        let fields = lookup.fields.contains("Id") ? lookup.fields : ["Id"] + lookup.fields
        call.query = RESTCall.query([("fields", fields.joined(separator: ","))])
        self.call = call
    }

    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> ServerRecord? {
        let value: JSONValue
        do throws(FetchError) {
            value = try reply.json(limits)
        } catch {
            if error.isMissingRecord { return nil }
            throw error
        }
        return try ServerRecord(value, of: lookup.object, at: "the reply", fields: lookup.fields)
    }
}
