import APNSModel
import PushDispatch
import ServiceHost

/// Decision requests and replies as JSON.
enum DecisionWire {
    private static let reserved: Set<String> = [
        "individualId", "profileId", "unifiedIndividualId", "dataspace", "anchorId", "anchorType", "correlationId",
        "messageId", "requestUrl",
    ]

    static func request(_ body: [UInt8]) throws(WireError) -> DecisionRequest {
        let root = try WireMembers(WireMembers.json(body), "")
        for key in ["individualId", "contextData"] where root.members[key] != nil {
            throw .bad(
                "\(key) at the top level is an older sketch that is not supported; put it into the object context")
        }
        let context = try WireMembers(root.members["context"], "context")
        let profileID = try context.text("profileId")
        guard let individual = try context.text("individualId") ?? profileID else {
            throw .bad("context.individualId is missing; it or context.profileId names the person")
        }
        var request = DecisionRequest(individual: individual, points: try points(root))
        request.unifiedIndividual = try context.text("unifiedIndividualId")
        request.dataSpace = try context.text("dataspace") ?? request.dataSpace
        request.anchorID = try context.text("anchorId")
        request.anchorType = try context.text("anchorType")
        request.requestURL = try context.text("requestUrl", limit: ServiceLimits.value)
        for key in ["correlationId", "messageId"] { _ = try context.text(key) }
        request.context = try context.scalars(except: reserved, limit: ServiceLimits.contextKeys)
        if let profile = root.members["profile"], profile != .null {
            request.profile = try WireMembers(profile, "profile").scalars(except: [], limit: ServiceLimits.attributes)
        }
        request.flags = try flags(root.members["executionFlags"])
        return request
    }

    private static func points(_ root: WireMembers) throws(WireError) -> [DecisionRequest.Point] {
        guard let value = root.members["personalizationPoints"], let elements = value.array, !elements.isEmpty else {
            throw .bad("personalizationPoints is missing or empty; a list with at least one point is wanted")
        }
        guard elements.count <= ServiceLimits.pointsPerRequest else {
            throw .bad("personalizationPoints has more than \(ServiceLimits.pointsPerRequest) points")
        }
        var points: [DecisionRequest.Point] = []
        for (index, element) in elements.enumerated() {
            let members = try WireMembers(element, "personalizationPoints[\(index)]")
            points.append(
                DecisionRequest.Point(
                    id: try members.text("id"), name: try members.text("name"),
                    decisionID: try members.text("decisionId")))
        }
        return points
    }

    /// Flags of other names are left out.
    private static func flags(_ value: JSONValue?) throws(WireError) -> Set<DecisionRequest.Flag> {
        guard let value, value != .null else { return [] }
        guard let elements = value.array else {
            throw .bad("executionFlags is \(value.kindInWords); a list of strings is wanted")
        }
        return Set(elements.compactMap { $0.string.flatMap { DecisionRequest.Flag(rawValue: $0) } })
    }

    // MARK: Replies

    static func response(_ reply: DecisionReply, form: ServiceConfiguration.ReplyForm) -> ServiceResponse {
        var bytes: [UInt8] = []
        bytes += #"{"requestId":"#.utf8
        JSONValue.append(reply.requestID, to: &bytes)
        bytes += #","personalizations":["#.utf8
        for (index, personalization) in reply.personalizations.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(personalization, reply, form, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
        append(reply.diagnostics, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return .json(bytes)
    }

    private static func append(
        _ personalization: DecisionReply.Personalization, _ reply: DecisionReply,
        _ form: ServiceConfiguration.ReplyForm, to bytes: inout [UInt8]
    ) {
        func member(_ key: String, _ value: String) {
            if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
            JSONValue.append(key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONValue.append(value, to: &bytes)
        }
        bytes.append(UInt8(ascii: "{"))
        member("personalizationId", personalization.id)
        member("personalizationPointId", personalization.pointID)
        member("personalizationPointName", personalization.pointName)
        member("decisionId", personalization.decisionID)
        if form == .guide {
            member("requestId", reply.requestID)
            member("individualId", reply.individual)
            member("dataSpace", reply.dataSpace)
            if let type = personalization.itemType { member("dmoName", type) }
        }
        bytes += #","attributes":{"#.utf8
        for (key, value) in personalization.attributes.sorted(by: { $0.key < $1.key }) { member(key, value) }
        bytes += #"},"data":["#.utf8
        for (index, item) in personalization.items.enumerated() {
            bytes += index == 0 ? "{".utf8 : ",{".utf8
            member("personalizationContentId", "\(personalization.id):\(index)")
            for (key, value) in item.fields.sorted(by: { $0.key < $1.key }) { member(key, value) }
            bytes.append(UInt8(ascii: "}"))
        }
        bytes += "]}".utf8
    }

    private static func append(_ diagnostics: [Diagnostic], to bytes: inout [UInt8]) {
        guard !diagnostics.isEmpty else { return }
        bytes += #","diagnostics":["#.utf8
        for (index, diagnostic) in diagnostics.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            JSONValue.appendObject(
                [("code", .integer(Int64(diagnostic.code))), ("description", .string(diagnostic.description))],
                to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    static func refusal(_ diagnostics: [Diagnostic], status: Int, requestID: String) -> ServiceResponse {
        var bytes = Array(#"{"requestId":"#.utf8)
        JSONValue.append(requestID, to: &bytes)
        bytes += #","personalizations":[]"#.utf8
        append(diagnostics, to: &bytes)
        bytes.append(UInt8(ascii: "}"))
        return .json(bytes, status: status)
    }
}
