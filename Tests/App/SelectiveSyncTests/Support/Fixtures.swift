import Foundation
import PushDispatch
import SelectiveSync

extension RecordID {
    static func test(_ number: Int) -> RecordID {
        let digits = String(number)
        return RecordID("001xx" + String(repeating: "0", count: 10 - digits.count) + digits)!
    }
}

extension ServerRecord {
    static func test(_ number: Int, name: String = "A", at stamp: String? = nil) -> ServerRecord {
        var fields: [String: JSONValue] = ["Id": .string(RecordID.test(number).description), "Name": .string(name)]
        fields["SystemModstamp"] = stamp.map { .string($0) }
        return ServerRecord(id: .test(number), fields: fields)
    }
}

/// A clock that stands still.
struct StillClock: DispatchClock {
    func now() -> DispatchMoment { DispatchMoment(milliseconds: 0) }

    /// Short waits pass at once. The limit of a push, at 20 seconds or later, is never reached.
    func sleep(until moment: DispatchMoment) async throws {
        if moment >= DispatchMoment(milliseconds: 20_000) { try await Task.sleep(nanoseconds: .max) }
    }
}

/// Answers with a test's closure, and records the requests.
actor ScriptedFetcher: RecordFetcher {
    typealias Script = @Sendable (FetchRequest) async throws(FetchError) -> [FetchedRecord]

    private let script: Script
    private(set) var requests: [FetchRequest] = []

    init(_ script: @escaping Script) { self.script = script }

    func fetch(_ request: FetchRequest) async throws(FetchError) -> [FetchedRecord] {
        requests.append(request)
        return try await script(request)
    }
}

struct TestError: Error {}

extension JSONLimits {
    static let test = JSONLimits(maximumBytes: 1_000_000, maximumDepth: 32, maximumValues: 100_000)
}

extension RESTReply {
    static func ok(_ body: String, _ headers: [String: String] = [:]) -> RESTReply {
        RESTReply(status: 200, headers: headers, body: Array(body.utf8))
    }

    static func refusal(_ status: Int, _ code: String) -> RESTReply {
        RESTReply(status: status, body: Array(#"[{"message":"secret","errorCode":"\#(code)"}]"#.utf8))
    }
}

/// A value that closures of a test share.
///
/// `@unchecked Sendable` because the lock protects the value.
final class Shared<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value { lock.withLock { stored } }

    func change(_ change: (inout Value) -> Void) { lock.withLock { change(&stored) } }
}
