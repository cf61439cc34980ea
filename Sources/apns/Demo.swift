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

/// One change of a record on its way to a device's store, told step by step with times.
struct Demo {
    private static let accessToken = "demo-session"
    private static let user = RecordID("005xx000001X8Uz")!
    private static let topic = Topic(DevelopmentCredentials.defaultTopic)!

    private let output = Output.standard

    func run() async throws {
        output.note("Starting a CRM, a gateway and a device on free ports of this machine …")
        let pushes = AsyncStream.makeStream(of: [OutgoingPush].self)
        let calls = AsyncStream.makeStream(of: OrgServer.Call.self)
        let events = AsyncStream.makeStream(of: DemoDevice.Event.self)
        // The device is a process of its own and must not be left behind.
        let stop = StopSignal()
        let signals = Signals { _ in
            stop.stop()
            pushes.continuation.finish()
            calls.continuation.finish()
            events.continuation.finish()
        }

        var org = Org()
        let account = try org.create(
            "Account", ["Name": .string("Northwind Clinic"), "Type": .string("Prospect")], by: Demo.user,
            at: ServerDate(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1000) - 86_400_000))
        let orgServer = try await OrgServer.start(
            org, port: 0, sessions: [Demo.accessToken: Demo.user], onPush: { pushes.continuation.yield($0) },
            onCall: { call in
                // Of the device's calls the story tells the fetch; its registration comes before.
                if call.path.contains("/composite/") { calls.continuation.yield(call) }
            })
        let gateway = try await startGateway()
        let device = try DemoDevice(
            control: gateway.controlURL, org: orgServer.url, accessToken: Demo.accessToken, events)
        let provider = try provider(for: gateway)

        let isArrived: Bool
        do {
            isArrived = try await tell(account, orgServer, pushes.stream, calls.stream, provider, gateway, device)
        } catch {
            await end(device, provider, gateway, orgServer)
            guard !stop.isStopped else { throw Demo.stopped }
            throw error
        }
        await end(device, provider, gateway, orgServer)
        withExtendedLifetime(signals) {}
        guard !stop.isStopped || isArrived else { throw Demo.stopped }
        guard isArrived else { throw CommandError("The record did not arrive in the device's store.", .no) }
    }

    private static let stopped = CommandError("The demo was stopped before the record arrived.", .no)

    private func end(
        _ device: DemoDevice, _ provider: APNSProvider, _ gateway: RunningGateway, _ org: OrgServer
    ) async {
        device.stop()
        await provider.close()
        await gateway.shutdown()
        await org.stop()
    }

    private func startGateway() async throws -> RunningGateway {
        var configuration = GatewayConfiguration()
        configuration.port = 0
        configuration.controlPort = 0
        configuration.devices = .strict
        do throws(GatewayError) {
            configuration.credentials = .given(try .make())
            return try await GatewayServer(configuration).start()
        } catch {
            throw CommandError("the gateway could not start: \(error.detail)")
        }
    }

    private func provider(for gateway: RunningGateway) throws -> APNSProvider {
        let credentials = gateway.credentials
        return try APNSProvider(
            ProviderConfiguration(
                gateway: Gateway(host: "127.0.0.1", port: gateway.port),
                credentials: .token(key: credentials.key, keyID: credentials.keyID, teamID: credentials.teamID),
                trust: .authorities(pem: credentials.caPEM)))
    }

    // MARK: The story

    private func tell(
        _ account: RecordID, _ org: OrgServer, _ pushes: AsyncStream<[OutgoingPush]>,
        _ calls: AsyncStream<OrgServer.Call>, _ provider: APNSProvider, _ gateway: RunningGateway, _ device: DemoDevice
    ) async throws -> Bool {
        let token = try await device.ready()
        output.result("")
        output.result("  CRM      \(org.url)")
        output.result("  gateway  \(gateway.url), control API \(gateway.controlURL)")
        output.result("  device   process \(device.processID), device token \(token), topic \(Demo.topic)")
        output.result("")

        let steps = DemoSteps(output)
        steps.show("change", "Account \(account): Name \"Northwind Clinic\" becomes \"Northwind Clinic Nord\"")
        try org.update(account, ["Name": .string("Northwind Clinic Nord")], by: Demo.user)

        var pushIterator = pushes.makeAsyncIterator()
        guard let push = await pushIterator.next()?.first else { return false }
        steps.show("trigger", "\(push.type): \(String(decoding: push.payload, as: UTF8.self))")

        let notification = APNSNotification(
            to: token, topic: Demo.topic, pushType: .background, priority: .powerConsiderate, payload: push.payload)
        var validator = Validator()
        let findings = validator.findings(for: Envelope(notification))
        steps.show(
            "check",
            "\(push.payload.count) of \(PushType.background.maximumPayloadBytes) bytes, "
                + "\(findings.count) findings; push type background, priority 5")

        let reply = try await provider.send(notification)
        steps.show("send", "signed with ES256, sent over TLS and HTTP/2, answered with \(reply.status)")
        guard let entry = gateway.read({ $0.notifications().entries.first }) else { return false }
        steps.show("gateway", "\(entry.verdict.isAccepted ? "accepted" : "refused"): \(entry.verdict.why)")
        guard reply.isAccepted else { return false }

        return try await follow(device, calls, steps, account)
    }

    /// What the device does with the push, as it prints it.
    private func follow(
        _ device: DemoDevice, _ calls: AsyncStream<OrgServer.Call>, _ steps: DemoSteps, _ account: RecordID
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
                return close(event["result"] == "newData" && stored?.contains("Northwind Clinic Nord") == true)
            default: break
            }
        }
        return false
    }

    private func close(_ isArrived: Bool) -> Bool {
        guard isArrived else { return false }
        output.result("")
        output.result("One record changed, one record was fetched. Where to go next:\n")
        let lines = [
            ("gateway", "the gateway for your own back end's tests, with a curl line to paste"),
            ("send --help", "send to it, or to Apple"), ("validate payloads", "check payloads in CI"),
            ("device", "a device that shows what arrives"),
        ]
        for (arguments, what) in lines {
            output.result(
                "  \(ShellText.command) \(arguments.padding(toLength: 18, withPad: " ", startingAt: 0))  \(what)")
        }
        return true
    }
}

/// The lines of the story with the time since the change.
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
