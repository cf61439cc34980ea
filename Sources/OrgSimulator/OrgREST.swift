package import PushDispatch
package import SelectiveSync

/// The org's REST interface without a server: collection fetch, and a record's change (selective-sync.md 6.1).
package struct OrgREST: Sendable {
    package static let maximumAddressBytes = 16_384
    package static let maximumBodyBytes = 1_048_576
    package static let maximumReplyBytes = 33_554_432
    package static let maximumIDs = 2_000
    /// Each is written once for each record, so their number bounds the answer.
    package static let maximumFields = 500

    /// Who is behind an access token. A shell adds and removes them as sessions begin and end.
    package var sessions: [String: RecordID]

    package init(sessions: [String: RecordID] = [:]) { self.sessions = sessions }

    package struct Answer: Hashable, Sendable {
        package let response: OrgResponse
        /// What the call made the org's triggers send.
        package let pushes: [OutgoingPush]
    }

    package func answer(_ request: OrgRequest, _ org: inout Org, at now: ServerDate) -> Answer {
        do throws(OrgError) {
            return try route(request, &org, now)
        } catch {
            return Answer(
                response: .refusal(error, allowing: error.status == 405 ? Route(request.path)?.methods : nil),
                pushes: [])
        }
    }

    private enum Route {
        case collection(version: String, object: String)
        case record(version: String, object: String, id: String)

        init?(_ path: String) {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
            guard parts.count == 6, parts[0] == "services", parts[1] == "data", Route.isVersion(parts[2]) else {
                return nil
            }
            switch (parts[3], parts[4]) {
            case ("composite", "sobjects"): self = .collection(version: parts[2], object: parts[5])
            case ("sobjects", let object): self = .record(version: parts[2], object: object, id: parts[5])
            default: return nil
            }
        }

        private static func isVersion(_ text: String) -> Bool {
            let parts = text.dropFirst().split(separator: ".", omittingEmptySubsequences: false)
            return text.hasPrefix("v") && parts.count == 2
                && parts.allSatisfy { (1...3).contains($0.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        }

        var methods: String {
            switch self {
            case .collection: "GET, POST"
            case .record: "PATCH"
            }
        }
    }

    private func route(_ request: OrgRequest, _ org: inout Org, _ now: ServerDate) throws(OrgError) -> Answer {
        guard request.addressBytes <= OrgREST.maximumAddressBytes else {
            throw OrgError(
                status: 414, code: "URI_TOO_LONG",
                message: "The address has more than \(OrgREST.maximumAddressBytes) bytes; use POST.")
        }
        guard request.body.count <= OrgREST.maximumBodyBytes else {
            throw OrgError(
                status: 413, code: "REQUEST_TOO_LARGE",
                message: "The body has more than \(OrgREST.maximumBodyBytes) bytes.")
        }
        let user = try user(of: request)
        guard let route = Route(request.path) else { throw .noResource }
        switch (route, request.method) {
        case (.collection(let version, let object), "GET"):
            let shape = try shape(object, org)
            return try fetch(CollectionQuery(parametersOf: request), shape, version, org)
        case (.collection(let version, let object), "POST"):
            let shape = try shape(object, org)
            return try fetch(CollectionQuery(bodyOf: request), shape, version, org)
        case (.record(_, let object, let id), "PATCH"):
            return try change(request, try shape(object, org), id, &org, user, now)
        case (_, _):
            throw OrgError(
                status: 405, code: "METHOD_NOT_ALLOWED",
                message: "\(request.method.prefix(16)) is not allowed here; allowed: \(route.methods)")
        }
    }

    private func user(of request: OrgRequest) throws(OrgError) -> RecordID {
        let words = (request.headers["authorization"] ?? "").split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "bearer", let user = sessions[String(words[1])] else {
            throw .invalidSession
        }
        return user
    }

    private func shape(_ object: String, _ org: Org) throws(OrgError) -> OrgObject {
        guard let shape = org.objects[object] else { throw .noResource }
        return shape
    }

    private func fetch(
        _ query: CollectionQuery, _ shape: OrgObject, _ version: String, _ org: Org
    ) throws(OrgError) -> Answer {
        for field in query.fields where !shape.hasField(field) { throw .invalidField(field, of: shape.name) }
        var bytes = [UInt8(ascii: "[")]
        for (index, id) in query.ids.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            guard bytes.count <= OrgREST.maximumReplyBytes else {
                throw OrgError(
                    status: 400, code: "EXCEEDED_SIZE_LIMIT",
                    message: "The answer has more than \(OrgREST.maximumReplyBytes) bytes; ask for fewer records.")
            }
            guard let record = org[id], record.object == shape.name else {
                JSONValue.null.append(to: &bytes)
                continue
            }
            let attributes: JSONValue = [
                "type": .string(shape.name), "url": .string("/services/data/\(version)/sobjects/\(shape.name)/\(id)"),
            ]
            JSONValue.appendObject(
                [("attributes", attributes)] + query.fields.map { ($0, record.value(of: $0)) }, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        return Answer(response: .json(bytes), pushes: [])
    }

    private func change(
        _ request: OrgRequest, _ shape: OrgObject, _ text: String, _ org: inout Org, _ user: RecordID,
        _ now: ServerDate
    ) throws(OrgError) -> Answer {
        let id: RecordID
        do throws(RecordID.Problem) {
            id = try RecordID.read(text).id
        } catch {
            throw .malformedID(error.description)
        }
        guard org[id]?.object == shape.name else { throw .noRecord(shape.name) }
        let fields = try OrgREST.object(in: request)
        return Answer(response: .noContent, pushes: try org.update(id, fields, by: user, at: now))
    }

    static func object(in request: OrgRequest) throws(OrgError) -> [String: JSONValue] {
        let kind = (request.headers["content-type"] ?? "").split(separator: ";").first ?? ""
        guard kind.lowercased() == "application/json" else {
            throw OrgError(
                status: 415, code: "UNSUPPORTED_MEDIA_TYPE", message: "The content type has to be application/json.")
        }
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONReader.read(
                request.body,
                limits: JSONLimits(maximumBytes: maximumBodyBytes, maximumDepth: 16, maximumValues: 100_000))
        } catch {
            throw .parser("The body is \(error).")
        }
        guard let members = value.object else {
            throw .parser("The body is \(value.kindInWords); an object is wanted.")
        }
        return members
    }
}
