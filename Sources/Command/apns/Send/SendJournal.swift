import APNSModel
import APNSProvider
import PayloadJSON
import Synchronization
import SystemFiles

/// The journal of `apns send --journal`, with which the same command can continue after a crash.
///
/// It is a file that lines are only appended to. The first line identifies the batch. Each notification then has a line
/// before it is passed to the provider, and one when its outcome is known. The first one is on disk before the notification
/// is sent. The second one is written before the result is printed, and synced ten times a second and at the end. So after a
/// crash a notification that was sent never counts as not sent, and one with a printed result has its outcome.
///
/// Lines are written for many notifications at once, in a single write.
final class SendJournal: Sendable {
    /// What the journal says about a notification.
    enum Mark: UInt8, Sendable {
        case nothing, open, unsent, unknown, refused, accepted

        /// Whether it must not be sent again.
        var isFinal: Bool { self == .accepted || self == .refused }
        /// Whether it may have been delivered.
        var isDoubtful: Bool { self == .open || self == .unknown }
    }

    private struct State: ~Copyable {
        let file: LineFile
        /// The lines of one write.
        var lines = TextBuffer()
        var isDirty = false
        var failure: String?
        /// How many notifications this run has begun whose outcome is not recorded.
        var openCount = 0
        /// Whether nothing more is written.
        var isClosed = false

        /// Appends the lines of notifications that begin, and syncs them to the disk.
        mutating func begin(_ count: Int) throws(LineFile.Failure) {
            try file.append(lines.bytes)
            do throws(LineFile.Failure) {
                try file.sync()
            } catch {
                // They are not sent, so they must not count as begun.
                file.removeLast(lines.bytes.count)
                throw error
            }
            openCount += count
        }
    }

    /// The form of the file. 1 identified the batch by another hash.
    private static let version = 2

    /// How the first line begins.
    private static let head = #"{"journal":"apns send","#

    private let path: String
    private let state: Mutex<State>
    /// What earlier runs left: the marks by number, and the ids of notifications without a final outcome.
    private let pastMarks: [Mark]
    private let pastIDs: [Int: NotificationID]
    private let generator = Mutex(SeededGenerator(seed: .random(in: .min ... .max)))
    /// How many bytes of an incomplete last line were removed.
    let repairedBytes: Int

    /// Opens a journal, or creates one.
    ///
    /// - Parameters:
    ///   - batch: The fingerprint of the batch.
    ///   - gateway: The destination.
    init(path: String, batch: String, gateway: String) throws(CommandError) {
        self.path = path
        var reading = Reading(path: path)
        do throws(LineFile.Failure) {
            let file = try LineFile(path: path, head: SendJournal.head)
            guard file.size != nil else {
                throw LineFile.Failure(
                    description: "\(path) is not a regular file, which the next run can read; name a file")
            }
            repairedBytes = file.repairedBytes
            try file.forEachLine { reading.take($0) }
            if reading.lineCount == 0 {
                let line =
                    SendJournal.head + "\"version\":\(SendJournal.version),\"batch\":\"\(batch)\",\"gateway\":"
                    + JSONWriter.quoted(gateway) + "}\n"
                try file.append(Array(line.utf8))
                try file.sync()
            }
            state = Mutex(State(file: file))
        } catch {
            throw CommandError("the journal \(error)")
        }
        if let fault = reading.fault { throw CommandError(fault) }
        if let known = reading.gateway, known != gateway {
            throw CommandError(
                "the journal \(path) is for the gateway \(known), and this is \(gateway); use another journal")
        }
        if let known = reading.batch, known != batch {
            throw CommandError(
                "the journal \(path) is of another batch: the input or the options have changed since; name another "
                    + "journal, or give the input that it belongs to")
        }
        pastMarks = reading.marks
        pastIDs = reading.ids
    }

    /// What earlier runs left about the notification with this number; its id is nil where it had none or has a final outcome.
    func past(_ number: Int) -> (mark: Mark, id: NotificationID?) {
        guard number < pastMarks.count else { return (.nothing, nil) }
        return (pastMarks[number], pastIDs[number])
    }

    /// A new random id.
    func newID() -> NotificationID { generator.withLock { NotificationID(using: &$0) } }

    /// Records that these are about to be sent. They are on disk when this returns.
    func begin(_ notifications: [APNSNotification], _ tags: [TagRing.Tag]) throws(FileError) {
        guard !notifications.isEmpty else { return }
        do throws(LineFile.Failure) {
            try state.withLock { (state) throws(LineFile.Failure) in
                guard !state.isClosed else { throw SendJournal.closed }
                state.lines.removeAll()
                var count = 0
                // Iterating over the notifications would copy each.
                for index in notifications.indices {
                    guard let id = notifications[index].id else { continue }
                    state.lines.appendStart(tags[index].number, id)
                    count += 1
                }
                try state.begin(count)
            }
        } catch {
            throw FileError(path, error)
        }
    }

    /// The same for single ones.
    func begin(_ ids: [(number: Int, id: NotificationID)]) throws(FileError) {
        do throws(LineFile.Failure) {
            try state.withLock { (state) throws(LineFile.Failure) in
                guard !state.isClosed else { throw SendJournal.closed }
                state.lines.removeAll()
                for (number, id) in ids { state.lines.appendStart(number, id) }
                try state.begin(ids.count)
            }
        } catch {
            throw FileError(path, error)
        }
    }

    /// Records outcomes, in one write.
    func end(_ outcomes: some Sequence<(number: Int, outcome: APNSOutcome)>) {
        state.withLock { state in
            guard !state.isClosed else { return }
            state.lines.removeAll()
            var count = 0
            for (number, outcome) in outcomes {
                count += 1
                state.lines.append(#"{"n":"#)
                state.lines.append(number)
                state.lines.append(#","outcome":""#)
                state.lines.append(string: outcome.name)
                guard case .refused(let refusal) = outcome else {
                    state.lines.append("\"}\n")
                    continue
                }
                state.lines.append(#"","status":"#)
                state.lines.append(refusal.reason.status)
                state.lines.append(#","reason":"#)
                state.lines.appendJSON(refusal.reason.code)
                state.lines.append("}\n")
            }
            guard state.lines.count > 0 else { return }
            do throws(LineFile.Failure) {
                try state.file.append(state.lines.bytes)
                state.openCount -= count
                state.isDirty = true
            } catch {
                state.failure = state.failure ?? error.description
            }
        }
    }

    /// Syncs recorded outcomes to the disk.
    func sync() {
        state.withLock { state in
            guard state.isDirty else { return }
            state.isDirty = false
            do throws(LineFile.Failure) {
                try state.file.sync()
            } catch {
                state.failure = state.failure ?? error.description
            }
        }
    }

    /// Writes nothing more: what begins after this fails, and outcomes are not recorded.
    ///
    /// - Returns: How many notifications of this run have no outcome here. The next run counts them as unknown.
    func close() -> Int {
        state.withLock { state in
            state.isClosed = true
            return state.openCount
        }
    }

    private static let closed = LineFile.Failure(description: "the journal is closed, because the run ends")

    /// Why outcomes could not be recorded; nil where all were.
    var failure: String? { state.withLock { $0.failure } }
}

extension TextBuffer {
    /// The line of one that is about to be sent.
    fileprivate mutating func appendStart(_ number: Int, _ id: NotificationID) {
        append(#"{"n":"#)
        append(number)
        append(#","apns-id":""#)
        append(string: id.text)
        append("\"}\n")
    }
}

extension SendJournal.Mark {
    fileprivate init?(word: String) {
        switch word {
        case "accepted": self = .accepted
        case "refused": self = .refused
        case "unsent": self = .unsent
        case "unknown": self = .unknown
        default: return nil
        }
    }
}

extension SendJournal {
    /// Reads the lines of a journal.
    private struct Reading {
        let path: String
        var marks: [Mark] = []
        var ids: [Int: NotificationID] = [:]
        var batch: String?
        var gateway: String?
        var lineCount = 0
        var fault: String?
        private var reader = JSONReader()

        /// The highest number that is accepted; no batch has more notifications.
        private static let maximumNumber = 100_000_000

        init(path: String) { self.path = path }

        mutating func take(_ line: ArraySlice<UInt8>) {
            lineCount += 1
            guard fault == nil else { return }
            do throws(JSONSyntaxError) {
                try reader.parse(Array(line))
            } catch {
                return refuse("is not JSON")
            }
            let document = reader.document
            guard document.kind(of: .root) == .object else { return refuse("is not an object") }
            if lineCount == 1 {
                guard document.text("journal") == "apns send" else {
                    return refuse("is not the first line of a journal of apns send")
                }
                let version = document.number("version")
                guard version == SendJournal.version else {
                    let age = version == 1 ? "an older" : "a newer"
                    fault =
                        "the journal \(path) was written by \(age) version of this command; use that version, or "
                        + "another journal"
                    return
                }
                batch = document.text("batch")
                gateway = document.text("gateway")
                return
            }
            guard let number = document.number("n"), (0..<Reading.maximumNumber).contains(number) else {
                return refuse("does not have the number of a notification")
            }
            while marks.count <= number { marks.append(.nothing) }
            if let id = document.text("apns-id").flatMap({ NotificationID($0) }) {
                ids[number] = id
                marks[number] = .open
            } else if let mark = document.text("outcome").flatMap({ Mark(word: $0) }) {
                marks[number] = mark
                if mark.isFinal { ids[number] = nil }
            } else {
                refuse("has neither an apns-id nor an outcome")
            }
        }

        private mutating func refuse(_ what: String) {
            fault = "the journal \(path):\(lineCount): the line \(what); use another journal, or remove the line"
        }
    }
}

extension JSONDocument {
    fileprivate func text(_ key: StaticString) -> String? {
        member(key, of: .root).flatMap { string(of: $0) }
    }

    fileprivate func number(_ key: StaticString) -> Int? {
        member(key, of: .root).flatMap { integer(of: $0) }.map { Int($0) }
    }
}
