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
    /// A removal asked for it and the rewriting failed.
    private var mustErase = false
    /// No rewriting is tried in a smaller file, because the last one failed.
    private var rewriteAfter: Int64 = 0
    var synchronizesCommits = false

    private init(_ path: String, _ file: LogFile) {
        self.path = path
        self.file = file
    }

    // Opening.

    static func open(_ path: String) throws -> (EventLog, StoreRecovery?) {
        let fresh = path + "-new"
        if LogFile.exists(path) {
            // A rewriting was interrupted, so this one may not be complete.
            LogFile.remove(fresh)
        } else if LogFile.exists(fresh) {
            // The old file is already set aside, so this one is complete.
            try LogFile.move(fresh, to: path)
        }
        let log = EventLog(path, try LogFile(path))
        let size = try log.file.size()
        let header = LogHeader.read(try log.file.read(LogHeader.bytes, at: 0))
        switch header {
        case .newer:
            throw EventStoreError(
                code: .newerVersion, file: path,
                detail: "was created by a later version; update the app or use another file")
        case .cutOff:
            try log.file.truncate(to: 0)
            try log.file.write(LogHeader.current, at: 0)
            return (log, nil)
        case .good, .similar, .foreign:
            var scan = LogScan(log.file, size: size, from: Int64(min(size, Int64(LogHeader.bytes))))
            while let found = try scan.next() { log.take(found) }
            if header == .good, !scan.isDamaged {
                log.end = scan.end
                if scan.end < size { try log.file.truncate(to: scan.end) }
                return (log, nil)
            }
            guard header != .foreign || scan.end > LogHeader.bytes else {
                throw EventStoreError(
                    code: .foreign, file: path, detail: "is a file of another application; use another path")
            }
            let aside = nextAside(of: path)
            try log.rewrite { try replace(path, fresh, settingAside: aside) }
            for old in asides(of: path).dropLast(3) { LogFile.remove(old) }
            return (log, StoreRecovery(setAside: aside, events: log.places.count, lostBytes: scan.lostBytes))
        }
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
            case .state(let state): self.state = state
            }
        }
    }

    private func add(_ sequence: Int64, _ place: Place) {
        if let old = places.updateValue(place, forKey: sequence) { liveBytes -= Int64(old.bytes) }
        liveBytes += Int64(place.bytes)
    }

    private func remove(_ range: ClosedRange<Int64>) {
        // A damaged range may be larger than everything there is.
        let sequences = range.count <= places.count ? Array(range) : places.keys.filter(range.contains)
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
        if let state = changes.state { self.state = state }
        end += Int64(record.count)
        mustErase = mustErase || changes.erases
        rewriteIfNeeded()
    }

    func synchronize() throws { try file.synchronize() }

    private func rewriteIfNeeded() {
        let unused = end - Int64(LogHeader.bytes) - liveBytes
        guard mustErase || unused > max(EventLog.maximumUnused, liveBytes) && end > rewriteAfter else { return }
        do {
            let fresh = path + "-new"
            try rewrite { try LogFile.move(fresh, to: path) }
            mustErase = false
            rewriteAfter = 0
        } catch {
            // The commit is stored all the same. A full disk is likely to stay full for a while.
            rewriteAfter = end * 2
        }
    }

    /// Writes a new file with what is in use, and continues with it.
    ///
    /// - Parameter rename: Gives the new file its name, in one step.
    private func rewrite(_ rename: () throws -> Void) throws {
        let path = path + "-new"
        let fresh = try LogFile(path, isNew: true)
        var isNamed = false
        defer { if !isNamed { LogFile.remove(path) } }
        var places: [Int64: Place] = [:]
        places.reserveCapacity(self.places.count)
        var live: Int64 = 0
        var written: Int64 = 0
        var buffer = LogHeader.current
        if let state { buffer += LogRecord.encode([.state(state)]) }
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
    }
}
