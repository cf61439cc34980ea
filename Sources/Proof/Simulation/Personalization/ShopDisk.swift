import EventDelivery
import Personalization

/// The access of an app's process to what is stored on its device.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopDisk: @unchecked Sendable {
    let device: ShopDevice
    private let disk: ProcessDisk
    /// A killed process keeps its own files.
    let events: any EventStore

    init(_ device: ShopDevice, _ clock: ProcessClock) {
        self.device = device
        events = device.events
        disk = ProcessDisk(
            device.run, clock,
            ProcessDisk.Device(
                name: device.name, isFull: { device.isFull }, failed: { device.audit.storeFailed() },
                kill: { device.kill() }))
    }

    func perform<Result>(
        writes: Bool, _ failure: (_ isFull: Bool) -> any Error, _ body: () throws -> Result,
        audit: (_ isKilled: Bool) -> Void = { _ in }
    ) throws -> Result {
        try disk.perform(writes: writes, failure, body, audit: audit)
    }
}

/// The queue's store.
struct ShopEventStore: EventStore {
    let disk: ShopDisk

    private func perform<Result>(
        writes: Bool = false, _ body: () throws -> Result, audit: (Bool) -> Void = { _ in }
    ) throws -> Result {
        try disk.perform(
            writes: writes,
            { EventStoreError(code: $0 ? .full : .io, file: "events", detail: "a fault of the simulation") }, body,
            audit: audit)
    }

    func load() throws -> StoreContents { try perform { try disk.events.load() } }

    func readAll(_ take: (StoredEvent) -> Void) throws { try perform { try disk.events.readAll(take) } }

    func events(_ sequences: [Int64]) throws -> [StoredEvent] { try perform { try disk.events.events(sequences) } }

    func synchronize() throws { try perform(writes: true) { try disk.events.synchronize() } }

    func commit(_ changes: StoreChanges) throws {
        try perform(writes: true) {
            try disk.events.commit(changes)
        } audit: { isKilled in
            disk.device.audit.committed(changes, isKilled: isKilled)
        }
    }
}

/// The storage of the library's state.
struct ShopStateStorage: PersonalizationStorage {
    let disk: ShopDisk

    private static func failure(_ isFull: Bool) -> any Error {
        PersonalizationError(.storage, isFull ? "the disk is full" : "a fault of the simulation")
    }

    func load() throws -> LoadedState? {
        try disk.perform(writes: false, ShopStateStorage.failure) {
            disk.device.state.map { LoadedState(bytes: $0) }
        }
    }

    func save(_ bytes: [UInt8]) throws {
        try disk.perform(writes: true, ShopStateStorage.failure) { disk.device.state = bytes }
    }
}

/// The store of the cache, or of the notifications that were opened.
///
/// @unchecked: only the thread of the simulation uses it.
final class ShopByteStore: DecisionStore, @unchecked Sendable {
    private let disk: ShopDisk
    private let bytes: ReferenceWritableKeyPath<ShopDevice, [UInt8]?>

    init(_ disk: ShopDisk, _ bytes: ReferenceWritableKeyPath<ShopDevice, [UInt8]?>) {
        self.disk = disk
        self.bytes = bytes
    }

    private func perform<Result>(writes: Bool, _ body: () -> Result) throws(DecisionStoreError) -> Result {
        do {
            return try disk.perform(
                writes: writes, { DecisionStoreError($0 ? .full : .io, "a fault of the simulation") }, body)
        } catch {
            throw error as? DecisionStoreError ?? DecisionStoreError(.io, "the process has ended")
        }
    }

    func load(maximumBytes: Int) throws(DecisionStoreError) -> [UInt8]? {
        try perform(writes: false) { disk.device[keyPath: bytes] }
    }

    func save(_ new: [UInt8]) throws(DecisionStoreError) {
        try perform(writes: true) {
            disk.device[keyPath: bytes] = new
            if bytes == \.replies { disk.device.audit.savesReplies(new) }
        }
    }

    func setAside() throws(DecisionStoreError) -> String? {
        disk.device.run.reportViolation("\(disk.device.name) sets a file aside that is not damaged")
        return nil
    }

    func erase() throws(DecisionStoreError) {
        try perform(writes: true) { disk.device[keyPath: bytes] = nil }
    }
}
