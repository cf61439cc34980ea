import Foundation
import PersonalizationSimulator
import ServiceSQLite
import ServiceHost

/// How fast the service decides and takes events in, without a network.
enum WorldMeasure {
    private static let now: Int64 = 1_778_231_730_120

    @Sendable static func decide() throws {
        var world = ServiceWorld(Bench.configuration, clock: .manual(at: now))
        let rate = Bench.rate { number in
            let answer = world.answer(request(Bench.decision(number)), real: now)
            precondition(answer.response.status == 200)
        }
        Bench.print("decide, without a network", rate, "decisions/s", limit: 10_000)
    }

    private static func request(_ body: [UInt8]) -> ServiceRequest {
        ServiceRequest("POST", "/personalization/decisions", headers: ["content-type": "application/json"], body: body)
    }

    private static func batch(_ body: [UInt8]) -> ServiceRequest {
        ServiceRequest(
            "POST", "/web/events/\(Bench.configuration.appSourceID)",
            headers: ["content-type": "application/x-www-form-urlencoded"], body: body)
    }

    @Sendable static func takeIn() throws {
        var world = ServiceWorld(Bench.configuration, clock: .manual(at: now))
        let batches = (0..<2_000).map { Bench.batch($0) }
        let rate = measure(batches) { body in world.answer(batch(body), real: now).response.status }
        Bench.print("take events in, without a network", rate, "events/s", limit: 20_000)
    }

    @Sendable static func store() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "apns-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteServiceStore(path: folder.appending(path: "store.sqlite").path, of: .decisions)
        defer { store.close() }
        var world = try ServiceWorld.opened(Bench.configuration, isManual: true, from: store, real: now)
        let documents = ServiceDocuments()
        try store.write(documents.stored(world.takeChanges(), world))
        let rate = try Bench.rate { number in
            _ = world.answer(request(Bench.decision(number)), real: now)
            try store.write(documents.stored(world.takeChanges(), world))
        }
        Bench.print("decide, with a store", rate, "decisions/s", limit: nil)
        let batches = (0..<500).map { Bench.batch($0) }
        let events = try measure(batches) { body in
            let answer = world.answer(batch(body), real: now)
            try store.write(documents.stored(world.takeChanges(), world))
            return answer.response.status
        }
        Bench.print("take events in, with a store", events, "events/s", limit: nil)
    }

    private static func measure(_ batches: [[UInt8]], _ send: ([UInt8]) throws -> Int) rethrows -> Double {
        let start = Bench.nanoseconds()
        for body in batches {
            let status = try send(body)
            precondition(status == 204)
        }
        let seconds = Double(Bench.nanoseconds() - start) / 1_000_000_000
        return Double(batches.count * Bench.eventsPerBatch) / seconds
    }
}
