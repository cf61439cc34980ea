import EventDelivery
import Foundation
import PushDispatch
import TestSupport
import Testing

@testable import Personalization

/// An app that writes down what its handler asks for.
///
/// `@unchecked Sendable` because the lock protects everything.
private final class OpeningApp: @unchecked Sendable {
    private let lock = NSLock()
    private var steps: [String] = []
    private var ids: [EventID] = []
    private var refuses = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var isHeld = false

    func add(_ step: String) { lock.withLock { steps.append(step) } }

    var all: [String] { lock.withLock { steps } }
    var eventIDs: [EventID] { lock.withLock { ids } }

    func refuse(_ refuses: Bool) { lock.withLock { self.refuses = refuses } }
    func hold() { lock.withLock { isHeld = true } }

    func release() {
        let due = lock.withLock {
            isHeld = false
            defer { held = [] }
            return held
        }
        for continuation in due { continuation.resume() }
    }

    func wait(for step: String) async { #expect(await eventually { all.contains(step) }) }

    private func queue(_ push: OpenedPush) async throws {
        add("queue")
        await withCheckedContinuation { continuation in
            let goesOn = lock.withLock {
                if isHeld { held.append(continuation) }
                return !isHeld
            }
            if goesOn { continuation.resume() }
        }
        if lock.withLock({ refuses }) { throw DecisionError(.consent, "refused") }
        lock.withLock { ids.append(push.eventID) }
        add("queued")
    }

    func handler(
        _ store: any DecisionStore, clock: DecisionTestClock = DecisionTestClock(), log: PushOpenedLog = PushOpenedLog()
    ) -> PushOpenedHandler<String> {
        PushOpenedHandler(
            installation: "device-1", store: store, clock: clock, onEvent: { log.add($0) },
            actions: PushOpenedActions(
                queueOpen: { try await self.queue($0) },
                route: { $0.hasPrefix("https://www.example.com/") ? "category" : nil },
                navigate: { _, route in self.add("navigate \(route ?? "nowhere")") },
                fetch: { points, context in
                    self.add("fetch \(points.joined()) \(context.attributes["category"]?.text ?? "")")
                    return FetchedDecisions(parts: [], credits: 1)
                }, show: { _, result in self.add((try? result.get()) == nil ? "kept" : "show") }))
    }
}

/// `@unchecked Sendable` because the lock protects everything.
private final class PushOpenedLog: @unchecked Sendable {
    private let lock = NSLock()
    private var events: [PushOpenedEvent] = []

    func add(_ event: PushOpenedEvent) { lock.withLock { events.append(event) } }

    var all: [PushOpenedEvent] { lock.withLock { events } }
}

@Suite(.timeLimit(.minutes(5)))
struct PushOpenedHandlerTests {
    private let push = Push(
        json: Data(
            (#"{"type":"PERSONALIZED","personalization":{"context":{"category":"Kettles"},"#
                + #""link":"https://www.example.com/c/kettles"}}"#).utf8))

    @Test func `a tap queues the open, opens the screen and then fetches`() async throws {
        let app = OpeningApp()
        let opening = try #require(await app.handler(MemoryDecisionStore()).opened(push, requestID: "n1"))
        #expect(opening.event == .queued && opening.route == "category")
        await app.wait(for: "show")
        #expect(
            app.all == [
                "queue", "queued", "navigate category", "fetch notification_landing_recs Kettles", "show",
            ])
    }

    @Test func `a repeat of the callback sends no second event, also in a later process`() async throws {
        let app = OpeningApp()
        let store = MemoryDecisionStore()
        let handler = app.handler(store)
        await handler.opened(push, requestID: "n1")
        #expect(await handler.opened(push, requestID: "n1")?.event == .repeated)
        #expect(await app.handler(store).opened(push, requestID: "n1")?.event == .repeated)
        #expect(await app.handler(store).opened(push, requestID: "n2")?.event == .queued)
        #expect(app.eventIDs.count == 2)
        #expect(app.all.filter { $0 == "navigate category" }.count == 4)
    }

    @Test func `two callbacks at the same time queue one event`() async throws {
        let app = OpeningApp()
        let handler = app.handler(MemoryDecisionStore())
        app.hold()
        async let first = handler.opened(push, requestID: "n1")
        await app.wait(for: "queue")
        #expect(await handler.opened(push, requestID: "n1")?.event == .repeated)
        app.release()
        #expect(await first?.event == .queued)
        #expect(app.eventIDs.count == 1)
    }

    @Test func `if the process ends before the open is remembered, it is queued again with the same id`() async throws {
        let app = OpeningApp()
        await app.handler(MemoryDecisionStore()).opened(push, requestID: "n1")
        await app.handler(MemoryDecisionStore()).opened(push, requestID: "n1")
        #expect(app.eventIDs.count == 2 && Set(app.eventIDs).count == 1)
        let id = OpenedNotifications.eventID("n1", installation: "device-1")
        #expect(app.eventIDs[0] == id)
        #expect(id != OpenedNotifications.eventID("n1", installation: "device-2"))
        #expect(id != OpenedNotifications.eventID("n2", installation: "device-1"))
        #expect(Array(id.description)[14] == "8" && "89ab".contains(Array(id.description)[19]))
    }

    @Test func `a refused open does not stop the screen, and the next repeat tries again`() async throws {
        let app = OpeningApp()
        let handler = app.handler(MemoryDecisionStore())
        app.refuse(true)
        let opening = try #require(await handler.opened(push, requestID: "n1"))
        #expect(opening.event == .failed("consent: refused") && opening.route == "category")
        app.refuse(false)
        #expect(await handler.opened(push, requestID: "n1")?.event == .queued)
    }

    @Test func `the screen does not wait long for the queue`() async throws {
        let app = OpeningApp()
        let clock = DecisionTestClock()
        let store = MemoryDecisionStore()
        let handler = app.handler(store, clock: clock)
        app.hold()
        async let opening = handler.opened(push, requestID: "n1")
        await app.wait(for: "queue")
        await clock.advance(1_000)
        #expect(await opening?.event == .late)
        #expect(app.all.contains("navigate category") && !app.all.contains("queued"))
        app.release()
        await app.wait(for: "queued")
        #expect(await eventually { store.load(maximumBytes: .max) != nil })
    }

    @Test func `a completion handler is called once`() async throws {
        let app = OpeningApp()
        let openings = Received<PushOpening<String>?>()
        app.handler(MemoryDecisionStore()).opened(push, requestID: "n1") { openings.add($0) }
        #expect(await openings.first()??.event == .queued)
        await app.wait(for: "show")
        #expect(openings.all.count == 1)
    }

    @Test func `what was opened is bounded, and a damaged list is set aside`() async throws {
        var opened = OpenedNotifications()
        for number in 0...OpenedNotifications.maximumCount { opened.insert("n\(number)") }
        #expect(opened.hashes.count == OpenedNotifications.maximumCount)
        #expect(!opened.contains("n0") && opened.contains("n1"))
        let stored = opened.encoded()
        #expect(OpenedNotifications(encoded: stored) == opened)
        #expect(OpenedNotifications(encoded: OpenedNotifications().encoded()) == OpenedNotifications())
        for index in stride(from: 0, to: stored.count, by: 97) {
            var changed = stored
            changed[index] ^= 1
            #expect(OpenedNotifications(encoded: changed) == nil)
            #expect(OpenedNotifications(encoded: Array(stored[..<index])) == nil)
        }
        let log = PushOpenedLog()
        let app = OpeningApp()
        let handler = app.handler(MemoryDecisionStore(Array("x".utf8)), log: log)
        #expect(await handler.opened(push, requestID: "n1")?.event == .queued)
        #expect(log.all == [.storeDamaged(movedTo: nil), .opened(.queued)])
    }
}

/// Flow 8 of docs/reference/personalization.md 19.
@Suite(.timeLimit(.minutes(5)))
struct PersonalizedPushReceiverTests {
    /// `@unchecked Sendable` because the lock protects everything.
    private final class Hints: HintHandler, @unchecked Sendable {
        private let lock = NSLock()
        private var handled: [Hint] = []

        var all: [Hint] { lock.withLock { handled } }

        func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport {
            lock.withLock { handled.append(hint) }
            return HandlerReport(changed: 1)
        }
    }

    private func result(_ receiver: some PushReceiver, _ push: Push, _ entryPoint: EntryPoint) async -> PushResult? {
        let result = Received<PushResult>()
        receiver.handle(push, from: entryPoint) { result.add($0) }
        return await result.first()
    }

    @Test func `hints and personalization pushes in one app do not see each other`() async throws {
        let hints = Hints()
        let seen = DispatchLog()
        let dispatcher = PushDispatcher(handler: hints, pending: MemoryPendingStore(), onEvent: { seen.add($0) })
        let receiver = PersonalizedPushReceiver(dispatcher, rules: PushOpenedRules())
        let app = OpeningApp()
        let opener = app.handler(MemoryDecisionStore())
        let hint = Push(
            json: Data(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"001000000000001AAA"}"#.utf8))
        let personalized = Push(json: Data(#"{"aps":{"alert":"Hi"},"type":"PERSONALIZED"}"#.utf8))

        for entryPoint in EntryPoint.allCases {
            #expect(await result(receiver, personalized, entryPoint) == .noData)
        }
        #expect(seen.count == 0 && hints.all.isEmpty)
        #expect(receiver.isShownInForeground(personalized) && !receiver.isShownInForeground(hint))
        #expect(receiver.target(of: personalized) == .message(type: "PERSONALIZED"))

        #expect(await result(receiver, hint, .background) == .newData)
        #expect(hints.all.count == 1)
        #expect(await opener.opened(hint, requestID: "n1") == nil)
        #expect(app.all.isEmpty)
    }

    /// `@unchecked Sendable` because the lock protects the number.
    private final class DispatchLog: @unchecked Sendable {
        private let lock = NSLock()
        private var number = 0

        var count: Int { lock.withLock { number } }

        func add(_ event: DispatchEvent) { lock.withLock { number += 1 } }
    }
}
