import APNSModel
import PushDispatch
import SelectiveSync

extension OutgoingPush {
    /// A record that the trigger fired for.
    struct Firing {
        let record: OrgRecord
        let tokens: [String]
    }

    private static let silent: (key: String, value: JSONValue) = ("aps", ["content-available": 1])

    /// The pushes of one save, in the order of its records.
    static func pushes(for firings: [Firing], by trigger: PushTrigger) -> [OutgoingPush] {
        switch trigger.form {
        case .each(let key): firings.map { each($0, key, trigger) }
        case .grouped(let key): grouped(firings, key, trigger)
        }
    }

    /// Adds the call's values that are not part of its payload.
    func called(by trigger: PushTrigger, _ source: ChangeSource) -> OutgoingPush {
        var push = self
        push.application = trigger.application
        if case .session(let grant) = source { push.sourceGrant = grant }
        push.excludesSource = trigger.excludesSource
        return push
    }

    private static func each(_ firing: Firing, _ key: String, _ trigger: PushTrigger) -> OutgoingPush {
        let record = firing.record
        var members = [silent, ("type", .string(trigger.type)), (key, .string(record.id.description))]
        if trigger.includesName { members.append(("accountName", record.fields["Name"] ?? .null)) }
        members.append(("changedFields", .string(firing.tokens.joined(separator: ", "))))
        return OutgoingPush(
            type: trigger.type, targetUser: trigger.targetUser(of: record), records: [record.id],
            payload: bytes(members))
    }

    private static func grouped(_ firings: [Firing], _ key: String, _ trigger: PushTrigger) -> [OutgoingPush] {
        var users: [RecordID] = []
        var records: [RecordID: [RecordID]] = [:]
        for firing in firings {
            let user = trigger.targetUser(of: firing.record)
            if records[user] == nil { users.append(user) }
            records[user, default: []].append(firing.record.id)
        }
        let perPush = maximumRecords(key, trigger)
        var pushes: [OutgoingPush] = []
        for user in users {
            var rest = records[user, default: []][...]
            if rest.count > perPush, trigger.overflow == .regularSync, let object = firings.first?.record.object {
                pushes.append(regularSyncPush(object, Array(rest), user))
                continue
            }
            while !rest.isEmpty {
                pushes.append(group(Array(rest.prefix(perPush)), key, user, trigger))
                rest = rest.dropFirst(perPush)
            }
        }
        return pushes
    }

    /// The number of ids that fit: each takes 18 characters, two quotes and a comma, and the last has no comma.
    private static func maximumRecords(_ key: String, _ trigger: PushTrigger) -> Int {
        let frame = bytes([silent, ("type", .string(trigger.type)), (key, [])]).count
        return max(1, (PushType.background.maximumPayloadBytes - frame + 1) / 21)
    }

    private static func group(
        _ records: [RecordID], _ key: String, _ user: RecordID, _ trigger: PushTrigger
    ) -> OutgoingPush {
        let ids = JSONValue.array(records.map { .string($0.description) })
        return OutgoingPush(
            type: trigger.type, targetUser: user, records: records,
            payload: bytes([silent, ("type", .string(trigger.type)), (key, ids)]))
    }

    /// A push that says that records of the object have changed, but not which.
    private static func regularSyncPush(_ object: String, _ records: [RecordID], _ user: RecordID) -> OutgoingPush {
        OutgoingPush(
            type: RegularSyncRequest.type, targetUser: user, records: records,
            payload: bytes([silent, ("type", .string(RegularSyncRequest.type)), ("object", .string(object))]))
    }

    private static func bytes(_ members: [(key: String, value: JSONValue)]) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONValue.appendObject(members, to: &bytes)
        return bytes
    }
}
