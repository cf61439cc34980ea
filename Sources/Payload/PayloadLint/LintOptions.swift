package import APNSModel
package import APNSPayload

/// The settings of the command line, for every file.
package struct LintOptions: Hashable, Sendable {
    package var pushType: PushType?
    package var topic: Topic?
    package var failOn: Severity?

    package init(pushType: PushType? = nil, topic: Topic? = nil, failOn: Severity? = nil) {
        self.pushType = pushType
        self.topic = topic
        self.failOn = failOn
    }
}
