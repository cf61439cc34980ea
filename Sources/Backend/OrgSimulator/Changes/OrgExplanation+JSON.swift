package import PushDispatch
import SelectiveSync

extension OrgExplanation {
    /// The form of `GET /simulator/explain` (docs/org.md).
    ///
    /// - Parameter deliveries: The gateway's answers to `questions`, as far as it was asked.
    package func json(_ deliveries: [OrgDelivery.Question: OrgDelivery]) -> JSONValue {
        var members: [String: JSONValue] = [
            "change": .integer(Int64(change.number)), "time": .string(change.date.description),
            "user": user(change.user), "source": .string(change.source.rawValue),
            "saved": .bool(change.failure == nil),
            "other-changes": .array(otherChanges.map { .integer(Int64($0)) }),
            "records": .array(change.records.map { $0.json }),
            "pushes": .array(change.calls.map { json($0, deliveries) }),
            "others": .array(
                change.others.map { other in
                    [
                        "user": user(other.user), "devices": .integer(Int64(other.devices)),
                        "sees-record": .bool(other.seesRecord), "why": .string(other.why(change.triggers)),
                        "flaws": OrgExplanation.names(isHardWired ? [.hardWiredUser] : []),
                    ]
                }),
            "more-others": .integer(Int64(change.uncounted)),
        ]
        if let failure = change.failure {
            members["why"] = .string(failure.description)
            members["flaws"] = OrgExplanation.names(change.failureFlaws)
        }
        return .object(members)
    }

    private var isHardWired: Bool {
        change.triggers.contains { if case .user = $0.target { true } else { false } }
    }

    private func user(_ id: RecordID) -> JSONValue {
        ["id": .string(id.description), "name": .string(names[id] ?? id.description)]
    }

    fileprivate static func names(_ flaws: [PushTrigger.Flaw]) -> JSONValue {
        .array(flaws.map { .string($0.rawValue) })
    }

    private func json(_ call: OrgChange.Call, _ deliveries: [OrgDelivery.Question: OrgDelivery]) -> JSONValue {
        var members: [String: JSONValue] = [
            "type": .string(call.type), "app": .string(call.application), "user": user(call.user),
            "target": .string(call.target.name), "why": .string("the trigger sends to \(call.target.receiver)"),
            "records": .array(call.records.map { .string($0.description) }),
            "hidden-records": .integer(Int64(call.hidden)), "deferred": .bool(call.isDeferred),
            "flaws": OrgExplanation.names(call.flaws),
            "devices": .array(call.devices.map { json($0, deliveries) }),
        ]
        if let obstacle = call.obstacle { members["obstacle"] = .string(obstacle.description) }
        return .object(members)
    }

    private func json(_ device: OrgChange.Device, _ deliveries: [OrgDelivery.Question: OrgDelivery]) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(device.id.description), "device": .string(device.name),
            "registered": .string(device.registered.description), "sent": .bool(device.fate == .sent),
            "why": .string(device.fate.description),
            "flaws": OrgExplanation.names(device.isEcho ? [.ownEcho] : []),
        ]
        guard device.fate == .sent else { return .object(members) }
        guard let answer = device.answer else {
            members["gateway"] = ["status": .null, "why": "it has not answered yet"]
            return .object(members)
        }
        let delivery = answer.question.flatMap { deliveries[$0] } ?? .unknown(why: answer.unknownDelivery)
        var gateway: [String: JSONValue] = [
            "status": answer.status.map { .integer(Int64($0)) } ?? .null, "time": .string(answer.date.description),
        ]
        gateway[answer.status == nil ? "why" : "reason"] = answer.detail.map { .string($0) }
        gateway["apns-id"] = answer.apnsID.map { .string($0) }
        gateway["apns-unique-id"] = answer.uniqueID.map { .string($0) }
        switch delivery {
        case .stage(let stage, let time, let why):
            members["delivery"] = ["stage": .string(stage), "time": .string(time), "why": .string(why)]
        case .refused(let why):
            gateway["why"] = .string(why)
            members["delivery"] = ["stage": .null, "why": .string(answer.unknownDelivery)]
        case .unknown(let why): members["delivery"] = ["stage": .null, "why": .string(why)]
        }
        members["gateway"] = .object(gateway)
        return .object(members)
    }
}

extension OrgChange.Record {
    fileprivate var json: JSONValue {
        var isFired = false
        if case .fires? = decision { isFired = true }
        return [
            "id": .string(id.description), "object": .string(object),
            "fields": .array(fields.map { .string($0) }),
            "trigger": [
                "fired": .bool(isFired), "why": .string(why), "flaws": OrgExplanation.names(flaws),
            ],
        ]
    }
}
