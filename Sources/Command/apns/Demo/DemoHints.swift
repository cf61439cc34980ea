/// What to try after the demo. Each line can be pasted in the folder in which the demo was run.
enum DemoHints {
    /// - Parameters:
    ///   - command: How the user calls the command.
    ///   - samples: A folder of payloads; nil where there is none to name.
    static func lines(command: String, samples: String?) -> [String] {
        var hints = [
            ("gateway", "a gateway for the tests of your back end, with lines to paste"),
            ("send --gateway local --token ab12 --alert Hello", "send to that gateway, from any folder"),
        ]
        if let samples { hints.append(("validate \(ShellText.word(samples))", "check payloads, as in CI")) }
        hints += [
            ("rules", "what is checked"), ("device", "a device that shows what arrives at that gateway"),
            ("org --gateway local", "the CRM, with records to edit"),
        ]
        let width = hints.map(\.0.count).max() ?? 0
        return hints.map { arguments, what in
            "\(command) \(arguments)\(String(repeating: " ", count: width - arguments.count))  \(what)"
        }
    }

    /// The sample payloads of the checkout: below the current folder, or beside the script that was called, such as
    /// `/home/ada/apns-toolkit/tools/apns`.
    ///
    /// - Parameters:
    ///   - command: The path of the script; nil where the command was called in another way.
    ///   - exists: Whether there is something at a path.
    static func samples(command: String?, exists: (String) -> Bool) -> String? {
        let folder = "payloads/pass"
        var places = [folder]
        if let command, let slash = command.lastIndex(of: "/") {
            let script = command[..<slash]
            places.append(
                script.hasSuffix("/tools") ? "\(script.dropLast("/tools".count))/\(folder)" : "\(script)/../\(folder)")
        }
        return places.first(where: exists)
    }
}
