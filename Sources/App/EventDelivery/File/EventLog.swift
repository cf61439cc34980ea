import Foundation

/// An open log: which events it has, and where.
final class EventLog {
    private struct Place {
        let offset: Int64
        /// Of the whole record.
        let length: Int
        /// The event's part of the record.
        let bytes: Int
    }

    /// The file is rewritten when it has more unused bytes than this and than bytes in use.
    static let maximumUnused: Int64 = 64 << 10
    private static let chunkBytes = 64 << 10

    private let path: String
    private var file: LogFile
    private var places: [Int64: Place] = [:]
    private(set) var state: [UInt8]?
    /// Where the next record starts.
    private var end = Int64(LogHeader.bytes)
    private var liveBytes: Int64 = 0
    /// An interrupted write may have left bytes after the end.
    private var mustTruncate = false
    /// A removal asked for erasure, and the file was not rewritten since.
    private var mustErase = false
    /// Damage was repaired, and no state was stored since.
    private var recovered: LogRecord.Operation?
    /// No rewriting is tried in a smaller file, because the last one failed.
    private var rewriteAfter: Int64 = 0
    var synchronizesCommits = false

    private init(_ path: String, _ file: LogFile) {
        self.path = path
        self.file = file
    }

    // Opening.

    /// - Parameter waits: Whether to wait a moment for a process that is ending and still has the file open.
    static func open(_ path: String, waits: Bool = false) throws -> EventLog {
        let log = EventLog(path, try openFile(path, waits: waits))
        let size = try log.file.size()
        let start = try log.file.read(LogHeader.bytes, at: 0)
        let header = LogHeader.read(start)
        switch header {
        case .newer:
            throw EventStoreError(
                code: .newerVersion, file: path,
                detail: "was created by a later version; update the app or use another file")
        case .cutOff where size <= LogHeader.bytes:
            try log.file.truncate(to: 0)
            try log.file.write(LogHeader.current, at: 0)
            // A loss of power must not leave a file without a header.
            try log.file.synchronize()
            LogFile.synchronizeFolder(of: path)
        case .good, .similar, .foreign, .cutOff:
            var scan = LogScan(log.file, size: size, from: Int64(min(size, Int64(LogHeader.bytes))))
            while let found = try scan.next() { log.take(found) }
            if header == .good, !scan.isDamaged {
                log.end = scan.end
                if scan.end < size { try log.file.truncate(to: scan.end) }
                if log.mustErase { try? log.eraseRemoved() }
                return log
            }
            guard header != .foreign || scan.end > LogHeader.bytes else {
                throw EventStoreError(
                    code: .foreign, file: path, detail: "is a file of another application; use another path")
            }
            let aside = nextAside(of: path)
            log.recovered = .recovered(
                name: URL(fileURLWithPath: aside).lastPathComponent, events: Int64(log.places.count),
                lostBytes: Int64(scan.lostBytes))
            try log.rewrite { try replace(path, path + "-new", settingAside: aside) }
            for old in asides(of: path).dropLast(3) { LogFile.remove(old) }
        }
        return log
    }

    /// Opens and locks the file, creates it, or finishes a replacement that was interrupted.
    private static func openFile(_ path: String, waits: Bool) throws -> LogFile {
        let fresh = path + "-new"
        // Another process can change the names between two calls, but each time one of them gets further.
        for _ in 0..<100 {
            if let file = try LogFile(path, isNew: false, waits: waits) {
                // A rewriting was interrupted, so this one may not be complete. Nobody else writes it, because this process
                // has the lock.
                LogFile.remove(fresh)
                return file
            }
            if let complete = try LogFile(fresh, isNew: false, waits: waits) {
                // The old file is already set aside, and the process that did that has ended.
                if !LogFile.exists(path) { try LogFile.move(fresh, to: path) }
                withExtendedLifetime(complete) {}
            } else if let file = try LogFile(path, isNew: true) {
                return file
            }
        }
        throw LogFile.busy(path)
    }

    private static func replace(_ path: String, _ fresh: String, settingAside aside: String) throws {
        do {
            // A second name, so that there is a file of the first name at any time.
            try LogFile.link(path, to: aside)
        } catch {
            // Some file systems have no second names.
            try LogFile.move(path, to: aside)
        }
        try LogFile.move(fresh, to: path)
    }

    private func take(_ found: LogScan.Found) {
        let count = found.operations.reduce(0) { if case .append = $1 { $0 + 1 } else { $0 } }
        for operation in found.operations {
            switch operation {
            case .append(let event):
                let place = Place(offset: found.offset, length: found.length, bytes: found.length / count)
                add(event.sequence, place)
            case .remove(let range): remove(range)
            case .state(let state):
                self.state = state
                recovered = nil
            case .recovered: recovered = operation
            case .erase: mustErase = true
            }
        }
    }

    /// How damage was repaired, until a state is stored.
    var recovery: StoreRecovery? {
        guard case .recovered(let name, let events, let lostBytes) = recovered else { return nil }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        return StoreRecovery(
            setAside: folder.appendingPathComponent(name).path, events: Int(clamping: events),
            lostBytes: Int(clamping: lostBytes))
    }

    private func add(_ sequence: Int64, _ place: Place) {
        if let old = places.updateValue(place, forKey: sequence) { liveBytes -= Int64(old.bytes) }
        liveBytes += Int64(place.bytes)
    }

    private func remove(_ range: ClosedRange<Int64>) {
        // A damaged range may be much wider than the sequences that the log has.
        let sequences =
            range.upperBound - range.lowerBound < places.count ? Array(range) : places.keys.filter(range.contains)
        for sequence in sequences {
            if let place = places.removeValue(forKey: sequence) { liveBytes -= Int64(place.bytes) }
        }
    }

    // Reading.

    /// All events in the order of their sequences.
    func events(_ take: (StoredEvent) -> Void) throws {
        var scan = LogScan(file, size: end, from: Int64(LogHeader.bytes))
        while let found = try scan.next() {
            for case .append(let event) in found.operations where places[event.sequence]?.offset == found.offset {
                take(event)
            }
        }
    }

    func events(_ sequences: [Int64]) throws -> [StoredEvent] {
        var events: [StoredEvent] = []
        events.reserveCapacity(sequences.count)
        var record = ReadRecord()
        for sequence in sequences {
            if let event = try event(sequence, &record) { events.append(event) }
        }
        return events
    }

    /// The record that was read last: the next event is often in it too.
    private struct ReadRecord {
        var offset: Int64 = -1
        var events: [Int64: StoredEvent] = [:]
    }

    private func event(_ sequence: Int64, _ record: inout ReadRecord) throws -> StoredEvent? {
        guard let place = places[sequence] else { return nil }
        if record.offset != place.offset {
            let bytes = try file.read(place.length, at: place.offset)
            record = ReadRecord(offset: place.offset)
            for case .append(let event) in LogRecord.decode(bytes[...]) ?? [] { record.events[event.sequence] = event }
        }
        return record.events[sequence]
    }

    // Writing.

    func commit(_ changes: StoreChanges) throws {
        let record = LogRecord.encode(changes)
        guard record.count <= LogRecord.maximumPayload else {
            throw EventStoreError(code: .unusable, file: path, detail: "cannot hold so much in one commit")
        }
        if mustTruncate {
            try file.truncate(to: end)
            mustTruncate = false
        }
        do {
            try file.write(record, at: end)
            if synchronizesCommits { try file.synchronize() }
        } catch {
            mustTruncate = true
            if (try? file.truncate(to: end)) != nil { mustTruncate = false }
            throw error
        }
        for event in changes.append {
            add(
                event.sequence,
                Place(offset: end, length: record.count, bytes: record.count / changes.append.count))
        }
        for range in LogRecord.ranges(changes.remove) { remove(range) }
        if let state = changes.state {
            self.state = state
            recovered = nil
        }
        end += Int64(record.count)
        mustErase = mustErase || changes.erases
        let unused = end - Int64(LogHeader.bytes) - liveBytes
        guard changes.erases || unused > max(EventLog.maximumUnused, liveBytes) && end > rewriteAfter else { return }
        do {
            try eraseRemoved()
        } catch {
            // The commit itself is stored. A full disk is likely to stay full for a while. `synchronize` and the next
            // opening try again what must be erased.
            rewriteAfter = end * 2
        }
    }

    func synchronize() throws {
        if mustErase { try eraseRemoved() }
        try file.synchronize()
    }

    private func eraseRemoved() throws {
        try rewrite { try LogFile.move(path + "-new", to: path) }
        rewriteAfter = 0
    }

    /// Writes a new file with what is in use, and continues with it.
    ///
    /// - Parameter rename: Gives the new file its name, in one step.
    private func rewrite(_ rename: () throws -> Void) throws {
        let path = path + "-new"
        LogFile.remove(path)
        guard let fresh = try LogFile(path, isNew: true) else {
            throw EventStoreError(code: .io, file: path, detail: "cannot be created; remove it")
        }
        var isNamed = false
        defer { if !isNamed { LogFile.remove(path) } }
        var places: [Int64: Place] = [:]
        places.reserveCapacity(self.places.count)
        var live: Int64 = 0
        var written: Int64 = 0
        var buffer = LogHeader.current
        let first = (state.map { [.state($0)] } ?? []) + (recovered.map { [$0] } ?? [])
        if !first.isEmpty { buffer += LogRecord.encode(first) }
        var read = ReadRecord()
        for sequence in self.places.keys.sorted() {
            // An event that cannot be read is left out; the queue reports it when it asks for it.
            guard let event = try event(sequence, &read) else { continue }
            let record = LogRecord.encode([.append(event)])
            places[sequence] = Place(
                offset: written + Int64(buffer.count), length: record.count, bytes: record.count)
            live += Int64(record.count)
            buffer += record
            if buffer.count >= EventLog.chunkBytes {
                try fresh.write(buffer, at: written)
                written += Int64(buffer.count)
                buffer.removeAll(keepingCapacity: true)
            }
        }
        try fresh.write(buffer, at: written)
        try fresh.synchronize()
        try rename()
        isNamed = true
        LogFile.synchronizeFolder(of: self.path)
        file = fresh
        self.places = places
        liveBytes = live
        end = written + Int64(buffer.count)
        mustTruncate = false
        mustErase = false
    }
}
