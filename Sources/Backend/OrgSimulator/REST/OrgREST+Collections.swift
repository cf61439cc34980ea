import PushDispatch
import SelectiveSync
import ServiceHost

/// Writes up to 200 records with one call in one save (docs/reference/selective-sync.md 6.5).
extension OrgREST {
    static let maximumWrites = 200

    /// The result for one record of the call.
    private typealias Outcome = Result<RecordID, OrgError>

    func writeCollection(_ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        guard call.request.method != "DELETE" else { return try deleteCollection(call, &org) }
        let members = try OrgREST.object(in: call.request)
        guard let rows = members["records"]?.array, !rows.isEmpty else {
            throw .parser("records has to be an array of records.")
        }
        try checkCount(rows.count)
        let isAllOrNone = members["allOrNone"]?.flag ?? false
        let before = org
        var pushes: [OutgoingPush] = []
        var outcomes: [Outcome] = []
        if call.request.method == "POST" {
            for row in rows {
                outcomes.append(outcome { () throws(OrgError) in try created(row, call, &org) })
            }
        } else {
            (outcomes, pushes) = update(rows, call, &org)
        }
        return finish(&outcomes, pushes, isAllOrNone, before, &org)
    }

    private func checkCount(_ count: Int) throws(OrgError) {
        guard count <= OrgREST.maximumWrites else { throw .tooManyIDs(count, maximum: OrgREST.maximumWrites) }
    }

    private func outcome(_ work: () throws(OrgError) -> RecordID) -> Outcome {
        do throws(OrgError) {
            return .success(try work())
        } catch {
            return .failure(error)
        }
    }

    private func shape(of row: JSONValue, _ call: OrgCall, _ org: Org) throws(OrgError) -> OrgObject {
        guard let type = row.object?["attributes"]?.object?["type"]?.string else {
            throw .parser("A record needs attributes with its type.")
        }
        guard let shape = org.objects[type] else { throw .unknownObject(Substring(type)) }
        return shape
    }

    private func fields(of row: JSONValue, _ shape: OrgObject, _ call: OrgCall, _ org: Org) throws(OrgError)
        -> [String: JSONValue]
    {
        let fields = (row.object ?? [:]).filter { !["attributes", "id", "Id"].contains($0.key) }
        try call.check(fields.keys.sorted(), of: shape, org)
        return fields
    }

    private func created(_ row: JSONValue, _ call: OrgCall, _ org: inout Org) throws(OrgError) -> RecordID {
        let shape = try shape(of: row, call, org)
        return try org.create(
            shape.name, fields(of: row, shape, call, org), by: call.user, at: org.transactionStart(at: call.now))
    }

    /// Saves all valid changes together, as one transaction with its limits.
    private func update(_ rows: [JSONValue], _ call: OrgCall, _ org: inout Org) -> ([Outcome], [OutgoingPush]) {
        var changes: [Org.Change] = []
        let known = org
        var outcomes = rows.map { row in
            outcome { () throws(OrgError) in
                let shape = try shape(of: row, call, known)
                guard let id = (row.object?["id"] ?? row.object?["Id"])?.string else {
                    throw OrgError(status: 400, code: "MISSING_ARGUMENT", message: "A record needs its id.")
                }
                let record = try call.existing(id, of: shape, known)
                let fields = try fields(of: row, shape, call, known)
                _ = try known.owner(in: fields, of: shape)
                changes.append(Org.Change(record.id, fields))
                return record.id
            }
        }
        do throws(OrgError) {
            return (
                outcomes,
                try org.update(
                    changes, by: call.user, from: call.source, at: call.now, stamped: org.transactionStart(at: call.now)
                )
            )
        } catch {
            outcomes = outcomes.map { outcome in
                if case .success = outcome { .failure(error) } else { outcome }
            }
            return (outcomes, [])
        }
    }

    private func deleteCollection(_ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        guard let list = call.request.parameter("ids"), !list.isEmpty else {
            throw .parser("The parameter ids is wanted, a list with commas.")
        }
        let ids = list.split(separator: ",")
        try checkCount(ids.count)
        let before = org
        var outcomes: [Outcome] = []
        for id in ids {
            outcomes.append(
                outcome { () throws(OrgError) in
                    let id = try OrgCall.id(String(id))
                    guard let object = (org[id] ?? org.tombstone(id, at: call.now))?.object,
                        let shape = org.objects[object]
                    else { throw .noRecord("record") }
                    let record = try call.existing(id.description, of: shape, org)
                    try org.delete(record.id, by: call.user, at: call.now, stamped: org.transactionStart(at: call.now))
                    return record.id
                })
        }
        let isAllOrNone = call.request.parameter("allOrNone") == "true"
        return finish(&outcomes, [], isAllOrNone, before, &org)
    }

    private func finish(
        _ outcomes: inout [Outcome], _ pushes: [OutgoingPush], _ isAllOrNone: Bool, _ before: Org, _ org: inout Org
    ) -> Answer {
        let hasFailed = outcomes.contains { if case .failure = $0 { true } else { false } }
        var pushes = pushes
        if isAllOrNone, hasFailed {
            let rolledBack = OrgError(
                status: 400, code: "ALL_OR_NONE_OPERATION_ROLLED_BACK",
                message: "Record rolled back because not all records were valid and the request was using AllOrNone.")
            org.rollBack(to: before, because: rolledBack)
            pushes = []
            outcomes = outcomes.map { if case .success = $0 { .failure(rolledBack) } else { $0 } }
        }
        var bytes = [UInt8(ascii: "[")]
        for (index, outcome) in outcomes.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            switch outcome {
            case .success(let id): JSONValue.appendObject(OrgREST.success(id), to: &bytes)
            case .failure(let error):
                let members = Dictionary(error.members(code: "statusCode")) { first, _ in first }
                JSONValue.appendObject([("success", false), ("errors", [.object(members)])], to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "]"))
        return Answer(.json(bytes), pushes: pushes)
    }
}

extension Org {
    /// Undoes the calls' changes of records, devices and notices. Usage counts and log entries stay, and the changes stay
    /// known as ones that were not stored.
    mutating func rollBack(to before: Org, because error: OrgError) {
        changes.rollBack(after: before.changes.lastNumber, because: error)
        records = before.records
        tombstones = before.tombstones
        devices = before.devices
        notices = before.notices
    }
}
