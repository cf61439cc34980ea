import APNSModel
import ArgumentParser
import PayloadGuide

/// `apns token device`: what a pasted device token is.
struct TokenDeviceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Says what a pasted device token is, and prints it in hexadecimal digits.",
        discussion: """
            It recognizes hexadecimal digits, also with separators and quotation marks, base64, the description of a Data value \
            (<…> with spaces), registration tokens of Firebase and Expo, web push subscriptions, UUIDs and provider tokens. A \
            device token is printed on stdout, what the text is on stderr. The environment of a device token cannot be seen in \
            it.

            EXAMPLES
              apns token device 'APwTrf94USK0rSiAmjQgmCNBJBQhNICXh45XfJkd6PA='
              apns token device 'ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]'
              pbpaste | apns token device - --json

            EXIT STATUS: 0 it is a device token, or shows one in another form; 1 it is something else; 2 standard input cannot be \
            read; 64 bad arguments. No environment variable is read.
            """)

    @Argument(help: ArgumentHelp("The text; - reads it from standard input.", valueName: "text"))
    var text: [String]

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Far more than a web push subscription has.
    private static let maximumBytes = 64 << 10

    func run() throws {
        let pasted = PastedDeviceToken(text == ["-"] ? try standardInput() : text.joined(separator: " "))
        if json {
            Output.standard.result(pasted.json)
        } else {
            if let deviceToken = pasted.deviceToken { Output.standard.result(deviceToken.hex) }
            Output.standard.note(pasted.sentence)
        }
        try Output.standard.finish()
        try (pasted.deviceToken == nil ? ExitStatus.no : .done).end()
    }

    private func standardInput() throws(CommandError) -> String {
        let bytes = try CommandError.rethrowing { () throws(FileError) in
            try InputFile.bytes(of: "-", limit: TokenDeviceCommand.maximumBytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
