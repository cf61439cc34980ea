/// The sound of an alert push: a file in the app or its `Library/Sounds`, at most 30 seconds long.
public enum AlertSound: Hashable, Sendable {
    /// The sound of the system.
    case standard
    case file(String)
    /// Heard although the device is muted. It needs an entitlement and the user's permission, and is an ordinary sound
    /// without them. No name is the sound of the system.
    case critical(String? = nil, volume: UnitFraction? = nil)
}

extension PayloadWriter {
    mutating func write(_ sound: AlertSound?) {
        switch sound {
        case .standard: write("sound", "default")
        case .file(let name): write("sound", name)
        case .critical(let name, let volume):
            write("sound") { object in
                object.write("critical", flag: true)
                object.write("name", name ?? "default")
                object.write("volume", volume?.json)
            }
        case nil: break
        }
    }
}
