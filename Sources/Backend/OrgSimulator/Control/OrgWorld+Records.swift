import APNSModel
package import PushDispatch
import SelectiveSync
import ServiceHost

/// Control API calls that do what users and administrators do in the CRM.
extension OrgWorld {
    private func response(_ answer: JSONValue, _ pushes: [OutgoingPush], status: Int = 200) -> Outcome {
        Outcome(answer: OrgREST.Answer(.json(answer.compactBytes, status: status), pushes: pushes))
    }

    /// `{"user":"ada","records":[{"id":"001…","fields":{"Name":"…"}}],"source":"browser","transaction":"10m"}`: changes all
    /// records in one save. Its transaction has taken that time, so its stamps are older than the save. With
    /// `"object":"Account","all":true,"fields":{…}` instead of `records` it changes all records of the object; beside
    /// `records`, `object` refuses those of another one.
    mutating func edit(_ request: ServiceRequest, _ now: ServerDate) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let user = try user(try members.requiredString("user"))
        guard let source = ChangeSource(try members.word("source", ChangeSource.Kind.self) ?? .browser) else {
            throw .bad("an app changes records over the REST interface; source is one of the others")
        }
        let duration = try transaction(in: &members)
        let changes = try changes(in: &members)
        do throws(OrgError) {
            let pushes = try with { (org) throws(OrgError) in
                try org.update(
                    changes, by: user, from: source, at: now, stamped: org.transactionStart(duration, at: now))
            }
            return response(
                [
                    "records": .integer(Int64(Set(changes.map(\.record)).count)),
                    "push-calls": .integer(Int64(pushes.count)),
                    "change": .integer(Int64(org.changes.lastNumber)),
                ], pushes)
        } catch {
            throw OrgWorld.problem(error)
        }
    }

    /// The changes of an edit: those of `records`, or the same `fields` for all records of an object.
    private func changes(in members: inout ControlMembers) throws(ControlProblem) -> [Org.Change] {
        let name = try members.string("object")
        let isForAll = try members.isTrue("all")
        let fields = members.value("fields")
        let rows = members.value("records")
        try members.finish()
        guard isForAll else {
            guard fields == nil else { throw .bad("fields are for \"all\":true; each of the records has its own") }
            guard let list = rows?.array, !list.isEmpty else {
                throw .bad("records must be an array of objects with id and fields")
            }
            let changes = try listedChanges(list)
            if let name { try check(changes, areOf: shape(name)) }
            return changes
        }
        guard rows == nil else { throw .bad("give records, or \"all\":true with object and fields") }
        guard let object = name else { throw .bad("object is missing: that of all the records") }
        guard let values = fields?.object, !values.isEmpty else {
            throw .bad("fields must be an object with what to set in all the records")
        }
        let found = try org.records(of: shape(object).name)
        guard !found.isEmpty else { throw ControlProblem(404, "there is no record of \(object) to change") }
        return found.map { Org.Change($0.id, values) }
    }

    private func listedChanges(_ rows: [JSONValue]) throws(ControlProblem) -> [Org.Change] {
        var changes: [Org.Change] = []
        for row in rows {
            var record = try ControlMembers(row, "a record")
            let id = try id(try record.requiredString("id"))
            guard let fields = record.value("fields")?.object else { throw .bad("a record needs fields, an object") }
            try record.finish()
            changes.append(Org.Change(id, fields))
        }
        return changes
    }

    /// An id without a record is refused by the save.
    private func check(_ changes: [Org.Change], areOf shape: OrgObject) throws(ControlProblem) {
        for change in changes {
            guard let record = org[change.record], record.object != shape.name else { continue }
            throw .bad(
                "\(change.record) is a record of \(record.object), and not of \(shape.name); nothing was changed")
        }
    }

    private func shape(_ name: String) throws(ControlProblem) -> OrgObject {
        guard let shape = org.objects[name] else {
            throw .bad("there is no such object; there are \(org.objects.keys.sorted().joined(separator: ", "))")
        }
        return shape
    }

    /// How long the transaction of a save has taken; nil without that key.
    private func transaction(in members: inout ControlMembers) throws(ControlProblem) -> Int64? {
        guard let duration = try members.duration("transaction") else { return nil }
        guard (0...OrgSettings.day).contains(duration) else { throw .bad("transaction is not a duration up to 24h") }
        return duration
    }

    func id(_ text: String) throws(ControlProblem) -> RecordID {
        do throws(RecordID.Problem) {
            return try RecordID.read(text).id
        } catch {
            throw .bad("the id \(ShownText.cut(text, to: 20)) \(error)")
        }
    }

    mutating func create(_ request: ServiceRequest, _ now: ServerDate) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let user = try user(try members.requiredString("user"))
        let object = try members.requiredString("object")
        guard let fields = members.value("fields")?.object else { throw .bad("fields must be an object") }
        let duration = try transaction(in: &members)
        try members.finish()
        do throws(OrgError) {
            let id = try with { (org) throws(OrgError) in
                try org.create(object, fields, by: user, at: org.transactionStart(duration, at: now))
            }
            return json(["id": .string(id.description)], status: 201)
        } catch {
            throw OrgWorld.problem(error)
        }
    }

    mutating func delete(_ request: ServiceRequest, _ now: ServerDate) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let user = try user(try members.requiredString("user"))
        let id = try id(try members.requiredString("id"))
        let duration = try transaction(in: &members)
        try members.finish()
        do throws(OrgError) {
            try with { (org) throws(OrgError) in
                try org.delete(id, by: user, at: now, stamped: org.transactionStart(duration, at: now))
            }
            return Outcome(answer: OrgREST.Answer(.noContent))
        } catch {
            throw OrgWorld.problem(error)
        }
    }

    /// `?object=Account&user=ada&limit=100`: the records that this user sees, or all records without a user.
    func records(_ request: ServiceRequest) throws(ControlProblem) -> Outcome {
        guard let object = request.parameter("object") else {
            let names = org.objects.keys.sorted().joined(separator: ", ")
            throw .bad("the parameter object is required, one of \(names)")
        }
        let shape = try shape(object)
        var found = org.records(of: object)
        if let name = request.parameter("user") {
            let user = try user(name)
            found = found.filter { org.isVisible($0, to: user) }
        }
        let limit = request.parameter("limit").flatMap { Int($0) } ?? 1_000
        let fields = ["Id"] + shape.writableFields + ["LastModifiedDate", "SystemModstamp"]
        let rows = found.prefix(max(0, limit)).map { record -> JSONValue in
            .object(Dictionary(fields.map { ($0, record.value(of: $0)) }) { first, _ in first })
        }
        return json(["total": .integer(Int64(found.count)), "records": .array(rows)])
    }

    func devices() -> Outcome {
        let rows = org.devices.values.sorted { $0.id.description < $1.id.description }.map { device -> JSONValue in
            [
                "id": .string(device.id.description), "user": .string(device.user.description),
                "device": .string(device.deviceToken?.shortened ?? "of another service"),
                "bundle": .string(device.bundleID), "registered": .string(device.registered.description),
            ]
        }
        return json(["devices": .array(rows)])
    }

    // MARK: Sessions

    /// `{"user":"ada","app":"Agent"}`: returns the tokens that the log-in page would return.
    mutating func logIn(_ request: ServiceRequest, _ now: ServerDate) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let user = try user(try members.requiredString("user"))
        let name = try members.string("app")
        try members.finish()
        let app = name.map { org.apps[$0] } ?? org.apps.values.min { $0.name < $1.name }
        if let name, app == nil { throw ControlProblem(404, "there is no app \(ShownText.cut(name, to: 60))") }
        let clientID = app?.clientID ?? OutgoingPush.defaultApplication
        let rest = rest
        let tokens = with { rest.logIn(user, clientID: clientID, &$0, at: now) }
        return json([
            "access_token": .string(tokens.accessToken), "refresh_token": .string(tokens.refreshToken ?? ""),
            "client_id": .string(clientID), "instance_url": .string(org.settings.instanceURL),
            "user_id": .string(user.description),
        ])
    }

    /// `{"user":"ada"}`, or no member for all users: expires access tokens, or revokes log-ins with their refresh
    /// tokens.
    mutating func endSessions(
        _ request: ServiceRequest, _ now: ServerDate, isRevoked: Bool
    ) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let user = try user(in: &members)
        try members.finish()
        with { org in
            if isRevoked { org.access.revokeAll(of: user) } else { org.access.expireAll(of: user) }
            let details: [String: JSONValue] = user.map { ["user": .string($0.description)] } ?? [:]
            org.log.add(isRevoked ? "LOGINS_REVOKED" : "SESSIONS_EXPIRED", details, at: now)
        }
        return Outcome(answer: OrgREST.Answer(.noContent))
    }

    // MARK: Rights and limits

    /// `{"user":"ada","id":"001…","visible":false}`
    mutating func setVisibility(_ request: ServiceRequest, _ now: ServerDate) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let user = try user(try members.requiredString("user"))
        let id = try id(try members.requiredString("id"))
        guard let isVisible = try members.flag("visible") else { throw .bad("visible is missing: true or false") }
        try members.finish()
        guard org[id] != nil else { throw ControlProblem(404, "there is no record with this id") }
        with { $0.setVisible(isVisible, id, to: user) }
        return Outcome(answer: OrgREST.Answer(.noContent))
    }

    /// `{"object":"Account","field":"Phone","user":"ada","hidden":true}`; without a user, for all users.
    mutating func hideField(_ request: ServiceRequest, _ now: ServerDate) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let object = try members.requiredString("object")
        let field = try members.requiredString("field")
        let user = try user(in: &members)
        let isHidden = try members.flag("hidden") ?? true
        try members.finish()
        guard org.objects[object]?.hasField(field) == true else {
            throw ControlProblem(
                404, "there is no field \(ShownText.cut(field, to: 60)) in \(ShownText.cut(object, to: 60))")
        }
        with { org in
            let rule = HiddenField(object, field, from: user)
            if isHidden { org.hiddenFields.insert(rule) } else { org.hiddenFields.remove(rule) }
        }
        return Outcome(answer: OrgREST.Answer(.noContent))
    }

    /// `{"before":"2026-05-20T20:49:32Z"}`, or no member for all: forgets deletions.
    mutating func purge(_ request: ServiceRequest, _ now: ServerDate) throws(ControlProblem) -> Outcome {
        var members = try members(of: request)
        let date = try members.date("before") ?? now
        try members.finish()
        with { $0.purgeDeletions(before: date) }
        return Outcome(answer: OrgREST.Answer(.noContent))
    }

    mutating func patchSettings(_ request: ServiceRequest, _ now: ServerDate) throws(ControlProblem) -> Outcome {
        var settings = org.settings
        try settings.patch(body(of: request))
        with { $0.settings = settings }
        return Outcome(answer: OrgREST.Answer(.noContent))
    }
}

extension Org {
    /// Finds a user by name or id.
    package func user(named name: String) -> RecordID? {
        if let user = users.values.first(where: { $0.name == name }) { return user.id }
        guard let id = RecordID(name), users[id] != nil else { return nil }
        return id
    }
}
