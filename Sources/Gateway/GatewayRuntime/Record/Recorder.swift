import Dispatch
package import GatewayConfiguration
package import GatewayCore
import GatewayJSON
package import Logging
import PayloadJSON
import Synchronization
import SystemFiles

/// Writes every notification that is judged, with its verdict, as a line of a file.
///
/// On a thread of its own. What the disk cannot take is left out and logged: a recording never holds up a sender.
package final class Recorder: Sendable {
    private struct Waiting {
        var entries: [(world: WorldName, entry: JournalEntry)] = []
        var bytes = 0
        var isScheduled = false
        var left = 0
    }

    /// @unchecked: `file` and `isFailing` are touched on `queue` only.
    private final class Owner: @unchecked Sendable {
        let file: LineFile
        var isFailing = false

        init(_ file: LineFile) { self.file = file }
    }

    private let waiting = Mutex(Waiting())
    private let owner: Owner
    private let queue = DispatchQueue(label: "apns.record")
    private let logger: Logger

    /// What may wait for the disk.
    private static let maximumBytes = 64 << 20

    package init(path: String, logger: Logger) throws(GatewayError) {
        do throws(LineFile.Failure) {
            owner = Owner(try LineFile(path: path))
        } catch {
            throw GatewayError(.cannotWrite, error.description)
        }
        self.logger = logger
        if owner.file.repairedBytes > 0 {
            logger.notice(
                "\(path) ended in the middle of a line, which was cut off: the run before did not end in order.")
        }
    }

    package func add(_ entry: JournalEntry, of world: WorldName) {
        guard entry.isRecorded else { return }
        let isNew = waiting.withLock { waiting in
            guard waiting.bytes <= Recorder.maximumBytes else {
                waiting.left += 1
                return false
            }
            waiting.entries.append((world, entry))
            waiting.bytes += entry.payload.count + 1024
            defer { waiting.isScheduled = true }
            return !waiting.isScheduled
        }
        if isNew { queue.async { self.write() } }
    }

    /// Returns when all lines so far are written.
    package func flush() { queue.sync { write() } }

    private func write() {
        let (entries, left) = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return (waiting.entries, waiting.left)
        }
        if left > 0 { logger.error("\(owner.file.path) is written too slowly; \(left) notifications are not in it.") }
        guard !entries.isEmpty else { return }
        var lines: [UInt8] = []
        for (world, entry) in entries {
            lines += entry.json(withLife: false, world: world, keepsBytes: true).bytes + [UInt8(ascii: "\n")]
        }
        do throws(LineFile.Failure) {
            try owner.file.append(lines)
            owner.isFailing = false
        } catch {
            if !owner.isFailing { logger.error("\(error). What is judged meanwhile is not recorded.") }
            owner.isFailing = true
        }
    }
}

/// Writes what one world judges.
package struct WorldRecorder: Sendable {
    package let recorder: Recorder
    package let world: WorldName

    package func add(_ entry: JournalEntry) { recorder.add(entry, of: world) }

    /// Returns when all lines so far are written.
    package func flush() { recorder.flush() }
}

extension JournalEntry {
    /// Notifications and broadcasts are; the management of channels is not.
    fileprivate var isRecorded: Bool { kind == .notification || kind == .broadcast }
}
