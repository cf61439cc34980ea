import APNSModel
import APNSProvider
import DevelopmentCredentials
import Dispatch
import Foundation
import GatewayConfiguration
import GatewayJSON
import GatewayTestSupport
import GatewayTesting
import Synchronization
import SystemFiles
import TestSupport
import Testing

@testable import GatewayCore
@testable import GatewayRuntime
@testable import GatewayServer

@Suite(.timeLimit(.minutes(10)))
struct StoreTests {
    private static let device = String(repeating: "ab12", count: 16)
    private static let path = "/api/devices/\(device)/deliveries"

    @Test func `a gateway starts again where it was`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            let ids = try await withStoredGateway(file) { gateway in
                _ = try await gateway.control.call(
                    "POST", "/api/faults", #"{"effect":{"lose":true},"match":{"push-type":"alert"},"count":2}"#)
                _ = try await gateway.control.call(
                    "PUT", "/api/clock", #"{"mode":"manual","now":"\#(TestGateway.now)"}"#)
                try await gateway.push(to: Self.device, "first")
                try await gateway.push(to: Self.device, "second")
                return gateway.world { $0.notifications().entries.map(\.uniqueID) }
            }
            try await withStoredGateway(file) { gateway in
                #expect(gateway.world { $0.notifications().entries.map(\.uniqueID) } == ids)
                let clock = try await gateway.control.call("GET", "/api/clock")
                #expect(clock.json["mode"] as? String == "manual")
                let faults = try await gateway.control.call("GET", "/api/faults")
                #expect(faults.body.contains(#""remaining":2"#))
                try await gateway.control.events(Self.path) { events in
                    let event = try #require(try await events.next())
                    #expect(event.data.contains(#""n":"second""#))
                }
                #expect(try await gateway.push(to: Self.device, "third").isAccepted)
            }
        }
    }

    @Test func `a device resumes over a restart without loss`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            let first = try await withStoredGateway(file) { gateway in
                _ = try await gateway.control.call(
                    "POST", "/api/devices", #"{"topic":"\#(gateway.topic)","token":"\#(Self.device)"}"#)
                let first = try await gateway.control.events(Self.path) { events in
                    try await gateway.push(to: Self.device, "first")
                    let first = try #require(try await events.next())
                    for number in 0..<3 { try await gateway.push(to: Self.device, "on the way \(number)") }
                    return first
                }
                for number in 3..<5 { try await gateway.push(to: Self.device, "on the way \(number)") }
                return first
            }
            try await withStoredGateway(file) { gateway in
                let id = try #require(first.id)
                try await gateway.control.events(Self.path, headers: ["Last-Event-ID: \(id)"]) { events in
                    for number in 0..<5 {
                        let event = try #require(try await events.next())
                        #expect(event.data.contains("on the way \(number)"))
                    }
                }
            }
        }
    }

    @Test func `nothing goes out before it is stored`() async throws {
        try await withFolder { folder in
            try await withStoredGateway(folder + "/gateway.sqlite") { gateway in
                _ = try await gateway.control.call(
                    "POST", "/api/devices", #"{"topic":"\#(gateway.topic)","token":"\#(Self.device)"}"#)
                try await gateway.control.events(Self.path) { events in
                    let storeQueue = try #require(gateway.running.state.storeQueue)
                    let disk = DispatchSemaphore(value: 0)
                    storeQueue.perform { _ in disk.wait() }
                    async let reply = gateway.push(to: Self.device)
                    // Its judgement is there, and its answer and its delivery are held back with it.
                    #expect(await eventually { gateway.world { $0.journalCount } == 1 })
                    let held = gateway.running.state.withState { state in
                        [state.outbox?.batch.publications.count, state.outbox?.batch.callbacks.count]
                    }
                    #expect(held == [1, 1])
                    disk.signal()
                    let event = try await events.next()
                    #expect(try await reply.isAccepted)
                    #expect(event?.id != nil)
                }
            }
        }
    }

    @Test func `many senders at once share commits, and all of them are in the store`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            let accepted = try await withStoredGateway(file) { gateway in
                let notifications = try (0..<3000).map {
                    try gateway.notification(
                        to: String(format: "%08x", $0 % 50), payload: #"{"aps":{"content-available":1}}"#)
                }
                var accepted: Set<String> = []
                for try await result in gateway.provider.send(all: AsyncNotifications(notifications)) {
                    if case .accepted(_, let id?) = result.outcome { accepted.insert(id) }
                }
                return accepted
            }
            #expect(accepted.count == 3000)
            try await withStoredGateway(file) { gateway in
                for id in accepted { #expect(gateway.world { $0.notification(uniqueID: id) != nil }) }
            }
        }
    }

    /// With room for so many pages: less than the 16 that the gateway needs to see that there is room again.
    @Test(arguments: 0...12)
    func `a full disk refuses what it cannot keep, and takes notifications again when there is room`(pages: Int)
        async throws
    {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            let (accepted, refused, isRegistered) = try await withStoredGateway(file) { gateway in
                let storeQueue = try #require(gateway.running.state.storeQueue)
                var (accepted, refused): ([String], [String]) = ([], [])
                func send(_ count: Int) async throws {
                    for _ in 0..<count {
                        let payload =
                            #"{"aps":{"content-available":1},"fill":"\#(String(repeating: "x", count: 3000))"}"#
                        switch try await gateway.provider.send(gateway.notification(to: Self.device, payload: payload))
                        {
                        case .accepted(let id, _): accepted.append(id.text)
                        case .refused(let refusal):
                            #expect(refusal.reason == .serviceUnavailable)
                            refused.append(refusal.apnsID?.text ?? "")
                        }
                    }
                }
                try await send(5)
                #expect(refused.isEmpty)
                try storeQueue.limitGrowth(toPages: pages)
                try await send(20)
                #expect(!refused.isEmpty)
                let failing = try await gateway.control.call("GET", "/ready")
                #expect(failing.status == 503 && failing.body.contains("the store cannot be written"))
                #expect(try await gateway.control.call("GET", "/health").status == 200)
                let answer = try await gateway.control.call(
                    "POST", "/api/devices", #"{"topic":"\#(gateway.topic)","token":"cd34"}"#)
                // There may be room for a device where there is none for a notification; what is answered has to hold.
                #expect(answer.status == 201 || answer.status == 503)
                let refusedThen = refused.count
                try storeQueue.limitGrowth(toPages: nil)
                gateway.running.state.retryStore()
                _ = await gateway.running.state.stored()
                #expect(try await gateway.control.call("GET", "/ready").status == 200)
                try await send(5)
                #expect(refused.count == refusedThen)
                return (accepted, refused, answer.status == 201)
            }
            try await withStoredGateway(file) { gateway in
                let device = try #require(DeviceToken("cd34"))
                #expect((gateway.world { $0.device(device, in: .sandbox) } != nil) == isRegistered)
                let kept = Set(gateway.notifications().map(\.apnsID))
                #expect(kept.isSuperset(of: accepted))
                #expect(kept.isDisjoint(with: refused))
                let last = try await gateway.control.events(Self.path) { events in try await events.next() }
                #expect(last?.data.contains(accepted.last ?? "none") == true)
            }
        }
    }

    @Test func `a second gateway on the same file is refused`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            try await withStoredGateway(file) { _ in
                let error = await #expect(throws: GatewayError.self) { try await withStoredGateway(file) { _ in } }
                #expect(error?.code == .badStore)
                #expect(error?.detail.contains("in use") == true)
            }
        }
    }

    @Test func `another seed than that of the store is refused`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            try await withStoredGateway(file, { $0.seed = 7 }) { _ in }
            try await withStoredGateway(file, { $0.seed = 7 }) { _ in }
            let error = await #expect(throws: GatewayError.self) {
                try await withStoredGateway(file, { $0.seed = 8 }) { _ in }
            }
            #expect(error?.detail.contains("seed 7") == true)
        }
    }

    @Test func `the file is free again where the gateway does not start`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            try await withStoredGateway(folder + "/other.sqlite") { other in
                await #expect(throws: GatewayError.self) {
                    try await withStoredGateway(file, { $0.port = other.running.port }) { _ in }
                }
            }
            try await withStoredGateway(file) { _ in }
        }
    }
}

/// Notifications one after the other.
private struct AsyncNotifications: AsyncSequence, Sendable {
    let notifications: [APNSNotification]

    init(_ notifications: [APNSNotification]) { self.notifications = notifications }

    struct Iterator: AsyncIteratorProtocol {
        var rest: ArraySlice<APNSNotification>
        mutating func next() async -> APNSNotification? { rest.popFirst() }
    }

    func makeAsyncIterator() -> Iterator { Iterator(rest: notifications[...]) }
}

extension TestGateway {
    /// The machine's time as the control API takes it.
    fileprivate static var now: String { ISO8601DateFormatter().string(from: Date()) }
}
