package import APNSPayload
package import PayloadJSON

extension Envelope {
    /// The envelope as compact JSON (docs/reference/interfaces.md 1.1). A header that is not there is left out; the payload
    /// must be JSON.
    package var json: JSONText {
        JSONText.object { object in
            object.addIfAny("token", token)
            object.addIfAny("apns-topic", topic)
            object.addIfAny("apns-push-type", pushType)
            object.addNumber("apns-priority", priority)
            object.addNumber("apns-expiration", expiration)
            object.addIfAny("apns-collapse-id", collapseID)
            object.addIfAny("apns-id", apnsID)
            object.add("payload", json: payload)
        }
    }
}

extension JSONText {
    /// A number where the text is one, so that what is wrong stays as it is. Nothing for nil.
    fileprivate mutating func addNumber(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        if let number = Int64(text), "\(number)" == text { add(name, number) } else { add(name, text) }
    }
}
