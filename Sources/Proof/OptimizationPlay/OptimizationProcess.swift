import AppPlay
import EventDelivery
import Foundation
import Optimization
import PushDispatch

/// A process of an app that uses the library: it begins with the step `configure`, and ends with `kill`.
@MainActor
final class OptimizationProcess {
    /// What a process has around it.
    struct Surroundings: Sendable {
        let loop: PlayLoop
        let service: OptimizationEndpoint
        let transport: any OptimizationTransport
        /// The files of the installation. They stay when a process ends.
        let folder: URL
        let wallClock: @Sendable () -> EventTime
        let isOnline: @Sendable () -> Bool
        let onReport: @Sendable (OptimizationReport) -> Void
        let onBlocked: @Sendable (BlockedEvent) -> Void
    }

    nonisolated let process: PlayProcess
    nonisolated let events: PlayedEventStore
    let client: OptimizationClient
    /// For the next `initialize`.
    var setup: OptimizationSetup
    private let around: Surroundings
    private let delivery: PlayedTransport
    /// The entries on the screen, by their ids.
    private(set) var models: [String: OptimizedEntryModel] = [:]
    private var hasDefinitions = false

    /// - Parameter makesFile: Whether queued events survive the end of the process.
    init(_ setup: OptimizationSetup, in around: Surroundings) {
        let process = PlayProcess(around.loop)
        let transport = PlayedTransport(process: process, transport: around.transport, isOnline: around.isOnline)
        let wallClock = around.wallClock
        self.process = process
        self.setup = setup
        self.around = around
        delivery = transport
        events = PlayedEventStore(
            setup.storesEvents
                ? FileEventStore(file: around.folder.appendingPathComponent("events").path) : MemoryEventStore())
        client = OptimizationClient(
            storage: PlayedStorage(
                process: process,
                file: FileOptimizationStorage(file: around.folder.appendingPathComponent("state").path)),
            transport: transport, eventStore: events, clock: process,
            makeStamp: { EventStamp(id: EventID(), time: wallClock()) },
            // Without the random part of a wait a script has the same course each time.
            random: { 0 }, tasks: process.tasks,
            mainTasks: MainTaskStarter { [loop = around.loop] in Task(executorPreference: loop, operation: $0) },
            onReport: around.onReport)
        let (blocked, onBlocked) = (client.blockedEvents(), around.onBlocked)
        process.tasks { for await event in blocked { onBlocked(event) } }
    }

    /// Ends it at once: whatever it still does has no effect.
    nonisolated func end() {
        process.end()
        events.end()
    }

    func initialize() async throws(OptimizationError) {
        try await client.initialize(setup.configuration(around.service))
        await client.setOnline(around.isOnline())
    }

    // MARK: Entries

    private var deliveryClient: DeliveryClient {
        DeliveryClient(
            setup.delivery(around.service), transport: delivery,
            cache: FileDeliveryCache(folder: around.folder.appendingPathComponent("entries")), clock: process,
            wallClock: around.wallClock)
    }

    /// What the screen shows of an entry. Whatever is asked about an entry for the first time shows it.
    func model(of entry: PlayedEntry) async throws -> OptimizedEntryModel {
        switch entry {
        case .delivered(let id):
            if let model = models[id] { return model }
            return show(try await deliveryClient.entry(id, locale: setup.locale))
        case .given(let entry): return show(entry)
        }
    }

    private func show(_ entry: ContentEntry) -> OptimizedEntryModel {
        let id = entry.id ?? ""
        if let model = models[id] {
            model.show(entry)
            return model
        }
        let model = OptimizedEntryModel(client, baseline: entry)
        models[id] = model
        return model
    }

    /// An entry that is not shown for itself, such as a merge tag.
    func entry(_ entry: PlayedEntry) async throws -> ContentEntry {
        switch entry {
        case .delivered(let id): try await deliveryClient.entry(id, locale: setup.locale)
        case .given(let entry): entry
        }
    }

    /// The names that the panel shows, fetched when it is opened for the first time.
    func fetchDefinitions() async throws {
        guard !hasDefinitions else { return }
        client.setPreviewDefinitions(try await deliveryClient.previewDefinitions(locale: setup.locale))
        hasDefinitions = true
    }
}

struct PlayedStorage: OptimizationStorage {
    let process: PlayProcess
    let file: FileOptimizationStorage

    func load() throws -> [String: String] {
        try process.check()
        return try file.load()
    }

    func save(_ changes: [String: String?]) throws {
        try process.check()
        try file.save(changes)
    }
}

/// Passes requests on while the process runs and the device is online.
struct PlayedTransport: OptimizationTransport {
    let process: PlayProcess
    let transport: any OptimizationTransport
    let isOnline: @Sendable () -> Bool

    func send(_ request: OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply {
        guard isOnline() else { throw .network(URLError.notConnectedToInternet.rawValue) }
        let answer = await process.request { [transport] () async -> Result<OptimizationHTTPReply, TransportFailure> in
            do throws(TransportFailure) {
                return .success(try await transport.send(request))
            } catch {
                return .failure(error)
            }
        }
        guard let answer else { throw .cancelled }
        return try answer.get()
    }
}
