import APNSModel
import APNSPayload
import APNSProvider
import Foundation
import GatewayCore
import GatewayServer
import OrgSimulator
import PayloadJSON
import PushDispatch
import SelectiveSync
import Synchronization
import ServiceHost

/// Shows one change of a record on its way to the store of a device, step by step with times, and then the hard cases.
struct Demo {
    private let output = Output.standard

    /// - Parameter isShort: The first change only.
    func run(isShort: Bool) async throws {
        output.note("Starting a CRM, a gateway and a device on free ports of this machine …")
        let pushes = AsyncStream.makeStream(of: [OutgoingPush].self)
        let calls = AsyncStream.makeStream(of: OrgServer.Call.self)
        let events = AsyncStream.makeStream(of: DemoDeviceProcess.Event.self)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let backEnd = try await DemoBackEnd.start(
            fill: { org, date in
                _ = try org.create(
                    "Account", ["Name": "Northwind Clinic", "Type": "Prospect"], by: DemoBackEnd.user, at: date)
                if !isShort { try DemoScenes.fill(&org, at: date) }
            },
            onPush: { pushes.continuation.yield($0) },
            onCall: { call in
                // Only the fetch is shown. The registration of the device comes before it.
                if call.path.contains("/composite/") { calls.continuation.yield(call) }
            })
        let stop = StopSignal()
        let running = Mutex<Task<Void, any Error>?>(nil)
        // Before the device is started, which must not be left running.
        let signals = Signals { _ in
            stop.stop()
            running.withLock { $0 }?.cancel()
            pushes.continuation.finish()
            calls.continuation.finish()
            events.continuation.finish()
        }
        let story = Task {
            try Task.checkCancellation()
            let device = try DemoDeviceProcess(
                control: backEnd.gateway.controlURL, org: backEnd.org.url, accessToken: DemoBackEnd.accessToken, events)
            let token: DeviceToken
            do {
                // The device is a separate process.
                defer { device.stop() }
                token = try await device.ready()
                guard try await showChange(backEnd, pushes.stream, calls.stream, device, token) else {
                    throw CommandError("The record did not arrive in the store of the device.", .no)
                }
            }
            guard !isShort else { return }
            try await DemoScenes.play(backEnd, former: token, in: folder)
            try await DemoCampaign.play(backEnd, in: folder)
            try await DemoMagazine.play(backEnd, in: folder)
        }
        running.withLock { $0 = story }
        if stop.isStopped { story.cancel() }
        let result = await story.result
        await backEnd.stop()
        withExtendedLifetime(signals) {}
        if case .failure(let error) = result {
            throw stop.isStopped ? CommandError("The demo was stopped before its end.", .no) : error
        }
        showNextSteps()
    }

    // MARK: The first change

    private func showChange(
        _ backEnd: DemoBackEnd, _ pushes: AsyncStream<[OutgoingPush]>, _ calls: AsyncStream<OrgServer.Call>,
        _ device: DemoDeviceProcess, _ token: DeviceToken
    ) async throws -> Bool {
        let (org, gateway) = (backEnd.org, backEnd.gateway)
        guard let account = backEnd.records(of: "Account").first?.id else { return false }
        output.result("")
        output.result("  CRM      \(org.url)")
        output.result("  gateway  \(gateway.url), control API \(gateway.controlURL)")
        output.result("  device   process \(device.processID), device token \(token), topic \(DemoBackEnd.topic)")
        output.result("")

        let steps = DemoSteps(output)
        steps.show("change", "Account \(account): Name \"Northwind Clinic\" becomes \"Northwind Clinic Nord\"")
        try org.update(account, ["Name": .string("Northwind Clinic Nord")], by: DemoBackEnd.user)

        var pushIterator = pushes.makeAsyncIterator()
        guard let push = await pushIterator.next()?.first else { return false }
        steps.show("trigger", "\(push.type): \(String(decoding: push.payload, as: UTF8.self))")

        let notification = APNSNotification(
            to: token, topic: DemoBackEnd.topic, pushType: .background, priority: .powerConsiderate,
            payload: push.payload)
        var validator = Validator()
        let findings = validator.findings(for: Envelope(notification))
        steps.show(
            "check",
            "\(push.payload.count) of \(PushType.background.maximumPayloadBytes) bytes, "
                + "\(findings.count) findings; push type background, priority 5")

        let reply = try await backEnd.provider.send(notification)
        steps.show("send", "signed with ES256, sent over TLS and HTTP/2, answered with \(reply.status)")
        guard let entry = gateway.read({ $0.notifications().entries.first }) else { return false }
        steps.show("gateway", "\(entry.verdict.isAccepted ? "accepted" : "refused"): \(entry.verdict.why)")
        guard reply.isAccepted else { return false }

        return try await follow(device, calls, steps, account)
    }

    /// Shows what the device does with the push.
    ///
    /// - Returns: Whether the changed record is in its store.
    private func follow(
        _ device: DemoDeviceProcess, _ calls: AsyncStream<OrgServer.Call>, _ steps: DemoSteps, _ account: RecordID
    ) async throws -> Bool {
        var callIterator = calls.makeAsyncIterator()
        var stored: String?
        while let event = try await device.next() {
            switch event.name {
            case "received": steps.show("deliver", "to the device, as apns-unique-id \(event["apns-unique-id"])")
            case "dispatched": steps.show("dispatch", "\(event["object"]), to selective sync")
            case "merged":
                if let call = await callIterator.next() {
                    steps.show(
                        "fetch",
                        "\(call.method) \(call.path): \(call.status), \(call.requestBytes) bytes out, "
                            + "\(call.replyBytes) bytes back")
                }
                steps.show("merge", "\(event["object"]): \(event["counts"])")
            case "stored":
                stored = event.source("record")
                steps.show("store", stored ?? "")
            case "result":
                steps.show(
                    "result", "\(event["result"]) to the system, \(event["milliseconds"]) ms after it woke the app")
                return event["result"] == "newData" && stored?.contains("Northwind Clinic Nord") == true
            default: break
            }
        }
        return false
    }

    private func showNextSteps() {
        output.result("")
        output.result("What to try next:\n")
        let samples = DemoHints.samples(
            command: System.environment(ShellText.commandVariable), exists: System.fileExists)
        for line in DemoHints.lines(command: ShellText.command, samples: samples) { output.result("  " + line) }
    }
}

/// Prints the steps with the time since the change.
private final class DemoSteps {
    private let output: Output
    private let start = ContinuousClock.now

    init(_ output: Output) { self.output = output }

    func show(_ step: String, _ text: String) {
        let milliseconds = (ContinuousClock.now - start).inMilliseconds
        let time = DurationText.decimal(milliseconds, places: 1)
        let indent = String(repeating: " ", count: max(0, 8 - time.count))
        let name = output.results.strong(step.padding(toLength: 9, withPad: " ", startingAt: 0))
        output.result("\(indent)\(time) ms  \(name)\(text)")
        output.flush()
    }
}
