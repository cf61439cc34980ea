/// A record of the log: the changes of one commit.
///
/// On disk: the length of the payload (4 bytes), a checksum of the length (4), a checksum of the payload (4), the payload.
/// Length and payload have a checksum each, so that a record that was cut off differs from a damaged one.
enum LogRecord {
    static let headerBytes = 12
    /// No record is larger, so a reader need not believe a larger length.
    static let maximumPayload = 64 << 20

    /// The payload's operations.
    enum Operation: Hashable {
        case append(StoredEvent)
        case remove(ClosedRange<Int64>)
        case state([UInt8])
        /// Damage was repaired, and the queue has not stored a state since then. The name of the file that was set aside.
        case recovered(name: String, events: Int64, lostBytes: Int64)
        /// What is removed must not stay in the file.
        case erase
    }

    static func encode(_ operations: [Operation]) -> [UInt8] {
        var payload = ByteWriter()
        for operation in operations { write(operation, to: &payload) }
        return frame(payload.bytes)
    }

    static func encode(_ changes: StoreChanges) -> [UInt8] {
        var operations = changes.append.map { Operation.append($0) }
        operations += ranges(changes.remove).map { .remove($0) }
        if let state = changes.state { operations.append(.state(state)) }
        if changes.erases { operations.append(.erase) }
        return encode(operations)
    }

    private static func frame(_ payload: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.bytes.reserveCapacity(headerBytes + payload.count)
        writer.put(UInt32(payload.count))
        writer.put(lengthCheck(UInt32(payload.count)))
        writer.put(Checksum.crc32(payload))
        writer.bytes += payload
        return writer.bytes
    }

    private static func lengthCheck(_ length: UInt32) -> UInt32 {
        // Zeros, as a system may leave after a loss of power, must not look like an empty record.
        withUnsafeBytes(of: length.littleEndian) { Checksum.crc32($0) } ^ 0x7145_5645
    }

    /// The length of the payload; nil if this is not the start of a record.
    static func length(_ header: ArraySlice<UInt8>) -> Int? {
        var reader = ByteReader(header)
        guard let length: UInt32 = reader.number(), let check: UInt32 = reader.number(), check == lengthCheck(length),
            length <= maximumPayload
        else { return nil }
        return Int(length)
    }

    /// The operations of a whole record; nil if it is damaged.
    static func decode(_ record: ArraySlice<UInt8>) -> [Operation]? {
        var header = ByteReader(record)
        guard length(record) == record.count - headerBytes, header.take(8) != nil, let check: UInt32 = header.number()
        else { return nil }
        let payload = record.dropFirst(headerBytes)
        guard payload.withUnsafeBytes({ Checksum.crc32($0) }) == check else { return nil }
        var reader = ByteReader(payload)
        var operations: [Operation] = []
        while !reader.isAtEnd {
            guard let operation = read(&reader) else { return nil }
            operations.append(operation)
        }
        return operations
    }

    private static func write(_ operation: Operation, to writer: inout ByteWriter) {
        switch operation {
        case .append(let stored):
            let event = stored.event
            writer.put(UInt8(1))
            writer.put(stored.sequence)
            writer.bytes += event.id.bytes
            writer.put(event.stamp.time.milliseconds)
            writer.put(event.priority.rawValue)
            var flags: UInt8 = event.holdsOrder ? 1 : 0
            if stored.isRecord { flags |= 2 }
            if event.purpose != nil { flags |= 4 }
            if event.group != nil { flags |= 8 }
            writer.put(flags)
            writer.put(event.kind)
            writer.put(event.destination.rawValue)
            if let purpose = event.purpose { writer.put(purpose.rawValue) }
            if let group = event.group { writer.put(group) }
            writer.put(event.body)
        case .remove(let range):
            writer.put(UInt8(2))
            writer.put(range.lowerBound)
            writer.put(range.upperBound)
        case .state(let state):
            writer.put(UInt8(3))
            writer.put(state)
        case .recovered(let name, let events, let lostBytes):
            writer.put(UInt8(4))
            writer.put(name)
            writer.put(events)
            writer.put(lostBytes)
        case .erase:
            writer.put(UInt8(5))
        }
    }

    private static func read(_ reader: inout ByteReader) -> Operation? {
        switch reader.number(UInt8.self) {
        case 1: return readEvent(&reader).map { .append($0) }
        case 2:
            guard let first: Int64 = reader.number(), let last: Int64 = reader.number(), first > 0, first <= last,
                last < .max >> 1
            else { return nil }
            return .remove(first...last)
        case 3: return reader.part().map { .state(Array($0)) }
        case 4:
            guard let name = reader.text(), !name.contains("/"), let events: Int64 = reader.number(),
                let lost: Int64 = reader.number()
            else { return nil }
            return .recovered(name: name, events: events, lostBytes: lost)
        case 5: return .erase
        default: return nil
        }
    }

    private static func readEvent(_ reader: inout ByteReader) -> StoredEvent? {
        guard let sequence: Int64 = reader.number(), sequence > 0, sequence < .max >> 1,
            let id = reader.take(16).flatMap({ EventID(bytes: $0) }), let time: Int64 = reader.number(),
            let priority = reader.number(UInt8.self).flatMap({ EventPriority(rawValue: $0) }),
            let flags: UInt8 = reader.number(), let kind = reader.text(), let destination = reader.text()
        else { return nil }
        let purpose = flags & 4 == 0 ? nil : reader.text()
        let group = flags & 8 == 0 ? nil : reader.text()
        guard (flags & 4 == 0) == (purpose == nil), (flags & 8 == 0) == (group == nil), let body = reader.part() else {
            return nil
        }
        let event = CapturedEvent(
            EventStamp(id: id, time: EventTime(milliseconds: time)), kind: kind, to: DestinationName(destination),
            purpose: purpose.map { ConsentPurpose($0) }, group: group, priority: priority, holdsOrder: flags & 1 != 0,
            body: Array(body))
        return StoredEvent(sequence: sequence, event: event, isRecord: flags & 2 != 0)
    }

    /// Neighbouring sequences as ranges. Numbers that no event can have are left out.
    static func ranges(_ sequences: [Int64]) -> [ClosedRange<Int64>] {
        var ranges: [ClosedRange<Int64>] = []
        for sequence in sequences.sorted() where sequence > 0 && sequence < .max >> 1 {
            if let last = ranges.last, last.upperBound >= sequence - 1 {
                ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, sequence)
            } else {
                ranges.append(sequence...sequence)
            }
        }
        return ranges
    }
}
