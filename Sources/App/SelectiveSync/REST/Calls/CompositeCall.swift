package import PushDispatch

/// Up to 25 calls in one (docs/reference/selective-sync.md 6.5), which counts as one API call. A call that fails does not
/// affect the others.
package struct CompositeCall: RESTExchange {
    package static let maximumCalls = 25

    package let call: RESTCall
    private let count: Int

    package init(_ calls: [RESTCall], version: String) throws(FetchError) {
        guard (1...CompositeCall.maximumCalls).contains(calls.count) else {
            throw FetchError(
                .badRequest, advice: .stop,
                "\(calls.count) calls in one; it takes 1 to \(CompositeCall.maximumCalls)")
        }
        count = calls.count
        var call = RESTCall(.post, try RESTPath.data(version, "composite"))
        var requests: [JSONValue] = []
        for (index, part) in calls.enumerated() {
            var members: [String: JSONValue] = [
                "method": .string(part.method.rawValue), "url": .string(part.target),
                "referenceId": .string(CompositeCall.reference(index)),
            ]
            if !part.headers.isEmpty { members["httpHeaders"] = .object(part.headers.mapValues { .string($0) }) }
            if !part.body.isEmpty { members["body"] = try CompositeCall.body(of: part) }
            requests.append(.object(members))
        }
        JSONValue.appendObject([("allOrNone", false), ("compositeRequest", .array(requests))], to: &call.body)
        self.call = call
    }

    private static let bodyLimits = JSONLimits(
        maximumBytes: 4_194_304, maximumDepth: 32, maximumValues: 1_048_576)

    /// The body of a call that is part of another call.
    static func body(of part: RESTCall) throws(FetchError) -> JSONValue {
        guard let body = try? JSONReader.read(part.body, limits: bodyLimits) else {
            throw FetchError(.badRequest, advice: .stop, "a call's body is too large for a call with several parts")
        }
        return body
    }

    private static func reference(_ index: Int) -> String { "call\(index)" }

    /// The replies in the order of the calls.
    package func read(_ reply: RESTReply, limits: JSONLimits) throws(FetchError) -> [RESTReply] {
        guard let parts = try reply.object(limits)["compositeResponse"]?.array else {
            throw reply.bad("compositeResponse is not an array")
        }
        guard parts.count == count else { throw reply.bad("\(parts.count) replies for \(count) calls") }
        var replies: [RESTReply] = []
        for (index, part) in parts.enumerated() {
            guard let members = part.object, case .integer(let status)? = members["httpStatusCode"],
                (100...599).contains(status), members["referenceId"]?.string == CompositeCall.reference(index)
            else { throw reply.bad("reply \(index) is not that of its call") }
            let body = members["body"] ?? .null
            var headers: [String: String] = [:]
            for (name, value) in members["httpHeaders"]?.object ?? [:]
            where RESTReply.headersOfInterest.contains(name.lowercased()) && name.lowercased() != "content-type" {
                headers[name.lowercased()] = value.string
            }
            replies.append(
                RESTReply(
                    status: Int(status), headers: headers, body: body == .null ? [] : body.compactBytes))
        }
        return replies
    }
}
