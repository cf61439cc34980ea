import APNSModel
import PushDispatch
import ServiceHost

/// One record named by the value of its external id field: reading, and upsert.
extension OrgREST {
    func read(_ name: ExternalName, _ call: OrgCall, _ org: Org) throws(OrgError) -> Answer {
        let shape = try call.shape(name.object, org)
        guard let record = try find(name, shape, org), org.isVisible(record, to: call.user) else {
            throw .noRecord(shape.name)
        }
        return try read(record.id.description, of: name.object, call, org)
    }

    /// Changes the record with this value, or creates it. A reply to a change names the id from version 46 on.
    func upsert(_ name: ExternalName, _ call: OrgCall, _ org: inout Org) throws(OrgError) -> Answer {
        let shape = try call.shape(name.object, org)
        let found = try find(name, shape, org)
        var fields = try OrgREST.object(in: call.request).filter { $0.key != "attributes" }
        guard fields[name.field] == nil else {
            throw OrgError(
                status: 400, code: "INVALID_FIELD",
                message: "The \(name.field) field should not be specified in the sobject data.", fields: [name.field])
        }
        if let found {
            let answer = try change(found.id.description, of: name.object, call, &org)
            guard call.majorVersion >= 46 else { return answer }
            return Answer(.json(OrgREST.success(found.id) + [("created", false)]), pushes: answer.pushes)
        }
        fields[name.field] = .string(name.value)
        try call.check(fields.keys.sorted(), of: shape, org)
        let id = try org.create(shape.name, fields, by: call.user, at: org.transactionStart(at: call.now))
        return Answer(.json(OrgREST.success(id) + [("created", true)], status: 201))
    }

    private func find(_ name: ExternalName, _ shape: OrgObject, _ org: Org) throws(OrgError) -> OrgRecord? {
        guard shape.externalIDField == name.field else {
            throw OrgError(
                status: 404, code: "NOT_FOUND",
                message: "Provided external ID field does not exist or is not accessible: "
                    + ShownText.cut(name.field, to: 80))
        }
        let found = org.records(of: shape.name).filter { $0.fields[name.field] == .string(name.value) }
        guard found.count < 2 else {
            throw OrgError(
                status: 300, code: "MULTIPLE_CHOICES", message: "\(found.count) records have this external ID.")
        }
        return found.first
    }
}

/// The name of a record by an external id.
struct ExternalName: Hashable {
    let object: String
    let field: String
    let value: String
}
