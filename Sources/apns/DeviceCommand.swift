import APNSModel
import ArgumentParser
import DeviceSimulator
import Foundation
import PushDispatch
import Synchronization

/// Is a simulated device.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Is a simulated device: connects to a gateway, receives, dispatches, prints.",
        discussion: """
            Each push goes through the same dispatcher that apps embed. With --org, the records that an ACCOUNT_UPDATE \
            or INTERACTION names are fetched and put into the device's store; without it they stay pending. The access \
            token for the org is read from the environment variable APNS_ORG_TOKEN.

            EXAMPLE
              apns gateway                    # in one terminal
              apns device                     # in another; it prints its device token
              apns send --gateway local --token TOKEN --alert 'Hello'

            EXIT STATUS: 0 stopped in order; 2 no gateway, or it does not want this device; 64 bad arguments.
            """)

    @Option(help: ArgumentHelp("The gateway's control API.", valueName: "url"))
    var control = "http://127.0.0.1:8444"
    @Option(help: "The bearer token of the control API, where the gateway wants one.")
    var controlToken: String?
    @Option(help: ArgumentHelp("The app on this device. ENVIRONMENT: APNS_TOPIC.", valueName: "bundle"))
    var topic: String?
    @Option(help: ArgumentHelp("The device token to have; the gateway makes one when absent.", valueName: "hex"))
    var token: String?
    @Option(help: ArgumentHelp("The REST back end to fetch records from.", valueName: "url"))
    var org: String?
    @Option(help: "Which of the app's callbacks a push comes in by: background, foreground or tap.")
    var entry = Entry.background
    @Option(help: ArgumentHelp("Stop after this many pushes.", valueName: "number"))
    var count: Int?
    @Flag(help: "Print every event as one line of JSON.")
    var json = false

    enum Entry: String, ExpressibleByArgument, CaseIterable { case background, foreground, tap }

    private struct Arguments {
        var connection: DeviceConnection
        var token: DeviceToken?
        var org: SimulatedDevice.Org?
    }

    func validate() throws {
        _ = try arguments()
        if let count, count < 1 { throw ValidationError("--count takes a number from 1") }
    }

    private func arguments() throws -> Arguments {
        guard let endpoint = ControlEndpoint(url: control, token: controlToken) else {
            throw ValidationError("--control \(control): a URL like http://127.0.0.1:8444 is wanted")
        }
        let name = topic ?? System.environment("APNS_TOPIC") ?? "com.example.agent"
        guard let topic = Topic(name) else {
            throw ValidationError("--topic \(name): a bundle id has letters, digits, '.', '-' and '_' only")
        }
        var arguments = Arguments(connection: DeviceConnection(endpoint, topic: topic))
        if let token {
            guard let parsed = DeviceToken(token) else {
                throw ValidationError("--token: an even number of hexadecimal digits is wanted")
            }
            arguments.token = parsed
        }
        if let org {
            guard let url = URL(string: org), url.scheme == "http" || url.scheme == "https", url.host != nil else {
                throw ValidationError("--org \(org): a URL like http://127.0.0.1:8446 is wanted")
            }
            arguments.org = SimulatedDevice.Org(
                instance: url, accessToken: System.environment("APNS_ORG_TOKEN") ?? "")
        }
        return arguments
    }

    func run() async throws {
        let arguments = try arguments()
        let printer = DevicePrinter(isJSON: json)
        // Before anything says that it runs, so that whoever reads it may stop it at once.
        let stop = AsyncStream.makeStream(of: Void.self)
        let signals = Signals { _ in stop.continuation.finish() }
        let handled = HandledPushes()
        let device = SimulatedDevice(
            arguments.connection, org: arguments.org,
            entryPoint: entry == .background ? .background : entry == .foreground ? .foreground : .tap
        ) { event in
            if case .finished = event { handled.add() }
            printer.show(event)
            // Nobody reads on, so there is nobody to be a device for.
            if Output.standard.isBroken { stop.continuation.finish() }
        }
        let limit = count
        let connection = arguments.connection
        let work = Task {
            let token = try await connection.register(arguments.token)
            printer.ready(token, connection.topic)
            try await device.run(token, limit: limit)
        }
        let watch = Task {
            for await _ in stop.stream {}
            work.cancel()
        }
        let result = await work.result
        let isStopped = work.isCancelled
        watch.cancel()
        withExtendedLifetime(signals) {}
        // Without a connection there was no device that could stop.
        if isStopped || handled.count > 0 { printer.summary(of: handled.count) }
        guard case .failure(let error) = result, !isStopped else { return }
        throw CommandError((error as? DeviceError)?.detail ?? "\(error)")
    }
}

private final class HandledPushes: Sendable {
    private let pushes = Atomic(0)

    func add() { pushes.add(1, ordering: .relaxed) }
    var count: Int { pushes.load(ordering: .relaxed) }
}
