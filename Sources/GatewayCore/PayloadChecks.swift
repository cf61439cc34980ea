import APNSModel
import APNSPayload

/// What the validator's rules say about headers and payload: a part of step 9, and step 12. Each check has the id of the
/// rule that it asks, so that sender, validator and gateway never differ.
enum PayloadChecks {
    static func backgroundPriority(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.head.pushType == PushType.background.rawValue,
            !world.settings.contested.acceptsBackgroundAtPriority10
        else { return nil }
        return objection(.badPriority, from: "background-priority", &request, &world)
    }

    static func empty(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard request.body.isEmpty, request.omittedBytes == 0 else { return nil }
        return objection(.payloadEmpty, from: "payload-empty", &request, &world)
    }

    static func tooLarge(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        let bytes = request.body.count + request.omittedBytes
        guard bytes > PushType.alert.maximumPayloadBytes else { return nil }
        guard request.omittedBytes == 0 else { return Objection(.payloadTooLarge, request.tooLong) }
        return objection(.payloadTooLarge, from: "payload-too-large", &request, &world)
    }

    static func json(
        _ request: inout Inspection, _ world: inout World, _ connection: inout GatewayConnection
    ) -> Objection? {
        guard world.settings.contested.refusesMalformedJSON else { return nil }
        return objection(.payloadEmpty, from: "payload-json", &request, &world)
    }

    private static func objection(
        _ reason: Reason, from rule: String, _ request: inout Inspection, _ world: inout World
    ) -> Objection? {
        request.findings(of: &world.validator).first { $0.rule == rule }.map { Objection(reason, $0.message) }
    }
}

extension Inspection {
    /// Everything that the validator finds, read from the payload once. Of a payload that was cut off only its length.
    mutating func findings(of validator: inout Validator) -> [Finding] {
        if let findings { return findings }
        var found = validator.findings(for: envelope)
        if omittedBytes > 0 {
            found.removeAll { $0.rule != "payload-too-large" }
            for index in found.indices { found[index].message = tooLong }
        }
        findings = found
        return found
    }

    /// Why a payload that was cut off is too large for every push type.
    fileprivate var tooLong: String {
        "the payload has \(body.count + omittedBytes) bytes; no push type takes more than "
            + "\(PushType.voip.maximumPayloadBytes)"
    }

    private var envelope: Envelope {
        Envelope(
            kind: .notification, token: pathToken.map(String.init), topic: topic?.text ?? head.topic,
            pushType: head.pushType, priority: head.priority, expiration: head.expiration, collapseID: head.collapseID,
            apnsID: head.apnsID, payload: body)
    }
}
