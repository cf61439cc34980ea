import APNSModel

/// What the control API answers.
enum ControlAnswer: Sendable {
    case json(status: Int, JSONText, location: String?)
    case text(String)
    /// A file of the inspector page.
    case page(PageFile)
    case noContent
    /// Server-sent events of all that happens.
    case events
    /// Server-sent events of what reaches one device.
    case deliveries(DeviceToken, APNSEnvironment, after: String?)

    static func ok(_ json: JSONText) -> ControlAnswer { .json(status: 200, json, location: nil) }
    static func created(_ json: JSONText, at location: String) -> ControlAnswer {
        .json(status: 201, json, location: location)
    }
}
