package import PushDispatch

/// Creates, upserts, updates or deletes one record.
package struct WriteCall: RESTExchange {
    package let call: RESTCall
    private let makesRecord: Bool

    package init(_ write: RecordWrite, of object: String, version: String) throws(FetchError) {
        let base = try RESTPath.data(version, "sobjects/\(RESTPath.object(object))")
        var call: RESTCall
        switch write {
        case .create(let fields):
            call = RESTCall(.post, base)
            JSONValue.object(fields).append(to: &call.body)
        case .upsert(let field, let value, let fields):
            call = RESTCall(.patch, try RESTPath.external(version, object, field, value))
            JSONValue.object(fields).append(to: &call.body)
        case .update(let id, let fields, let date):
            call = RESTCall(.patch, "\(base)/\(id)")
            JSONValue.object(fields).append(to: &call.body)
            call.headers["If-Unmodified-Since"] = date.map(WriteCall.header)
        case .delete(let id): call = RESTCall(.delete, "\(base)/\(id)")
        }
        self.call = call
        switch write {
        case .create, .upsert: makesRecord = true
        case .update, .delete: makesRecord = false
        }
    }

    /// The header has no milliseconds, so the date is rounded up to the next second. Rounded down, it would be earlier than
    /// the record's own date, and the server would always refuse the change.
    private static func header(_ date: ServerDate) -> String {
        date.advanced(byMilliseconds: 999).httpDate
    }

    /// The id of a new or upserted record; nil for a change. Before API version 46 the reply to an upsert that changes a record
    /// names no id.
    func id(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> RecordID? {
        guard makesRecord else {
            try reply.checkStatus()
            // The server answers a change with 204. A page of a proxy or of a hotel's network has a body.
            guard reply.status == 204 || reply.body.isEmpty else {
                throw reply.bad("the reply to a change has a body; none is wanted")
            }
            return nil
        }
        let members = try reply.object(limits)
        guard members["success"] != false, let id = members["id"]?.string.flatMap({ RecordID($0) }) else {
            throw reply.bad("the reply does not name the new record")
        }
        return id
    }

    /// The server's answer about this record. A refusal is an answer, and so is an error inside the server, after which the change
    /// may have been made. Everything else is `unavailable`: an error that concerns all calls, such as an expired session, and
    /// whatever a gateway or proxy answers in the place of the server.
    package func read(_ reply: RESTReply, limits: JSONLimits) -> UploadReply {
        do throws(FetchError) {
            return .done(id: try id(reply, limits: limits), nil)
        } catch {
            if error.isMissingRecord { return .notFound }
            switch (error.status, error.advice) {
            case (412?, _): return .changed
            case (503?, _), (429?, _), (408?, _), (_, .logIn): return .unavailable(error)
            case (_, .keep) where !error.isUnknownRefusal: return .unavailable(error)
            case (let status?, _) where (400..<500).contains(status) && error.code != .unexplained:
                return .refused(ServerRefusal.reason(reply.body) ?? error.code.rawValue)
            case (let status?, _) where status >= 500 && error.code != .unexplained:
                return .unknown(ServerRefusal.reason(reply.body) ?? error.code.rawValue)
            default: return .unavailable(error)
            }
        }
    }
}
