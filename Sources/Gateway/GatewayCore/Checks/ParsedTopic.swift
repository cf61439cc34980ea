import APNSModel

/// A well-formed topic taken apart, so that one connection's next notification for it costs one comparison.
/// An immutable object for the same reason as `VerifiedToken`.
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
