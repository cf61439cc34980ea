import Foundation
import PushDispatch
import PushDispatchTesting

struct TestError: Error {}

/// Unchecked, because the lock protects `count`.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    @discardableResult
    func next() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}

/// A handler that runs a script of the test, and records its hints. By default it reports every record as changed.
///
/// Unchecked, because the lock protects the rest.
final class CountingHandler: HintHandler, @unchecked Sendable {
    typealias Script = @Sendable (Hint, HandlerContext) async throws -> HandlerReport

    private let script: Script
    private let lock = NSLock()
    private var gathered: [[RecordID]] = []
    private var dispatched: [DispatchEvent] = []

    init(_ script: @escaping Script = { hint, _ in HandlerReport(changed: hint.records.count) }) {
        self.script = script
    }

    var records: [[RecordID]] { lock.withLock { gathered } }
    var count: Int { records.count }
    var events: [DispatchEvent] { lock.withLock { dispatched } }

    func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport {
        lock.withLock { gathered.append(hint.records) }
        return try await script(hint, context)
    }

    func dispatcher(_ clock: PhoneClock, pending: any PendingStore = MemoryPendingStore()) -> PushDispatcher {
        PushDispatcher(handler: self, pending: pending, clock: clock) { event in
            self.lock.withLock { self.dispatched.append(event) }
        }
    }

    func app(_ clock: PhoneClock) -> PhoneApp { PhoneApp(dispatcher(clock)) }
}

extension RecordID {
    static func test(_ number: Int) -> RecordID {
        let digits = String(number)
        return RecordID("001xx" + String(repeating: "0", count: 10 - digits.count) + digits)!
    }
}

extension Push {
    static func silent(_ number: Int = 1) -> Push {
        Push([
            "aps": ["content-available": 1], "type": "ACCOUNT_UPDATE", "accountId": .string("\(RecordID.test(number))"),
        ])
    }

    static func visible(_ number: Int = 1, isSilentToo: Bool = false) -> Push {
        Push([
            "aps": isSilentToo ? ["alert": "New", "content-available": 1] : ["alert": "New"],
            "type": "ACCOUNT_UPDATE", "accountId": .string("\(RecordID.test(number))"),
        ])
    }
}
