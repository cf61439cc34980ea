package import PushDispatch

/// Up to 25 calls in one (docs/reference/selective-sync.md 6.5), executed in order. Each counts as an API call.
package struct BatchCall: RESTExchange {
    package let call: RESTCall
    private let parts: [Part]
    private let haltsOnError: Bool

    /// A call together with the reading of its reply.
    private struct Part: Sendable {
        let call: RESTCall
        let read: @Sendable (RESTReply, JSONLimits) throws(FetchError) -> BatchReply
    }

    package init(_ requests: [BatchRequest], haltsOnError: Bool, version: String) throws(FetchError) {
        guard (1...CompositeCall.maximumCalls).contains(requests.count) else {
            throw FetchError(
                .badRequest, advice: .stop,
                "\(requests.count) calls in one; it takes 1 to \(CompositeCall.maximumCalls)")
        }
        self.haltsOnError = haltsOnError
        var parts: [Part] = []
        for request in requests { parts.append(try BatchCall.part(request, version)) }
        self.parts = parts
        var call = RESTCall(.post, try RESTPath.data(version, "composite/batch"))
        var rows: [JSONValue] = []
        for part in parts { rows.append(try BatchCall.row(part.call)) }
        JSONValue.appendObject([("haltOnError", .bool(haltsOnError)), ("batchRequests", .array(rows))], to: &call.body)
        self.call = call
    }

    private static func part(_ request: BatchRequest, _ version: String) throws(FetchError) -> Part {
        switch request {
        case .record(let request):
            let call = try RecordCall(request, version: version)
            return Part(call: call.call) { (reply, limits) throws(FetchError) in
                .record(try call.read(reply, limits: limits))
            }
        case .query(let request):
            let call = try QueryCall(request, version: version, isPart: true)
            return Part(call: call.call) { (reply, limits) throws(FetchError) in
                .page(try call.read(reply, limits: limits))
            }
        case .deletions(let request):
            let call = try DeletedCall(request, version: version)
            return Part(call: call.call) { (reply, limits) throws(FetchError) in
                .deletions(try call.read(reply, limits: limits))
            }
        case .write(let write, let object):
            let call = try WriteCall(write, of: object, version: version)
            guard call.call.headers.isEmpty else {
                throw FetchError(
                    .badRequest, advice: .stop, "a part of a batch has no condition; send the change by itself")
            }
            return Part(call: call.call) { (reply, limits) throws(FetchError) in
                .written(call.read(reply, limits: limits))
            }
        }
    }

    private static let root = "/services/data/"

    private static func row(_ part: RESTCall) throws(FetchError) -> JSONValue {
        var members: [String: JSONValue] = [
            "method": .string(part.method.rawValue), "url": .string(String(part.target.dropFirst(root.count))),
        ]
        if !part.body.isEmpty { members["richInput"] = try CompositeCall.body(of: part) }
        return .object(members)
    }

    /// The replies in the order of the requests.
    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> [BatchReply] {
        guard let rows = try reply.object(limits)["results"]?.array else {
            throw reply.bad("results is not an array")
        }
        guard rows.count == parts.count else { throw reply.bad("\(rows.count) results for \(parts.count) calls") }
        var replies: [BatchReply] = []
        var isRefused = false
        for (index, row) in rows.enumerated() {
            guard case .integer(let status)? = row.object?["statusCode"], (100...599).contains(status) else {
                throw reply.bad("result \(index) has no status")
            }
            // Parts have no conditions, so 412 can only mean that the batch was halted.
            if status == 412, isRefused, haltsOnError {
                replies.append(.halted)
                continue
            }
            if status >= 400 { isRefused = true }
            let result = row.object?["result"] ?? .null
            let part = RESTReply(
                status: Int(status), headers: reply.headers.filter { $0.key == "date" },
                body: result == .null ? [] : result.compactBytes)
            do throws(FetchError) {
                replies.append(try parts[index].read(part, limits))
            } catch {
                replies.append(.failed(error))
            }
        }
        return replies
    }
}
