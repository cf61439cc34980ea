package import APNSModel
package import APNSPayload

/// What a command line says about every file.
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
