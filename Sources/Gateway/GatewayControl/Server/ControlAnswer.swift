import APNSModel
import GatewayCore
import GatewayRuntime
import PayloadJSON

/// An answer of the control API.
enum ControlAnswer: Sendable {
    case json(status: Int, JSONText, location: String?)
    case text(String)
    /// A file of the inspector page.
    case page(PageFile)
    case noContent
    /// Server-sent events of everything that happens.
    case events(LiveWorld, after: String?)
    /// Server-sent events of deliveries to one device.
    case deliveries(LiveWorld, DeviceToken, APNSEnvironment, after: String?)
    /// Whether the journal has what is expected, within this many milliseconds; nil does not wait.
    case verification(LiveWorld, JournalExpectation, within: Int64?)
    /// Creates a world. Opening its port takes time.
    case newWorld(ControlAPI.NewWorld)
    case removedWorld(WorldName)
    case removedWorlds([WorldName])

    /// Whether it continues until the client disconnects.
    var isStream: Bool {
        switch self {
        case .events, .deliveries: true
        case .json, .text, .page, .noContent, .verification, .newWorld, .removedWorld,
            .removedWorlds:
            false
        }
    }

    /// Whether it changes nothing, whatever the method of its request.
    var isReadOnly: Bool {
        if case .verification = self { true } else { false }
    }

    static func ok(_ json: JSONText) -> ControlAnswer { .json(status: 200, json, location: nil) }
    static func created(_ json: JSONText, at location: String) -> ControlAnswer {
        .json(status: 201, json, location: location)
    }
}
