import APNSModel
import APNSPayload
import APNSProvider
import DeviceSimulator
import EventDelivery
import Foundation
import Optimization
import PushDispatch

/// A reader's app and the content that it shows: which variant and why, locked and live, and a push about an entry; then the
/// same without a network.
@MainActor
struct DemoMagazine {
    private let backEnd: DemoBackEnd
    private let content: DemoContent
    private let client: OptimizationClient
    private let delivery: DeliveryClient
    private let updates: EntryUpdateHandler
    private let device: DemoDevice<PushResult>
    private let output = Output.standard

    private static let user = "u-2001"
    private static let first = "All about kettles"
    private static let second = "All about kettles, corrected"
    private static let third = "All about kettles, third edition"

    /// - Parameter folder: For the files of the app.
    static func play(_ backEnd: DemoBackEnd, in folder: URL) async throws {
        let magazine = try await DemoMagazine(backEnd, in: folder)
        do {
            try await magazine.withoutNetwork(after: try await magazine.withNetwork())
        } catch {
            await magazine.stop()
            throw error
        }
        await magazine.stop()
    }

    private init(_ backEnd: DemoBackEnd, in folder: URL) async throws {
        self.backEnd = backEnd
        let content = try DemoContent(text: DemoMagazine.first)
        let transport = ClosureOptimizationTransport { request throws(TransportFailure) in
            guard
                let (status, body) = content.answer(
                    request.method, request.url, headers: request.headers, body: request.body ?? [])
            else { throw TransportFailure.network(-1_009) }
            return OptimizationHTTPReply(status: status, body: body)
        }
        let file = { (name: String) in folder.appendingPathComponent(name) }
        self.content = content
        client = OptimizationClient(
            storage: FileOptimizationStorage(file: file("magazine-values").path), transport: transport,
            eventStore: FileEventStore(file: file("magazine-events").path))
        delivery = DeliveryClient(
            DeliveryConfiguration(space: DemoContent.space, accessToken: DemoContent.accessToken),
            transport: transport, cache: FileDeliveryCache(folder: file("magazine-entries")))
        updates = EntryUpdateHandler(client, delivery: delivery, rules: EntryUpdateRules(locale: "en-US"))
        let dispatcher = PushDispatcher(routes: PushRoutes([updates.route]), pending: MemoryPendingStore())
        try await client.initialize(OptimizationConfiguration(clientID: DemoContent.clientID))
        device = try await DemoDevice("phone with the magazine", at: backEnd.gateway) { push in
            await dispatcher.handle(Push(json: Data(push.payload)), from: .background)
        }
    }

    private func stop() async {
        await device.stop()
        client.destroy()
    }

    // MARK: Scenes

    /// - Returns: The view that follows each change.
    private func withNetwork() async throws -> OptimizedEntryModel {
        output.scene("magazine", "Ada reads a story that has one variant for regular readers and one for all others")
        await client.consent(true)
        try await client.identify(userID: DemoMagazine.user)
        output.line("log-in", "Ada agrees and logs in; the service puts her into \(audiences)")
        let shown = try await open()
        try check(title(shown) == "Kettles in a minute", "a new reader gets the short variant")
        output.line("shown", words(shown))
        try await client.track("story-finished")
        output.line("event", "story-finished; the service puts her into \(audiences)")
        try check(title(shown) == "Kettles in a minute", "what is shown is locked")
        output.line("locked", "the story on the screen stays \"\(title(shown))\"")
        let opened = try await open()
        try check(title(opened) == DemoMagazine.first, "the next opening shows the variant for regular readers")
        output.line("opened", words(opened))
        opened.isLive = true
        try content.publish(text: DemoMagazine.second, revision: 2)
        try check(try await push() == .newData, "the push brings another version")
        try check(
            title(opened) == DemoMagazine.second && title(shown) == "Kettles in a minute",
            "what is live follows, and what is locked stays")
        output.line("live", "\"\(title(opened))\"; the locked one is still \"\(title(shown))\"")
        return opened
    }

    private func withoutNetwork(after live: OptimizedEntryModel) async throws {
        output.scene("no content", "the phone has no way to the services, and the story is corrected once more")
        content.setOnline(false)
        await client.setOnline(false)
        let opened = try await open()
        try check(title(opened) == DemoMagazine.second, "the cache has what the push brought")
        output.line("opened", "from the cache: \(words(opened))")
        try content.publish(text: DemoMagazine.third, revision: 3)
        try check(try await push() == .failed, "the push cannot be followed")
        try check(updates.pendingUpdates == [.entry("story")] && title(live) == DemoMagazine.second, "its name is kept")
        output.line("kept", "the name of the story, in a file")
        content.setOnline(true)
        let result = await updates.refreshPending()
        await client.setOnline(true)
        try check(
            result == .newData && updates.pendingUpdates.isEmpty && title(live) == DemoMagazine.third,
            "what was kept is fetched")
        output.line("online", "\(result.rawValue): \"\(title(live))\"")
    }

    // MARK: Steps

    private func open() async throws -> OptimizedEntryModel {
        guard
            let entry = try await delivery.entries(DeliveryQuery(contentType: "story", locale: "en-US"))["story"]
        else { throw CommandError("the delivery service has no story", .no) }
        return OptimizedEntryModel(client, baseline: entry)
    }

    /// Sends a push about the story, and waits until the app has handled it.
    private func push() async throws -> PushResult {
        let push = try EntryUpdatePush(EntryReference(.entry("story"), locale: "en-US"))
        let notification = APNSNotification(push, to: device.token, of: DemoBackEnd.topic)
        var validator = Validator()
        let findings = validator.findings(for: Envelope(notification))
        let reply = try await backEnd.provider.send(notification)
        try check(reply.isAccepted, "the gateway accepts the push: \(reply)")
        guard let result = try await device.handled(1).first else { throw CancellationError() }
        output.line(
            "push",
            "ENTRY_UPDATE: \(notification.payload.count) bytes, \(findings.count) findings, answered with "
                + "\(reply.status); \(result.rawValue)")
        return result
    }

    private var audiences: String {
        let all = content.audiences(of: DemoMagazine.user)
        return all.isEmpty ? "no audience" : all.joined(separator: ", ")
    }

    private func title(_ model: OptimizedEntryModel) -> String { model.resolution.entry["title"]?.string ?? "" }

    private func words(_ model: OptimizedEntryModel) -> String {
        "\"\(title(model))\", because \(model.resolution.reason)"
    }

    private func check(_ holds: Bool, _ what: @autoclosure () -> String) throws {
        if !holds { throw CommandError("this does not hold: \(what())", .no) }
    }
}
