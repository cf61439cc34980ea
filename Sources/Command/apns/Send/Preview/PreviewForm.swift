/// How `apns send` shows what it would send.
enum PreviewForm: Hashable, Sendable {
    /// Request line, header fields and body, for people.
    case text
    /// An envelope with findings, one a line.
    case json
    /// A command line of curl that sends the same.
    case curl
}
