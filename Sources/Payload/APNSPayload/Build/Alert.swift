/// What an alert push shows: a title or a body, or both.
public struct Alert: Hashable, Sendable {
    public let title: AlertText?
    public let subtitle: AlertText?
    public let body: AlertText?
    /// The image or storyboard that is shown while the app launches.
    public var launchImage: String?
    /// Whether the notification service extension can change the notification before it is shown, for at most 30
    /// seconds. The key is in `aps`, but has an effect only in a push that shows text, so it is a property of the
    /// alert.
    public var mutableContent: Bool

    public init(_ body: AlertText, launchImage: String? = nil, mutableContent: Bool = false) {
        (title, subtitle, self.body) = (nil, nil, body)
        (self.launchImage, self.mutableContent) = (launchImage, mutableContent)
    }

    public init(
        title: AlertText, subtitle: AlertText? = nil, body: AlertText? = nil, launchImage: String? = nil,
        mutableContent: Bool = false
    ) {
        (self.title, self.subtitle, self.body) = (title, subtitle, body)
        (self.launchImage, self.mutableContent) = (launchImage, mutableContent)
    }
}

extension Alert: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(.plain(text)) }
}

extension PayloadWriter {
    /// An alert with only a plain body is written as a string, which is the shortest form.
    mutating func write(_ alert: Alert?) {
        guard let alert else { return }
        if case .plain(let text) = alert.body, alert.title == nil, alert.launchImage == nil {
            write("alert", text)
            return
        }
        write("alert") { object in
            if case .plain(let text) = alert.title { object.write("title", text) }
            if case .plain(let text) = alert.subtitle { object.write("subtitle", text) }
            if case .plain(let text) = alert.body { object.write("body", text) }
            object.write("launch-image", alert.launchImage)
            object.write(localized: alert.title, key: "title-loc-key", arguments: "title-loc-args")
            object.write(localized: alert.subtitle, key: "subtitle-loc-key", arguments: "subtitle-loc-args")
            object.write(localized: alert.body, key: "loc-key", arguments: "loc-args")
        }
    }

    private mutating func write(localized text: AlertText?, key: String, arguments: String) {
        guard case .localized(let name, let values) = text else { return }
        write(key, name)
        write(arguments, strings: values)
    }
}
