public import APNSModel

/// The payload for a website in Safari on macOS, with a website push id as topic.
///
/// Source: Apple, "Configuring Safari push notifications".
public struct WebsitePush: PushPayload {
    public static let pushType = PushType.alert

    public var title: String
    public var body: String
    /// The label of the button; nil for Safari's default.
    public var action: String?
    /// The arguments for the placeholders of the website's URL format.
    public var urlArguments: [String]

    public init(title: String, body: String, action: String? = nil, urlArguments: [String] = []) {
        (self.title, self.body, self.action, self.urlArguments) = (title, body, action, urlArguments)
    }

    public func encoded() -> [UInt8] {
        PayloadWriter.object { root in
            root.write("aps") { aps in
                aps.write("alert") { alert in
                    alert.write("title", title)
                    alert.write("body", body)
                    alert.write("action", action)
                }
                aps.write("url-args", .array(urlArguments.map { .string($0) }))
            }
        }
    }
}
