import EventDelivery
import PushDispatch

/// The body of an upsert: `{"events":[…],"options":{"features":[…]}}`.
enum ProfileForm {
    /// The service wants `text/plain` for single upserts, though the body is JSON.
    static func form(features: [String]) -> BatchForm {
        let features = JSONValue.array(features.map { .string($0) })
        let text = String(decoding: features.compactBytes, as: UTF8.self)
        return .json(key: "events", members: "\"options\":{\"features\":\(text)}", contentType: "text/plain")
    }
}
