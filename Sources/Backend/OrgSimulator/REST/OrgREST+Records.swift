import PushDispatch
import SelectiveSync
import ServiceHost

/// Fetches records by id (docs/reference/selective-sync.md 6.1, 6.2) and writes single records.
extension OrgREST {
    func fetch(_ object: String, _ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        let shape = try call.shape(object, org)
        let query =
            call.request.method == "GET"
            ? try CollectionQuery(parametersOf: call.request) : try CollectionQuery(bodyOf: call.request)
        try call.check(query.fields, of: shape, org)
        var bytes = [UInt8(ascii: "[")]
        for (index, id) in query.ids.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            guard bytes.count <= OrgREST.maximumReplyBytes else { throw OrgREST.tooLargeReply }
            if let record = call.record(id, of: shape, org) {
                call.append(record, query.fields, to: &bytes)
            } else {
                JSONValue.null.append(to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "]"))
        return Answer(.json(bytes))
    }

    static let tooLargeReply = OrgError(
        status: 400, code: "EXCEEDED_SIZE_LIMIT",
        message: "The answer has more than \(OrgREST.maximumReplyBytes) bytes; ask for fewer records.")

    func read(_ id: String, of object: String, _ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        let shape = try call.shape(object, org)
        var fields = (OrgObject.systemFields + shape.writableFields).filter { call.isReadable($0, of: shape, org) }
        if let wanted = call.request.parameter("fields") {
            var seen: Set<String> = []
            fields = wanted.split(separator: ",").map(String.init).filter { seen.insert($0).inserted }
            guard (1...OrgREST.maximumFields).contains(fields.count) else {
                throw .parser("fields takes 1 to \(OrgREST.maximumFields) names.")
            }
            try call.check(fields, of: shape, org)
        }
        let record = try call.existing(id, of: shape, org)
        var bytes: [UInt8] = []
        call.append(record, fields, to: &bytes)
        return Answer(.json(bytes))
    }

    func create(_ object: String, _ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let shape = try call.shape(object, org)
        let members = try OrgREST.object(in: call.request)
        guard shape.name != OrgObject.pushDevice.name else { return try register(members, call, &org) }
        let fields = members.filter { $0.key != "attributes" }
        try call.check(fields.keys.sorted(), of: shape, org)
        let id = try org.create(shape.name, fields, by: call.user, at: org.transactionStart(at: call.now))
        return Answer(.json(OrgREST.success(id), status: 201))
    }

    static func success(_ id: RecordID) -> [(key: String, value: JSONValue)] {
        [("id", .string(id.description)), ("success", true), ("errors", [])]
    }

    func change(_ id: String, of object: String, _ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let shape = try call.shape(object, org)
        guard shape.name != OrgObject.pushDevice.name else {
            throw .method("PATCH", allowed: "GET, DELETE; register the device again instead")
        }
        let record = try call.existing(id, of: shape, org)
        try checkPrecondition(call, record)
        let fields = try OrgREST.object(in: call.request).filter { $0.key != "attributes" }
        try call.check(fields.keys.sorted(), of: shape, org)
        let pushes = try org.update(
            record.id, fields, by: call.user, from: call.source, at: call.now,
            stamped: org.transactionStart(at: call.now))
        return Answer(.noContent, pushes: pushes)
    }

    func delete(_ id: String, of object: String, _ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let shape = try call.shape(object, org)
        let record = try call.existing(id, of: shape, org)
        if shape.name == OrgObject.pushDevice.name {
            try org.unregister(record.id, of: call.user, at: call.now)
        } else {
            // The platform ignores If-Unmodified-Since here.
            try org.delete(record.id, by: call.user, at: call.now, stamped: org.transactionStart(at: call.now))
        }
        return Answer(.noContent)
    }

    /// Compares the date of the last change by a user with `If-Unmodified-Since`, to the second, because the header has no
    /// smaller unit.
    private func checkPrecondition(_ call: OrgCall, _ record: OrgRecord) throws(OrgError) {
        guard let text = call.request.headers["if-unmodified-since"], let date = ServerDate(httpDate: text) else {
            return
        }
        guard record.lastModified < date.adding(milliseconds: 1_000) else { throw .preconditionFailed }
    }
}
