import ArgumentParser

/// The options that a payload is made from, each for one key of it.
struct ContentOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The text of an alert, instead of a payload.", valueName: "text"))
    var alert: String?

    @Option(help: ArgumentHelp("The title of an alert.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("The second line of an alert, under its title.", valueName: "text"))
    var subtitle: String?

    @Option(help: ArgumentHelp("The text of an alert, like --alert.", valueName: "text"))
    var body: String?

    @Option(help: ArgumentHelp("The sound of an alert: default, or a file of the app.", valueName: "name"))
    var sound: String?

    @Option(
        help: ArgumentHelp("The number on the app's icon; 0 removes it.", valueName: "number"),
        transform: ContentOptions.readBadge)
    var badge: UInt32?

    @Option(
        name: .customLong("thread-id"),
        help: ArgumentHelp("Notifications with the same id are shown as a group.", valueName: "id"))
    var threadID: String?

    @Option(help: ArgumentHelp("A category of the app, which decides the buttons of an alert.", valueName: "name"))
    var category: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            #"A key of the app's own, with a value in JSON, such as --custom 'order="A7"'; may be repeated."#,
            valueName: "key=json"))
    var custom: [String] = []

    private static func readBadge(_ text: String) throws -> UInt32 {
        guard let badge = UInt32(text) else { throw ValidationError("it must be a whole number from 0") }
        return badge
    }

    /// - Returns: Nil where none of the options was given.
    /// - Throws: `ValidationError` about options that do not belong together.
    func content() throws -> ContentArguments? {
        let content = ContentArguments(
            alert: alert, title: title, subtitle: subtitle, body: body, sound: sound, badge: badge, threadID: threadID,
            category: category, custom: try CustomArguments.read(custom))
        guard content != ContentArguments() else { return nil }
        try content.check()
        return content
    }
}
