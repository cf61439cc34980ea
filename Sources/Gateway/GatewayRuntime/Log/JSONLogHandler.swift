import GatewayJSON
package import Logging
import PayloadJSON
import Synchronization
import SystemFiles

/// Writes log messages to stderr, each as one line with a JSON object: `time`, `level`, `label`, `message`, and the metadata
/// by name.
package struct JSONLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    private let label: String
    private let write: @Sendable ([UInt8]) -> Void

    /// One line is written at a time.
    private static let lock = Mutex(())

    /// - Parameter write: Gets each line with its line feed.
    package init(label: String, write: @escaping @Sendable ([UInt8]) -> Void = JSONLogHandler.writeToStandardError) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        write(
            JSONLogHandler.line(
                event.level.rawValue, label: label, "\(event.message)", at: WallClock.milliseconds,
                metadata.merging(event.metadata ?? [:]) { $1 }))
    }

    /// A line with its line feed. Metadata with the name of another member is left out.
    package static func line(
        _ level: String, label: String, _ message: String, at time: Int64, _ metadata: Logger.Metadata = [:]
    ) -> [UInt8] {
        JSONText.object { object in
            object.add("time", time: time)
            object.add("level", level)
            object.add("label", label)
            object.add("message", message)
            for (name, value) in metadata.sorted(by: { $0.key < $1.key })
            where !["time", "level", "label", "message"].contains(name) {
                object.add(name: name, json: Array(JSONWriter.quoted("\(value)").utf8))
            }
        }.bytes + [UInt8(ascii: "\n")]
    }

    /// What cannot be written is lost, as with any log on stderr.
    package static func writeToStandardError(_ line: [UInt8]) {
        lock.withLock { _ in
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { SystemCall.write(2, $0.baseAddress, $0.count) }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }
}
