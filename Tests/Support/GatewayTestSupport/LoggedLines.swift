package import GatewayConfiguration
import Logging
import Synchronization

/// What a gateway has logged: a line for each message, with level and metadata.
package final class LoggedLines: Sendable {
    private let lines = Mutex<[String]>([])

    package init() {}

    package var all: [String] { lines.withLock { $0 } }

    fileprivate func add(_ line: String) { lines.withLock { $0.append(line) } }
}

extension GatewayConfiguration {
    package mutating func log(to lines: LoggedLines) {
        logger = Logger(label: "test") { _ in LineLogHandler(lines: lines) }
    }
}

private struct LineLogHandler: LogHandler {
    let lines: LoggedLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = (event.metadata ?? [:]).map { "\($0)=\($1)" }.sorted().joined(separator: " ")
        lines.add("\(event.level) \(event.message): \(pairs)")
    }
}
