import Foundation
import PushDispatch

/// A handler that runs a script of the test and records its hints.
///
/// Unchecked, because the lock protects `gathered`.
final class ScriptedHandler: HintHandler, @unchecked Sendable {
    typealias Script = @Sendable (_ run: Int, Hint, HandlerContext) async throws -> HandlerReport

    private let script: Script
    private let lock = NSLock()
    private var gathered: [Hint] = []

    var hints: [Hint] { lock.withLock { gathered } }

    let announcesRequests: Bool

    init(announcesRequests: Bool = true, _ script: @escaping Script) {
        self.announcesRequests = announcesRequests
        self.script = script
    }

    func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport {
        let run = lock.withLock {
            gathered.append(hint)
            return gathered.count
        }
        return try await script(run, hint, context)
    }
}

struct TestError: Error {}

extension RecordID {
    static func test(_ number: Int) -> RecordID {
        let digits = String(number)
        return RecordID("001xx" + String(repeating: "0", count: 10 - digits.count) + digits)!
    }
}

extension Push {
    static func account(_ number: Int = 1) -> Push {
        Push(
            bytes: Array(
                #"{"aps":{"content-available":1},"type":"ACCOUNT_UPDATE","accountId":"\#(RecordID.test(number))"}"#.utf8
            ))
    }

    static func interactions(_ numbers: Int...) -> Push {
        let ids = numbers.map { "\"\(RecordID.test($0))\"" }.joined(separator: ",")
        return Push(bytes: Array(#"{"aps":{"content-available":1},"type":"INTERACTION","recordIds":[\#(ids)]}"#.utf8))
    }
}
