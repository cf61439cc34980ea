import Dispatch
package import GatewayConfiguration
import GatewayCore
import GatewayJSON
package import Logging
import PayloadJSON
import Synchronization
import SystemFiles

/// Writes every judged notification, with its verdict, as one line of a file.
///
/// The file is rotated: at a certain size FILE becomes FILE.1, FILE.1 becomes FILE.2 and so on, and the last is removed. Where
/// another program renames or removes it, the record goes on in a new file.
///
/// It writes on a queue of its own. What the disk cannot take in time is left out and logged, so that recording never delays
/// a sender.
package final class Recorder: Sendable {
    private struct Waiting {
        var entries: [(world: WorldName, entry: JournalEntry)] = []
        var bytes = 0
        var isScheduled = false
        /// How many entries there was no memory for.
        var omitted = 0
    }

    /// @unchecked: `file` and `isFailing` are touched on `queue` only.
    private final class Owner: @unchecked Sendable {
        var file: RotatedFile
        var isFailing = false

        init(_ file: RotatedFile) { self.file = file }
    }

    private let waiting = Mutex(Waiting())
    private let owner: Owner
    private let queue = DispatchQueue(label: "apns.record")
    private let logger: Logger

    /// How much may wait for the disk.
    private static let maximumBytes = 64 << 20

    /// - Parameters:
    ///   - maximumBytes: The size at which a new file is begun.
    ///   - files: How many files are kept, at least 1.
    package init(
        path: String, maximumBytes: Int = .max, files: Int = 1, logger: Logger
    ) throws(GatewayError) {
        do throws(LineFile.Failure) {
            owner = Owner(try RotatedFile(path: path, maximumBytes: maximumBytes, files: files))
        } catch {
            throw GatewayError(.cannotWrite, error.description)
        }
        self.logger = logger
        if owner.file.repairedBytes > 0 {
            logger.notice(
                "\(path) ended in an incomplete line, which was removed: the previous run was killed.")
        }
    }

    func add(_ entry: JournalEntry, of world: WorldName) {
        guard entry.isRecorded else { return }
        let isNew = waiting.withLock { waiting in
            guard waiting.bytes <= Recorder.maximumBytes else {
                waiting.omitted += 1
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
    func flush() { queue.sync { write() } }

    private func write() {
        let (entries, omitted) = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return (waiting.entries, waiting.omitted)
        }
        if omitted > 0 {
            logger.error("\(owner.file.path) is written too slowly; \(omitted) notifications are not in it.")
        }
        guard !entries.isEmpty else { return }
        let lines = entries.map { world, entry in
            entry.json(withLife: false, world: world, keepsBytes: true).bytes + [UInt8(ascii: "\n")]
        }
        let replacements = owner.file.replacements
        defer {
            if owner.file.replacements > replacements {
                logger.notice(
                    "\(owner.file.path) was renamed or removed by another program; the record goes on in a new file.")
            }
        }
        do throws(LineFile.Failure) {
            try owner.file.append(lines)
            owner.isFailing = false
        } catch {
            if !owner.isFailing {
                logger.error("\(error). Notifications are not recorded until it can be written again.")
            }
            owner.isFailing = true
        }
    }
}

/// Records what one world judges.
struct WorldRecorder: Sendable {
    let recorder: Recorder
    let world: WorldName

    func add(_ entry: JournalEntry) { recorder.add(entry, of: world) }
}

extension JournalEntry {
    /// True for notifications and broadcasts, false for requests that manage channels.
    fileprivate var isRecorded: Bool { kind == .notification || kind == .broadcast }
}
