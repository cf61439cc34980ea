import APNSModel
import DeviceSimulator
import Foundation
import PayloadJSON
import SystemFiles

/// `apns device` as a process of its own, and the events that it prints.
final class DemoDeviceProcess {
    /// One line of the device's output.
    struct Event {
        private let document: JSONDocument

        init?(_ line: Substring) {
            guard let document = try? JSONDocument(Array(line.utf8)), document.kind(of: .root) == .object else {
                return nil
            }
            self.document = document
        }

        var name: String { self["event"] }

        /// A member as text; empty where there is none.
        subscript(key: String) -> String {
            document.member(named: key, of: .root).map { document.string(of: $0) ?? document.source(of: $0) } ?? ""
        }

        /// A member as the JSON that it is.
        func source(_ key: String) -> String? { document.member(named: key, of: .root).map { document.source(of: $0) } }
    }

    private var process: ChildProcess
    private let output: FileHandle
    private var events: AsyncStream<Event>.Iterator
    private let continuation: AsyncStream<Event>.Continuation

    /// Nobody waits longer than this for the next thing to happen.
    private static let patience: Duration = .seconds(20)

    /// - Parameter events: Finished by whoever does not want to wait for it any more.
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
        // The end of what the device prints is its own end, and not that of this process.
        try? pipe.fileHandleForWriting.close()
    }

    var processID: Int32 { process.id }

    /// The next event; nil when the process has ended.
    func next() async throws -> Event? {
        let continuation = continuation
        let watch = Task {
            try await Task.sleep(for: DemoDeviceProcess.patience)
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

/// Cuts what a process prints into lines. Called on one queue, that of the pipe's handler.
private final class LineSplitter: @unchecked Sendable {
    /// What came since the last line end; bytes, because a character may be cut by the pipe.
    private var rest: [UInt8] = []

    func receive(_ data: Data) -> [Substring] {
        rest += data
        var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Array(lines.popLast() ?? [])
        return lines.map { Substring(decoding: $0, as: UTF8.self) }
    }
}
