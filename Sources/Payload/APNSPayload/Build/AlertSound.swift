/// The sound of an alert push: a file in the app or its `Library/Sounds`, at most 30 seconds long.
public enum AlertSound: Hashable, Sendable {
    /// The default sound.
    case standard
    case file(String)
    /// A sound that is played even while the device is muted. Needs an entitlement and the user's permission, otherwise
    /// it is an ordinary sound. Without a name it is the default sound.
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
