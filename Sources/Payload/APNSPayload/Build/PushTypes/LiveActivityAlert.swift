/// What a Live Activity shows and plays when it starts, changes or ends. An alert lights up the screen.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivityAlert: Hashable, Sendable {
    public var title: AlertText
    public var body: AlertText
    /// A sound file of the app, or `default`.
    public var sound: String?

    public init(title: AlertText, body: AlertText, sound: String? = nil) {
        (self.title, self.body, self.sound) = (title, body, sound)
    }
}

extension PayloadWriter {
    mutating func write(_ alert: LiveActivityAlert?) {
        guard let alert else { return }
        write("alert") { object in
            object.write("title", nested: alert.title)
            object.write("body", nested: alert.body)
            object.write("sound", alert.sound)
        }
    }
}
