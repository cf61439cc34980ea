package import APNSModel
package import APNSPayload

/// The settings of the command line, for every file.
package struct LintOptions: Hashable, Sendable {
    package var pushType: PushType?
    package var topic: Topic?
    package var failOn: Severity?
    /// Whether push types are allowed that this version does not know, in files and in configurations.
    package var allowsNewPushTypes: Bool

    package init(
        pushType: PushType? = nil, topic: Topic? = nil, failOn: Severity? = nil, allowsNewPushTypes: Bool = false
    ) {
        self.allowsNewPushTypes = allowsNewPushTypes
        self.pushType = pushType
        self.topic = topic
        self.failOn = failOn
    }
}
