import APNSModel
import APNSProvider
import PayloadJSON
import Synchronization
import SystemFiles

/// The journal of `apns send --journal`, with which the same command can continue after a crash.
///
/// It is a file that lines are only appended to. The first line identifies the batch. Each notification then has a line
/// before it is passed to the provider, and one when its outcome is known. The first one is on disk before the notification
/// is sent. The second one is written at once, and synced ten times a second and at the end. So after a crash a notification
/// that was sent never counts as not sent.
final class SendJournal: Sendable {
    /// What the journal says about a notification.
    enum Mark: UInt8, Sendable {
        case nothing, open, unsent, unknown, refused, accepted

        /// Whether it must not be sent again.
        var isFinal: Bool { self == .accepted || self == .refused }
        /// Whether it may have been delivered.
        var isDoubtful: Bool { self == .open || self == .unknown }
    }

    fileprivate struct State {
        var marks: [Mark] = []
        /// The ids of notifications without a final outcome.
        var ids: [Int: NotificationID] = [:]
        var isDirty = false
        var failure: String?
    }

    private let file: Mutex<LineFile>
    private let path: String
    private let state: Mutex<State>
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
            let file = try LineFile(path: path)
            repairedBytes = file.repairedBytes
            try file.forEachLine { reading.take($0) }
            if reading.lineCount == 0 {
                let line =
                    "{\"journal\":\"apns send\",\"version\":1,\"batch\":\"\(batch)\",\"gateway\":"
                    + JSONWriter.quoted(gateway) + "}\n"
                try file.append(Array(line.utf8))
                try file.sync()
            }
            self.file = Mutex(file)
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
        state = Mutex(State(marks: reading.marks, ids: reading.ids))
    }

    func mark(_ number: Int) -> Mark { state.withLock { number < $0.marks.count ? $0.marks[number] : .nothing } }

    /// The id of a notification in an earlier run; nil where it had none.
    func id(_ number: Int) -> NotificationID? { state.withLock { $0.ids[number] } }

    /// Records that these are about to be sent. They are on disk when this returns.
    func begin(_ notifications: [(number: Int, id: NotificationID)]) throws(FileError) {
        guard !notifications.isEmpty else { return }
        var lines = ""
        for (number, id) in notifications { lines += "{\"n\":\(number),\"apns-id\":\"\(id.text)\"}\n" }
        try write(lines, synced: true)
        state.withLock { state in
            for (number, id) in notifications {
                state.set(number, .open)
                state.ids[number] = id
            }
        }
    }

    /// Records an outcome.
    func end(_ number: Int, _ outcome: APNSOutcome) {
        let mark = Mark(outcome)
        let detail =
            switch outcome {
            case .refused(let refusal):
                ",\"status\":\(refusal.reason.status),\"reason\":\(JSONWriter.quoted(refusal.reason.code))"
            case .accepted, .unsent, .unknown: ""
            }
        do throws(FileError) {
            try write("{\"n\":\(number),\"outcome\":\"\(outcome.name)\"\(detail)}\n", synced: false)
        } catch {
            state.withLock { $0.failure = $0.failure ?? error.description }
        }
        state.withLock { state in
            state.set(number, mark)
            if mark.isFinal { state.ids[number] = nil }
            state.isDirty = true
        }
    }

    /// Syncs recorded outcomes to the disk.
    func sync() {
        let isDirty = state.withLock { state in
            defer { state.isDirty = false }
            return state.isDirty
        }
        guard isDirty else { return }
        do throws(LineFile.Failure) {
            try file.withLock { (file) throws(LineFile.Failure) in try file.sync() }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error.description }
        }
    }

    /// Why outcomes could not be recorded; nil where all were.
    var failure: String? { state.withLock { $0.failure } }

    private func write(_ lines: String, synced: Bool) throws(FileError) {
        do throws(LineFile.Failure) {
            try file.withLock { (file) throws(LineFile.Failure) in
                try file.append(Array(lines.utf8))
                if synced { try file.sync() }
            }
        } catch {
            throw FileError(path, .written, detail: error.description)
        }
    }
}

extension SendJournal.State {
    fileprivate mutating func set(_ number: Int, _ mark: SendJournal.Mark) {
        while marks.count <= number { marks.append(.nothing) }
        marks[number] = mark
    }
}

extension SendJournal.Mark {
    fileprivate init(_ outcome: APNSOutcome) {
        switch outcome {
        case .accepted: self = .accepted
        case .refused: self = .refused
        case .unsent: self = .unsent
        case .unknown: self = .unknown
        }
    }

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
                guard document.number("version") == 1 else {
                    return refuse(
                        "was written by a newer version of this command; use that version, or another journal")
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
