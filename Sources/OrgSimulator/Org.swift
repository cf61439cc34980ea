package import PushDispatch
package import SelectiveSync

/// The simulated CRM: objects and their records, and the pushes that changes bring about. No clock and no I/O.
package struct Org: Sendable {
    package let objects: [String: OrgObject]
    private let maximumRecords: Int
    private var records: [RecordID: OrgRecord] = [:]
    private var lastNumber = 0

    /// - Parameter maximumRecords: `create` refuses one more.
    package init(objects: [OrgObject] = [.account, .interaction], maximumRecords: Int = 200_000) {
        self.objects = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        self.maximumRecords = maximumRecords
    }

    package struct Change: Hashable, Sendable {
        package let record: RecordID
        package let fields: [String: JSONValue]

        package init(_ record: RecordID, _ fields: [String: JSONValue]) {
            self.record = record
            self.fields = fields
        }
    }

    package subscript(id: RecordID) -> OrgRecord? { records[id] }

    /// In the order of their creation.
    package func records(of object: String) -> [OrgRecord] {
        records.values.filter { $0.object == object }.sorted { $0.id.description < $1.id.description }
    }

    /// Adds a record, owned by the user unless the fields name another owner. Nobody is told.
    package mutating func create(
        _ object: String, _ fields: [String: JSONValue], by user: RecordID, at now: ServerDate
    ) throws(OrgError) -> RecordID {
        guard let shape = objects[object] else { throw .noResource }
        guard records.count < maximumRecords else {
            throw OrgError(
                status: 400, code: "STORAGE_LIMIT_EXCEEDED", message: "The org holds \(maximumRecords) records.")
        }
        let owner = try shape.check(fields) ?? user
        guard let id = nextID(shape.keyPrefix) else {
            throw OrgError(
                status: 500, code: "UNKNOWN_EXCEPTION",
                message: "The key prefix of \(object) is not three letters or digits.")
        }
        var stored = fields.filter { $0.value != .null }
        stored["OwnerId"] = .string(owner.description)
        records[id] = OrgRecord(
            id: id, object: object, owner: owner, lastModifiedBy: user, lastModified: now, systemModstamp: now,
            fields: stored)
        return id
    }

    /// Changes some fields of a record; the others stay.
    ///
    /// - Returns: What the object's trigger sends; nothing where no watched field differs.
    package mutating func update(
        _ record: RecordID, _ fields: [String: JSONValue], by user: RecordID, at now: ServerDate
    ) throws(OrgError) -> [OutgoingPush] {
        try update([Change(record, fields)], by: user, at: now)
    }

    /// Several changes in one save: all of them or, where one is refused, none.
    package mutating func update(
        _ changes: [Change], by user: RecordID, at now: ServerDate
    ) throws(OrgError) -> [OutgoingPush] {
        var changed: [RecordID: OrgRecord] = [:]
        var order: [RecordID] = []
        for change in changes {
            guard let old = changed[change.record] ?? records[change.record], let shape = objects[old.object] else {
                throw .noRecord("record")
            }
            var new = old
            if let owner = try shape.check(change.fields) { new.owner = owner }
            for (field, value) in change.fields { new.fields[field] = value == .null ? nil : value }
            new.fields["OwnerId"] = .string(new.owner.description)
            // Neither a clock set back nor two saves in one millisecond may make the newer copy look no newer.
            new.lastModified = max(now, old.lastModified.next)
            new.systemModstamp = max(now, old.systemModstamp.next)
            new.lastModifiedBy = user
            if changed.updateValue(new, forKey: change.record) == nil { order.append(change.record) }
        }
        let pushes = pushes(for: order, changed, by: user)
        records.merge(changed) { _, new in new }
        return pushes
    }

    private func pushes(
        for order: [RecordID], _ changed: [RecordID: OrgRecord], by user: RecordID
    ) -> [OutgoingPush] {
        objects.keys.sorted().flatMap { name -> [OutgoingPush] in
            guard let trigger = objects[name]?.trigger, !trigger.ignoredUsers.contains(user) else { return [] }
            let firings = order.compactMap { id -> OutgoingPush.Firing? in
                guard let old = records[id], let new = changed[id], new.object == name else { return nil }
                let tokens = trigger.tokens(from: old, to: new)
                return tokens.isEmpty ? nil : OutgoingPush.Firing(record: new, tokens: tokens)
            }
            return OutgoingPush.pushes(for: firings, by: trigger)
        }
    }

    /// Prefix, `xx` for a made-up instance, and a number to base 62.
    private mutating func nextID(_ prefix: String) -> RecordID? {
        lastNumber += 1
        let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        var rest = lastNumber
        var text = ""
        for _ in 0..<10 {
            text = String(digits[rest % 62]) + text
            rest /= 62
        }
        return RecordID(prefix + "xx" + text)
    }
}

extension ServerDate {
    fileprivate var next: ServerDate { ServerDate(millisecondsSince1970: millisecondsSince1970 &+ 1) }
}
