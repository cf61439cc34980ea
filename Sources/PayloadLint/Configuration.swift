package import APNSModel
package import APNSPayload

/// What an `.apns-validate.yaml` says, with what it extends.
package struct Configuration: Hashable, Sendable {
    /// What some of the files have different from the rest.
    package struct Override: Hashable, Sendable {
        package var paths: [Glob] = []
        package var pushType: PushType?
        package var topic: Topic?
        package var rules: [String: RuleSetting] = [:]
    }

    package static let fileName = ".apns-validate.yaml"

    /// How messages name its file.
    package var file: String
    /// Patterns for paths count from here; absolute.
    package var folder: String
    package var pushType: PushType?
    package var topic: Topic?
    package var failOn: Severity?
    package var exclude: [Glob] = []
    package var rules: [String: RuleSetting] = [:]
    /// Later ones win.
    package var overrides: [Override] = []
    /// Every file that was read for it, itself included; absolute.
    package var files: [String] = []

    package init(file: String, folder: String) {
        self.file = file
        self.folder = folder
    }

    /// Puts what `other` says over what this says.
    mutating func take(_ other: Configuration) {
        pushType = other.pushType ?? pushType
        topic = other.topic ?? topic
        failOn = other.failOn ?? failOn
        exclude += other.exclude
        rules.merge(other.rules) { $1 }
        overrides += other.overrides
        files += other.files
    }
}
