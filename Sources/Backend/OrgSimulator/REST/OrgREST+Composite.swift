import PushDispatch
import ServiceHost

/// Several requests in one call (docs/reference/selective-sync.md 6.5).
extension OrgREST {
    static let maximumSubrequests = 25
    static let maximumHeavySubrequests = 5

    private struct Subrequest {
        var call: OrgCall
        var referenceID = ""
    }

    func composite(_ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let members = try OrgREST.object(in: call.request)
        let rows = try rows(members, "compositeRequest")
        var seen: Set<String> = []
        var subrequests: [Subrequest] = []
        for row in rows {
            var subrequest = try subrequest(row, call, body: "body") { Substring($0) }
            guard let id = row.object?["referenceId"]?.string, !id.isEmpty, seen.insert(id).inserted else {
                throw .parser("Each subrequest needs a referenceId of its own.")
            }
            subrequest.referenceID = id
            subrequests.append(subrequest)
        }
        let heavy = subrequests.count { OrgRoute.read($0.call.request.path)?.route.isHeavy == true }
        guard heavy <= OrgREST.maximumHeavySubrequests else {
            throw OrgError(
                status: 400, code: "LIMIT_EXCEEDED",
                message: "\(heavy) queries and collections; a call takes \(OrgREST.maximumHeavySubrequests).")
        }
        let before = org
        var answers: [Answer] = []
        for subrequest in subrequests { answers.append(perform(subrequest.call, &org)) }
        let isAllOrNone = members["allOrNone"]?.flag ?? false
        if isAllOrNone, answers.contains(where: { $0.response.status >= 400 }) {
            let halted = OrgError(
                status: 400, code: "PROCESSING_HALTED",
                message: "The transaction was rolled back since another operation in the same transaction failed.")
            org.rollBack(to: before, because: halted)
            answers = answers.map { $0.response.status >= 400 ? $0 : Answer(.refusal(halted)) }
        }
        var bytes = Array(#"{"compositeResponse":["#.utf8)
        for (index, (answer, subrequest)) in zip(answers, subrequests).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            do throws(OrgError) {
                try append(answer.response, body: "body", to: &bytes)
            } catch {
                org.rollBack(to: before, because: error)
                throw error
            }
            bytes += #","httpHeaders":{},"httpStatusCode":\#(answer.response.status),"referenceId":"#.utf8
            JSONValue.string(subrequest.referenceID).append(to: &bytes)
            bytes.append(UInt8(ascii: "}"))
        }
        bytes += "]}".utf8
        return Answer(.json(bytes), pushes: answers.flatMap(\.pushes))
    }

    func batch(_ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let members = try OrgREST.object(in: call.request)
        let rows = try rows(members, "batchRequests")
        var subrequests: [Subrequest] = []
        for row in rows {
            subrequests.append(try subrequest(row, call, body: "richInput") { "/services/data/" + $0 })
        }
        let isHalting = members["haltOnError"]?.flag ?? false
        // The outer call has already been counted.
        org.usage.addCalls(subrequests.count - 1, at: call.now)
        let before = org
        var answers: [Answer] = []
        var hasFailed = false
        for subrequest in subrequests {
            let answer =
                hasFailed && isHalting ? Answer(.refusal(OrgREST.batchHalted)) : perform(subrequest.call, &org)
            if answer.response.status >= 400 { hasFailed = true }
            answers.append(answer)
        }
        var bytes = Array(#"{"hasErrors":\#(hasFailed),"results":["#.utf8)
        for (index, answer) in answers.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            do throws(OrgError) {
                try append(answer.response, body: "result", to: &bytes)
            } catch {
                org.rollBack(to: before, because: error)
                throw error
            }
            bytes += #","statusCode":\#(answer.response.status)}"#.utf8
        }
        bytes += "]}".utf8
        return Answer(.json(bytes), pushes: answers.flatMap(\.pushes))
    }

    private static let batchHalted = OrgError(
        status: 412, code: "BATCH_PROCESSING_HALTED",
        message: "Batch processing halted per request upon an error in a previous subrequest.")

    private func rows(_ members: [String: JSONValue], _ key: String) throws(OrgError) -> [JSONValue] {
        guard let rows = members[key]?.array, !rows.isEmpty else {
            throw .parser("\(key) has to be an array of subrequests.")
        }
        guard rows.count <= OrgREST.maximumSubrequests else {
            throw OrgError(
                status: 400, code: "LIMIT_EXCEEDED",
                message: "\(rows.count) subrequests; a call takes \(OrgREST.maximumSubrequests).")
        }
        return rows
    }

    private func subrequest(
        _ row: JSONValue, _ call: OrgCall, body: String, path: (String) -> Substring
    ) throws(OrgError) -> Subrequest {
        guard let method = row.object?["method"]?.string, let url = row.object?["url"]?.string else {
            throw .parser("Each subrequest needs a method and a url.")
        }
        guard !url.contains("@{") else {
            throw .parser("References to other subrequests are not known to this org; make two calls.")
        }
        let target = path(url)
        let question = target.firstIndex(of: "?") ?? target.endIndex
        var request = ServiceRequest(
            method.uppercased(), String(target[..<question]), query: String(target[question...].dropFirst()),
            headers: ["content-type": "application/json"], body: row.object?[body].map(\.compactBytes) ?? [])
        if let route = OrgRoute.read(request.path)?.route, route == .composite || route == .batch {
            throw .parser("A composite call takes no other one in it.")
        }
        for (name, value) in row.object?["httpHeaders"]?.object ?? [:] where name.lowercased() == "if-unmodified-since"
        {
            request.headers["if-unmodified-since"] = value.string
        }
        var inner = call
        inner.request = request
        return Subrequest(call: inner)
    }

    /// Begins a JSON object whose first member is the body.
    private func append(_ response: ServiceResponse, body: String, to bytes: inout [UInt8]) throws(OrgError) {
        bytes += "{".utf8
        JSONValue.string(body).append(to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        bytes += response.body.isEmpty ? Array("null".utf8) : response.body
        guard bytes.count <= OrgREST.maximumReplyBytes else { throw OrgREST.tooLargeReply }
    }
}
