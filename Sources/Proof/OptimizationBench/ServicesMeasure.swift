import Foundation
import OptimizationSimulator
import PushDispatch
import ServiceHost
import ServiceSQLite

/// How fast the simulated services answer, without a network; and with a store, whose changes are written before the answer.
enum ServicesMeasure {
    private static let now: Int64 = 1_778_231_730_120
    private static let configuration = OptimizationConfiguration.standard()
    private static let organization =
        "organizations/\(configuration.clientID)/environments/\(configuration.environment)"
    private static let eventsPerRequest = 100

    static func run() throws {
        var world = OptimizationWorld(configuration, clock: .manual(at: now))
        try measure("upsert a profile", "requests/s", { upsert($0) }, 200) { world.answer($0, real: now).response }
        try measure("take views in, 100 a request", "events/s", each: eventsPerRequest, { views($0) }, 204) {
            world.answer($0, real: now).response
        }
        try measure("deliver an entry with its links", "requests/s", { _ in entry }, 200) {
            world.answer($0, real: now).response
        }
        try runStored()
    }

    private static func runStored() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "apns-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteServiceStore(path: folder.appending(path: "store.sqlite").path, of: .optimization)
        defer { store.close() }
        var world = try OptimizationWorld.opened(configuration, isManual: true, from: store, real: now)
        func answer(_ request: ServiceRequest) throws -> ServiceResponse {
            let response = world.answer(request, real: now).response
            try store.write(world.stored(world.takeChanges()))
            return response
        }
        try measure("upsert a profile, with a store", "requests/s", { upsert($0) }, 200, answer)
        try measure("take views in, with a store", "events/s", each: eventsPerRequest, { views($0) }, 204, answer)
    }

    /// - Parameter each: What one request counts.
    private static func measure(
        _ name: String, _ unit: String, each: Int = 1, _ request: (Int) -> ServiceRequest, _ status: Int,
        _ answer: (ServiceRequest) throws -> ServiceResponse
    ) throws {
        let start = DispatchTime.now().uptimeNanoseconds
        var (count, spent): (Int, UInt64) = (0, 0)
        while spent < 3_000_000_000 {
            let response = try answer(request(count))
            guard response.status == status else { fatalError("\(name): status \(response.status)") }
            count += 1
            spent = DispatchTime.now().uptimeNanoseconds - start
        }
        let rate = Double(count * each) * 1_000_000_000 / Double(spent)
        print(
            #"{"measure":"\#(name)","value":\#(String(format: "%.0f", rate)),"unit":"\#(unit)","limit":null,"holds":true}"#
        )
    }

    // Requests.

    /// An id that was never used.
    private static func messageID(_ number: Int, _ index: Int) -> String {
        String(format: "%08x-0000-4000-8000-%012x", number, index)
    }

    private static let context = #""channel":"mobile","context":{"app":{"name":"b","version":"1"},"locale":"en-US"}"#

    /// One of 1,000 people opens a screen.
    private static func upsert(_ number: Int) -> ServiceRequest {
        let event =
            #"{"type":"screen","name":"Home","messageId":"\#(messageID(number, 0))",\#(context),"properties":{"name":"Home"}}"#
        return ServiceRequest(
            "POST", "/v2/\(organization)/profiles/p\(number % 1_000)", headers: ["content-type": "text/plain"],
            body: Array(#"{"events":[\#(event)],"options":{"features":["location"]}}"#.utf8))
    }

    private static func views(_ number: Int) -> ServiceRequest {
        let events = (1...eventsPerRequest).map { index in
            #"""
            {"type":"component","messageId":"\#(messageID(number, index))",\#(context),"componentType":"Entry",\#
            "componentId":"hero","experienceId":"exp-1","variantIndex":1,"viewId":"\#(messageID(number, index))",\#
            "viewDurationMs":2000}
            """#
        }
        return ServiceRequest(
            "POST", "/v1/\(organization)/events", headers: ["content-type": "application/json"],
            body: Array(
                #"[{"profile":{"id":"p\#(number % 1_000)"},"events":[\#(events.joined(separator: ","))]}]"#.utf8))
    }

    private static let entry = ServiceRequest(
        "GET", "/spaces/\(configuration.space)/environments/\(configuration.environment)/entries",
        query: "include=10&sys.id=hero", headers: ["authorization": "Bearer \(configuration.accessToken)"])
}
