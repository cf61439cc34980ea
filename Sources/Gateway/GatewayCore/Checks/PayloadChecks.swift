import APNSModel
import APNSPayload

/// What the validator's rules say about headers and payload: a part of step 9, and step 12, of docs/reference/apns.md
/// 3.5. Each check has the id of the rule that it runs, so that sender, validator and gateway agree.
enum PayloadChecks {
    static func backgroundPriority(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.head.priority != nil, request.priority == .immediate,
            request.head.pushType == PushType.background.rawValue,
            !world.settings.contested.acceptsBackgroundAtPriority10
        else { return nil }
        return objection(.badPriority, from: .backgroundPriority, &request, &world)
    }

    static func empty(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.body.isEmpty, request.omittedBytes == 0 else { return nil }
        return objection(.payloadEmpty, from: .payloadEmpty, &request, &world)
    }

    static func tooLarge(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        let bytes = request.body.count + request.omittedBytes
        guard bytes > PushType.alert.maximumPayloadBytes else { return nil }
        guard request.omittedBytes == 0 else { return Objection(.payloadTooLarge, tooLong(bytes)) }
        return objection(.payloadTooLarge, from: .payloadTooLarge, &request, &world)
    }

    static func json(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard world.settings.contested.refusesMalformedJSON else { return nil }
        return objection(.payloadEmpty, from: .payloadJSON, &request, &world)
    }

    private static func objection(
        _ reason: Reason, from rule: Rule, _ request: inout Inspection, _ world: inout World
    ) -> Objection? {
        world.validator.finding(of: rule, for: request.envelope).map { Objection(reason, $0.message) }
    }

    /// The message for a payload that was cut off, because it is too large for every push type.
    static func tooLong(_ bytes: Int) -> String {
        "the payload has \(bytes) bytes; no push type takes more than \(PushType.voip.maximumPayloadBytes)"
    }
}

extension Inspection {
    fileprivate var envelope: Envelope {
        Envelope(
            kind: .notification, token: pathToken.map(String.init), topic: topic?.text ?? head.topic,
            pushType: head.pushType, priority: head.priority, expiration: head.expiration, collapseID: head.collapseID,
            apnsID: head.apnsID, payload: body)
    }
}
