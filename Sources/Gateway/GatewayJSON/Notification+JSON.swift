import APNSModel
package import APNSPayload
package import GatewayCore
package import PayloadJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension JSONText {
    /// The payload as a JSON value, without white space. A body that is not JSON, or was not kept whole, is under
    /// `payload-base64` instead, so that each reader gets either a value or the exact bytes.
    ///
    /// - Parameter keepsBytes: Whether JSON with white space is given in both forms.
    package mutating func addPayload(_ payload: [UInt8], omittedBytes: Int, keepsBytes: Bool = false) {
        if omittedBytes == 0, (try? JSONDocument(payload)) != nil {
            let (compact, omitted) = CompactJSON.compact(payload, in: payload.indices)
            add("payload", json: compact)
            if keepsBytes, !omitted.isEmpty { add("payload-base64", Data(payload).base64EncodedString()) }
        } else {
            add("payload-base64", Data(payload).base64EncodedString())
        }
    }

    /// A header that is a number on the wire: as a number if it is written as JSON writes it, otherwise as the string that was
    /// sent, such as "05".
    fileprivate mutating func addNumber(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        if let number = Int64(text), "\(number)" == text { add(name, number) } else { add(name, text) }
    }
}

extension JournalEntry {
    /// The keys of the envelope, and the verdict (docs/reference/interfaces.md section 2).
    ///
    /// - Parameters:
    ///   - world: The world that judged it, if the context does not show it.
    ///   - keepsBytes: Whether a payload with white space is under `payload-base64` too, as it was sent.
    package func json(withLife: Bool, world: WorldName? = nil, keepsBytes: Bool = false) -> JSONText {
        .object { object in
            object.add("apns-unique-id", uniqueID)
            object.addIfAny("world", world?.text)
            if kind != .notification { object.add("request", kind.rawValue) }
            object.addIfAny("token", token)
            object.addIfAny("apns-channel-id", channelID)
            object.addIfAny("apns-topic", topic)
            object.addIfAny("apns-push-type", pushType)
            object.addNumber("apns-priority", priority)
            object.addNumber("apns-expiration", expiration)
            object.addIfAny("apns-collapse-id", collapseID)
            object.add(kind == .notification ? "apns-id" : "apns-request-id", verdict.apnsID)
            if kind.hasPayload {
                object.addPayload(payload, omittedBytes: omittedBytes, keepsBytes: keepsBytes)
            }
            object.add("payload-bytes", payloadBytes)
            object.add("outcome", NotificationQuery.Outcome(verdict.outcome).rawValue)
            object.addOrNull("status", verdict.status)
            object.addOrNull("reason", verdict.reason?.code)
            if case .refused(_, let timestamp?) = verdict.outcome { object.add("timestamp", timestamp) }
            object.add("why", verdict.why)
            object.add("rule", verdict.rule)
            if let fault {
                object.add(
                    "fault",
                    .object {
                        $0.add("id", fault.id)
                        $0.add("why", fault.why)
                    })
            }
            object.add("received", time: received)
            object.add("environment", environment.rawValue)
            object.addIfAny("key-id", keyID)
            object.addIfAny("team-id", teamID)
            object.add("verified", isVerified)
            if isFromControl { object.add("sent-by", "control") }
            object.add("findings", .array(findings.map(\.json)))
            object.addIfAny("stage", life.last?.stage.rawValue)
            if withLife { object.add("life", .array(life.map(\.json))) }
        }
    }
}

extension JournalEntry {
    /// The verdict in the form of a life entry.
    package var firstLine: JSONText {
        .object { object in
            object.add("apns-unique-id", uniqueID)
            if kind != .notification { object.add("request", kind.rawValue) }
            object.add(kind == .notification ? "apns-id" : "apns-request-id", verdict.apnsID)
            object.addIfAny("token", token)
            object.addIfAny("apns-channel-id", channelID)
            object.addIfAny("apns-topic", topic)
            object.addIfAny("stage", life.first?.stage.rawValue)
            object.add("at", time: received)
            object.add("why", verdict.why)
            object.addOrNull("status", verdict.status)
            object.addOrNull("reason", verdict.reason?.code)
        }
    }
}

extension Finding {
    fileprivate var json: JSONText { .object { add(to: &$0) } }

    package func add(to object: inout JSONText) {
        object.add("rule", rule)
        object.add("severity", severity.rawValue)
        object.add("layer", layer.rawValue)
        object.addOrNull("pointer", pointer)
        object.add("message", message)
    }
}

extension LifeEntry {
    fileprivate var json: JSONText {
        .object { object in
            object.add("stage", stage.rawValue)
            object.add("at", time: at)
            object.add("why", why)
        }
    }
}

extension Delivery {
    /// The envelope with `apns-unique-id`, as a device's listener gets it.
    package var json: JSONText { .object { add(to: &$0) } }

    package func add(to object: inout JSONText) {
        object.add("token", token.hex)
        object.addIfAny("apns-channel-id", channelID?.base64)
        object.add("apns-topic", topic.value)
        object.addIfAny("apns-push-type", pushType?.rawValue)
        object.add("apns-priority", priority.rawValue)
        if let expiration { object.add("apns-expiration", expiration.secondsSince1970) }
        object.addIfAny("apns-collapse-id", collapseID?.value)
        object.add(channelID == nil ? "apns-id" : "apns-request-id", apnsID)
        object.add("apns-unique-id", uniqueID)
        object.addPayload(payload, omittedBytes: 0)
    }
}

extension DeliveryEvent {
    package var json: JSONText {
        .object { object in
            object.add("apns-unique-id", delivery.uniqueID)
            object.add(delivery.channelID == nil ? "apns-id" : "apns-request-id", delivery.apnsID)
            object.add("token", delivery.token.hex)
            object.addIfAny("apns-channel-id", delivery.channelID?.base64)
            object.add("apns-topic", delivery.topic.value)
            object.add("stage", stage.rawValue)
            object.add("at", time: life.at)
            object.add("why", life.why)
        }
    }
}
