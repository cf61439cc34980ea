import APNSModel

/// A well-formed topic and its parts, so that the next notification of the connection for it costs one comparison.
/// An immutable class for the same reason as `VerifiedToken`.
final class ParsedTopic: Sendable {
    let topic: Topic
    let suffix: String
    let bundleID: String

    var text: String { topic.value }

    init(_ topic: Topic) {
        self.topic = topic
        suffix = topic.suffix
        bundleID = topic.bundleID
    }
}
