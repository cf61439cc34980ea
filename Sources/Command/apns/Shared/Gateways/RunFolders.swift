/// Where run files of gateways are.
enum RunFolders {
    /// The folders in which run files are looked for, the first being the one for new files: `apns-toolkit` in
    /// XDG_RUNTIME_DIR, and `apns-toolkit/run` in XDG_STATE_HOME, which is `~/.local/state` by default. Relative paths
    /// in variables do not count, as the XDG specification asks.
    ///
    /// - Parameter variable: The value of an environment variable; nil for an absent or empty one.
    static func all(_ variable: (String) -> String?) -> [String] {
        func absolute(_ name: String) -> String? {
            guard var path = variable(name), path.hasPrefix("/") else { return nil }
            while path.count > 1, path.hasSuffix("/") { path.removeLast() }
            return path
        }
        let state = absolute("XDG_STATE_HOME") ?? absolute("HOME").map { "\($0)/.local/state" }
        return [absolute("XDG_RUNTIME_DIR").map { "\($0)/apns-toolkit" }, state.map { "\($0)/apns-toolkit/run" }]
            .compactMap(\.self)
    }

    static var all: [String] { all(System.environment) }
}
