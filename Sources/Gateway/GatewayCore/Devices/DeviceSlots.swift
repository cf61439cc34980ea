/// The devices of a table by their slots, in chunks.
///
/// A world is copied for an export, and the first change afterwards happens under the world's lock: it copies one chunk, not
/// every device of the table.
struct DeviceSlots: Sendable, RandomAccessCollection {
    private static let bits = 8
    static let chunkSize = 1 << bits

    /// All but the last are full.
    private(set) var chunks: [[Device]] = []
    private(set) var count = 0

    var startIndex: Int { 0 }
    var endIndex: Int { count }

    @inline(__always)
    subscript(slot: Int) -> Device {
        _read { yield chunks[slot >> DeviceSlots.bits][slot & (DeviceSlots.chunkSize - 1)] }
        _modify { yield &chunks[slot >> DeviceSlots.bits][slot & (DeviceSlots.chunkSize - 1)] }
    }

    mutating func append(_ device: Device) {
        if count % DeviceSlots.chunkSize == 0 { chunks.append([]) }
        chunks[count >> DeviceSlots.bits].append(device)
        count += 1
    }
}
