import Dispatch
package import EventDelivery
package import Foundation
package import PushDispatch
package import SelectiveSync

/// A store in files, such as one on SQLite.
package protocol SimulatedFile: UploadStore {
    func records(of object: String) async throws -> [LocalRecord]
    /// All hints and what was dropped.
    func pendingList() async throws -> PendingList
    func close() throws
}

/// Opens the stores of devices in files.
package struct SimulationFiles: Sendable {
    /// Opens a file, which may not exist, for at most so many hints.
    package typealias Open = @Sendable (_ path: String, _ maximumPending: Int) throws -> any SimulatedFile

    /// A folder in which each run makes one of its own, and removes it at its end.
    let folder: URL
    let open: Open
    /// Opens a file of events.
    let openEvents: @Sendable (_ path: String) -> any EventStore
    /// One in so many seeds uses files.
    package static let seedsPerFile: UInt64 = 10

    package init(
        folder: URL, open: @escaping Open, openEvents: @escaping @Sendable (_ path: String) -> any EventStore
    ) {
        self.folder = folder
        self.open = open
        self.openEvents = openEvents
    }
}

/// Runs the calls of a store on a queue. On Swift's thread pool they might not start while other threads of it wait for them.
private final class DiskExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "simulation.disk")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// A device's store in files. Its calls run on threads of their own, and the thread of the simulation waits for them. So they
/// are one step of the run, and which thread does the work makes no difference.
///
/// A killed process closes nothing: the files are copied as they are, and the next process opens the copies.
///
/// @unchecked: only the thread of the simulation uses it.
final class FileDisk: DiskStep, @unchecked Sendable {
    private let folder: URL
    private let maximumPending: Int
    private let make: SimulationFiles.Open
    private let executor = DiskExecutor()
    private var copy = 1
    private var opened: (any SimulatedFile)?

    init(_ folder: URL, maximumPending: Int, _ make: @escaping SimulationFiles.Open) throws {
        self.folder = folder
        self.maximumPending = maximumPending
        self.make = make
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func path(_ copy: Int) -> String { folder.appendingPathComponent("\(copy).sqlite").path }

    func killed() {
        guard let opened else { return }
        for suffix in ["", "-wal"] {
            try? FileManager.default.copyItem(atPath: path(copy) + suffix, toPath: path(copy + 1) + suffix)
        }
        close(opened)
        copy += 1
    }

    func close() {
        if let opened { close(opened) }
    }

    private func close(_ file: any SimulatedFile) {
        try? file.close()
        opened = nil
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path(copy) + suffix) }
    }

    private func call<Result: Sendable>(
        _ body: @Sendable @escaping (any SimulatedFile) async throws -> Result
    ) throws -> Result {
        let file = try opened ?? make(path(copy), maximumPending)
        opened = file
        let done = DispatchSemaphore(value: 0)
        let box = Box<Swift.Result<Result, any Error>>()
        Task.detached(executorPreference: executor) {
            do {
                box.value = .success(try await body(file))
            } catch {
                box.value = .failure(error)
            }
            done.signal()
        }
        done.wait()
        guard let value = box.value else { preconditionFailure("the call has ended") }
        return try value.get()
    }

    /// @unchecked: the semaphore orders the writing before the reading.
    private final class Box<Value>: @unchecked Sendable { var value: Value? }
}

extension FileDisk {
    func merge(_ batch: MergeBatch) throws -> MergeResult { try call { try await $0.merge(batch) } }

    func progress(of object: String) throws -> SyncProgress { try call { try await $0.progress(of: object) } }

    func pendingMark() throws -> PendingMark { try call { try await $0.pendingMark() } }

    func objectsToSync() throws -> Set<String> { try call { try await $0.objectsToSync() } }

    func cleanRecords(of object: String, after id: RecordID?, limit: Int) throws -> [RecordID] {
        try call { try await $0.cleanRecords(of: object, after: id, limit: limit) }
    }

    func user() throws -> String? { try call { try await $0.user() } }

    func logIn(_ user: String, discardingEdits: Bool) throws {
        try call { try await $0.logIn(user, discardingEdits: discardingEdits) }
    }

    func erase(discardingEdits: Bool) throws { try call { try await $0.erase(discardingEdits: discardingEdits) } }

    func versions(of records: [RecordID], in object: String) throws -> [RecordID: StoredVersion] {
        try call { try await $0.versions(of: records, in: object) }
    }

    func keep(_ hint: Hint) throws -> PendingMark? { try call { try await $0.keep(hint) } }

    func pending(of object: String, after mark: PendingMark?) throws -> [PendingRecord] {
        try call { try await $0.pending(of: object, after: mark) }
    }

    func forget(_ records: [PendingRecord], of object: String) throws {
        try call { try await $0.forget(records, of: object) }
    }

    func forgetAll() throws { try call { try await $0.forgetAll() } }

    func record(_ key: RecordKey, of object: String) throws -> LocalRecord? {
        try call { try await $0.record(key, of: object) }
    }

    func records(of object: String) throws -> [LocalRecord] { try call { try await $0.records(of: object) } }

    func dirtyRecords(of object: String) throws -> [LocalRecord] { try call { try await $0.dirtyRecords(of: object) } }

    func generation() throws -> StoreGeneration { try call { try await $0.generation() } }

    func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, in generation: StoreGeneration,
        _ body: @Sendable @escaping (inout RecordChange) throws -> Value
    ) throws -> [Value] {
        try call { try await $0.change(keys, of: object, in: generation, body) }
    }

    func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, in generation: StoreGeneration
    ) throws {
        try call { try await $0.uploaded(sent, outcome, of: object, in: generation) }
    }

    func list() throws -> PendingList { try call { try await $0.pendingList() } }
}
