import APNSModel
import DeviceSimulator
import Foundation
import PayloadJSON
import SystemFiles

/// `apns device` as a separate process, and the events that it prints.
final class DemoDeviceProcess {
    /// One line of the output of the device.
    struct Event {
        private let document: JSONDocument

        init?(_ line: Substring) {
            guard let document = try? JSONDocument(Array(line.utf8)), document.kind(of: .root) == .object else {
                return nil
            }
            self.document = document
        }

        var name: String { self["event"] }

        /// The text of a member; empty where there is none.
        subscript(key: String) -> String {
            document.member(named: key, of: .root).map { document.string(of: $0) ?? document.source(of: $0) } ?? ""
        }

        /// The JSON text of a member.
        func source(_ key: String) -> String? { document.member(named: key, of: .root).map { document.source(of: $0) } }
    }

    private var process: ChildProcess
    private let output: FileHandle
    private var events: AsyncStream<Event>.Iterator
    private let continuation: AsyncStream<Event>.Continuation

    /// How long to wait for the next event.
    private static let deadline: Duration = .seconds(20)

    /// - Parameter events: Gets the events. Its owner may finish it to stop waiting.
    init(
        control: String, org: String, accessToken: String,
        _ events: (stream: AsyncStream<Event>, continuation: AsyncStream<Event>.Continuation)
    ) throws {
        let continuation = events.continuation
        self.events = events.stream.makeAsyncIterator()
        self.continuation = continuation
        let pipe = Pipe()
        let lines = LineSplitter()
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            guard !data.isEmpty else {
                handle.readabilityHandler = nil
                return continuation.finish()
            }
            for line in lines.receive(data) { Event(line).map { _ = continuation.yield($0) } }
        }
        output = pipe.fileHandleForReading
        do throws(Spawn.NotStarted) {
            process = try ChildProcess(
                Bundle.main.executablePath ?? CommandLine.arguments[0],
                ["device", "--json", "--control", control, "--org", org],
                environment: ProcessInfo.processInfo.environment.merging(["APNS_ORG_TOKEN": accessToken]) { $1 },
                output: pipe.fileHandleForWriting.fileDescriptor)
        } catch {
            throw CommandError("the device's process could not be started: \(System.text(ofError: error.code))")
        }
        // This process must not hold the writing end, or reading would not end when the device does.
        try? pipe.fileHandleForWriting.close()
    }

    var processID: Int32 { process.id }

    /// The next event; nil when the process has ended or the deadline has passed.
    func next() async throws -> Event? {
        let continuation = continuation
        let watch = Task {
            try await Task.sleep(for: DemoDeviceProcess.deadline)
            continuation.finish()
        }
        defer { watch.cancel() }
        return await events.next()
    }

    /// The device token, once the device is registered and listens.
    func ready() async throws -> DeviceToken {
        var token: DeviceToken?
        while let event = try await next() {
            if event.name == "ready" { token = DeviceToken(event["token"]) }
            if event.name == "connected", let token { return token }
        }
        throw CommandError("the device's process ended before it was connected")
    }

    func stop() { process.stop() }
}

/// Splits the output of a process into lines. `@unchecked` because it is used on the queue of the pipe's handler only.
private final class LineSplitter: @unchecked Sendable {
    /// The bytes since the last line end. A pipe may split a character.
    private var rest: [UInt8] = []

    func receive(_ data: Data) -> [Substring] {
        rest += data
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Array(lines.popLast() ?? [])
        return lines.map { Substring(decoding: $0, as: UTF8.self) }
    }
}
