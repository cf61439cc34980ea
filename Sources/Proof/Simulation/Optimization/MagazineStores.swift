import EventDelivery
import Foundation
import Optimization
import OptimizationSimulator

/// The queues' store.
struct MagazineEventStore: EventStore {
    let disk: ProcessDisk
    let device: MagazineDevice
    /// A killed process keeps its own.
    let events: any EventStore

    private func perform<Result>(
        writes: Bool = false, _ body: () throws -> Result, audit: (Bool) -> Void = { _ in }
    ) throws -> Result {
        try disk.perform(
            writes: writes,
            { EventStoreError(code: $0 ? .full : .io, file: "events", detail: "a fault of the simulation") }, body,
            audit: audit)
    }

    func load() throws -> StoreContents { try perform { try events.load() } }

    func readAll(_ take: (StoredEvent) -> Void) throws { try perform { try events.readAll(take) } }

    func events(_ sequences: [Int64]) throws -> [StoredEvent] { try perform { try events.events(sequences) } }

    func synchronize() throws { try perform(writes: true) { try events.synchronize() } }

    func commit(_ changes: StoreChanges) throws {
        try perform(writes: true) {
            try events.commit(changes)
        } audit: { _ in
            device.audit.committed(changes)
        }
    }
}

/// The storage of the library's few values.
struct MagazineStorage: OptimizationStorage {
    let disk: ProcessDisk
    let device: MagazineDevice

    private static func failure(_ isFull: Bool) -> any Error {
        OptimizationError(.storage, isFull ? "the disk is full" : "a fault of the simulation")
    }

    func load() throws -> [String: String] {
        try disk.perform(writes: false, MagazineStorage.failure) { device.values }
    }

    func save(_ changes: [String: String?]) throws {
        try disk.perform(writes: true, MagazineStorage.failure) {
            for (key, value) in changes { device.values[key] = value }
        }
    }
}

/// Carries the requests of the real library over a network with faults.
struct MagazineTransport: OptimizationTransport {
    let device: MagazineDevice
    let clock: ProcessClock

    func send(_ request: OptimizationHTTPRequest) async throws(TransportFailure) -> OptimizationHTTPReply {
        let run = device.run
        guard clock.isRunning else { throw .cancelled }
        let isProfile = request.url.path.hasPrefix("/v2/")
        run.count(isProfile ? .profileRequest : .analyticsRequest)
        device.audit.sends(request.body ?? [], isProfile ? .profile : .analytics)
        let network = LossyNetwork(run: run, clock: clock, isOnline: { [device] in device.isOnline })
        do throws(LossyNetwork.Failure) {
            let reply = try await network.send(withinMilliseconds: request.withinMilliseconds) { [device] in
                device.run.service.answer(request, of: device)
            }
            run.trace("\(device.name) gets \(reply.status) from the \(isProfile ? "profile" : "analytics") service")
            return reply
        } catch {
            switch error {
            case .stopped: throw .cancelled
            case .offline: throw .network(URLError.notConnectedToInternet.rawValue)
            case .timeout: throw .timeout
            }
        }
    }
}
