import Foundation
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@testable import DeviceSimulator

@Suite(.timeLimit(.minutes(10)))
struct DeliveryForwarderTests {
    /// Waits that a test ends when it wants: those of `limit` at once or never, those between two tries at once.
    private static func delivery(
        _ target: ForwardingTarget, attempts: Int = 3, timeIsUp: Bool = false, pauses: Pauses = Pauses(),
        path: String? = nil
    ) -> DeliveryForwarder {
        var environment = ProcessInfo.processInfo.environment
        if let path { environment["PATH"] = "\(path):\(environment["PATH"] ?? "")" }
        return DeliveryForwarder(target, attempts: attempts, limit: .seconds(600), environment: environment) {
            duration in
            if duration < .seconds(600) { return pauses.add(duration) }
            if !timeIsUp { for await _ in AsyncStream<Void>.makeStream().stream {} }
            try Task.checkCancellation()
        }
    }

    final class Pauses: Sendable {
        private let all = Mutex<[Duration]>([])
        func add(_ duration: Duration) { all.withLock { $0.append(duration) } }
        var list: [Duration] { all.withLock { $0 } }
    }

    private final class Events {
        var list: [DeliveryForwarder.Event] = []
        var reasons: [String] {
            list.compactMap { if case .failed(_, let why, _) = $0 { why } else { nil } }
        }
    }

    private static func command(_ text: String) -> ForwardingTarget { .command(text, printsToErrors: true) }

    @Test func `a command reads the envelope`() async throws {
        let (folder, events) = (try Folder(), Events())
        let delivery = DeliveryForwarderTests.delivery(DeliveryForwarderTests.command("cat >'\(folder.path)/got'"))
        let outcome = await delivery.forward(try ForwardingTargetTests.push()) { events.list.append($0) }
        #expect(outcome == .forwarded)
        #expect(folder.text("got") == ForwardingTargetTests.envelope + "\n")
        guard case .forwarded(attempts: 1, _) = try #require(events.list.last) else {
            Issue.record("\(events.list)")
            return
        }
    }

    @Test func `a command that reads nothing of a large envelope holds nothing up`() async throws {
        let text = String(repeating: "x", count: 900_000)
        let push = try ForwardingTargetTests.push(type: "alert", payload: "{\"aps\":{\"alert\":\"\(text)\"}}")
        let delivery = DeliveryForwarderTests.delivery(DeliveryForwarderTests.command("exit 0"))
        #expect(await delivery.forward(push) { _ in } == .forwarded)
    }

    @Test func `what fails is tried again, with longer and longer waits`() async throws {
        let (folder, events, pauses) = (try Folder(), Events(), Pauses())
        let script = "echo \"$APNS_ATTEMPT\" >>'\(folder.path)/tries'; test \"$APNS_ATTEMPT\" = 4"
        let delivery = DeliveryForwarderTests.delivery(
            DeliveryForwarderTests.command(script), attempts: 5, pauses: pauses)
        #expect(await delivery.forward(try ForwardingTargetTests.push()) { events.list.append($0) } == .forwarded)
        #expect(folder.text("tries") == "1\n2\n3\n4\n")
        #expect(pauses.list == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(events.reasons == Array(repeating: "the command ended with status 1", count: 3))
    }

    @Test func `after the last try it is given up, with the reason`() async throws {
        let events = Events()
        let delivery = DeliveryForwarderTests.delivery(DeliveryForwarderTests.command("exit 7"), attempts: 2)
        #expect(await delivery.forward(try ForwardingTargetTests.push()) { events.list.append($0) } == .givenUp)
        #expect(
            events.list == [
                .failed(attempts: 1, why: "the command ended with status 7", .again(after: .seconds(1))),
                .failed(attempts: 2, why: "the command ended with status 7", .givenUp),
            ])
    }

    @Test func `a signal is no success`() async throws {
        let events = Events()
        let delivery = DeliveryForwarderTests.delivery(DeliveryForwarderTests.command("kill -9 $$"), attempts: 1)
        #expect(await delivery.forward(try ForwardingTargetTests.push()) { events.list.append($0) } == .givenUp)
        #expect(events.reasons == ["the command was ended by the signal 9"])
    }

    /// Its child ignores SIGTERM and keeps a pipe open; the end of the pipe shows that the child has ended.
    @Test(arguments: ["sleep 1000", "trap '' TERM; sleep 1000; sleep 1000"])
    func `a command that is stuck is killed with all that it started`(script: String) async throws {
        let (pipe, events) = (try Fifo(), Events())
        let child = "(trap '' TERM; exec >'\(pipe.path)'; echo begun; sleep 1000; sleep 1000) & "
        let isBegun = Mutex(false)
        let delivery = DeliveryForwarder(
            DeliveryForwarderTests.command(child + script), attempts: 1, limit: .seconds(600),
            environment: ProcessInfo.processInfo.environment
        ) { duration in
            guard duration == .seconds(600) else { return }
            while !isBegun.withLock({ $0 }) { await Task.yield() }
        }
        async let text = pipe.text { isBegun.withLock { $0 = true } }
        #expect(await delivery.forward(try ForwardingTargetTests.push()) { events.list.append($0) } == .givenUp)
        #expect(events.reasons == ["the command took longer than 600 s and was killed"])
        #expect(await text == "begun\n")
    }

    @Test func `when stopped, it waits for the running command and starts no other`() async throws {
        let (begun, goOn, push) = (try Fifo(), try Fifo(), try ForwardingTargetTests.push())
        let delivery = DeliveryForwarderTests.delivery(
            DeliveryForwarderTests.command("echo begun >'\(begun.path)'; cat '\(goOn.path)' >&2; exit 3"))
        let events = Mutex<[DeliveryForwarder.Event]>([])
        let task = Task { await delivery.forward(push) { event in events.withLock { $0.append(event) } } }
        #expect(await begun.text() == "begun\n")
        task.cancel()
        goOn.open()
        #expect(await task.value == .interrupted)
        #expect(
            events.withLock { $0 } == [
                .failed(attempts: 1, why: "the command ended with status 3", .interrupted)
            ])
    }

    @Test func `when stopped before it began, it starts nothing`() async throws {
        let push = try ForwardingTargetTests.push()
        let delivery = DeliveryForwarderTests.delivery(DeliveryForwarderTests.command("exit 0"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await delivery.forward(push) { _ in }
        }
        #expect(await task.value == .interrupted)
    }

    @Test func `stopped at once, it kills the command`() async throws {
        let (begun, push) = (try Fifo(), try ForwardingTargetTests.push())
        let delivery = DeliveryForwarderTests.delivery(
            DeliveryForwarderTests.command("echo begun >'\(begun.path)'; sleep 1000"))
        let events = Mutex<[DeliveryForwarder.Event]>([])
        let task = Task { await delivery.forward(push) { event in events.withLock { $0.append(event) } } }
        #expect(await begun.text() == "begun\n")
        task.cancel()
        delivery.kill()
        #expect(await task.value == .interrupted)
        let why = "the command was killed, because the device was stopped at once"
        #expect(events.withLock { $0 } == [.failed(attempts: 1, why: why, .interrupted)])
    }

    @Test func `a simulator gets file, app and device, and the output of xcrun is reported`() async throws {
        let (folder, events) = (try Folder(), Events())
        try await folder.writeProgram(
            """
            #!/bin/sh
            echo "$1 $2 $3 $4" >>'\(folder.path)/calls'
            cat "$5" >>'\(folder.path)/calls'
            ls -l "$5" | cut -c1-10 >>'\(folder.path)/modes'
            echo "$5" >'\(folder.path)/file'
            test -e '\(folder.path)/booted' || { echo 'No devices are booted.' >&2; exit 149; }
            """, to: "xcrun")
        let delivery = DeliveryForwarderTests.delivery(
            .simulator(device: "booted", bundleID: nil), attempts: 1, path: folder.path)
        let push = try ForwardingTargetTests.push()
        #expect(await delivery.forward(push) { events.list.append($0) } == .givenUp)
        #expect(events.reasons == ["xcrun simctl push ended with status 149: No devices are booted."])
        try folder.write("", to: "booted", mode: 0o600)
        #expect(await delivery.forward(push) { events.list.append($0) } == .forwarded)
        let call =
            "simctl push booted com.example.agent\n"
            + #"{"Simulator Target Bundle":"com.example.agent","aps":{"alert":"Hi"}}"#
        #expect(folder.text("calls") == call + call)
        #expect(folder.text("modes") == "-rw-------\n-rw-------\n")
        let file = folder.text("file").trimmingCharacters(in: .newlines)
        #expect(file.hasSuffix(".apns") && !FileManager.default.fileExists(atPath: file))
    }
}

/// A named pipe, by which a test and a command wait for each other.
private final class Fifo: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("apns-fifo-\(UUID().uuidString)").path

    init() throws { try #require(mkfifo(path, 0o600) == 0) }

    deinit { unlink(path) }

    /// What the command has written, once no process has the file open.
    ///
    /// - Parameter begins: Called when the first of it is there.
    func text(begins: @escaping @Sendable () -> Void = {}) async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [path] in
                var text = Data()
                if let file = FileHandle(forReadingAtPath: path) {
                    while case let part = file.availableData, !part.isEmpty {
                        text += part
                        begins()
                    }
                }
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
    }

    /// Lets the command read an empty file, once it wants to.
    func open() {
        Thread.detachNewThread { [path] in try? FileHandle(forWritingTo: URL(fileURLWithPath: path)).close() }
    }
}
