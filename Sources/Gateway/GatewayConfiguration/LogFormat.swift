/// How messages are logged.
package enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// For people.
    case text
    /// One JSON object a line.
    case json
}
