import PushDispatch
import PushDispatchTesting
import XCTest

/// A problem that a phone finds is an error, which XCTest shows.
final class PhoneProblemXCTests: XCTestCase {
    private let push = Push(["aps": ["content-available": 1], "type": "ACCOUNT_UPDATE", "accountId": "001xx000003DGb2"])

    func testAForceQuitAppHasNoResult() async throws {
        let phone = TestPhone(.forceQuit) { clock in
            PhoneApp(PushDispatcher(handler: AppHandler(), pending: MemoryPendingStore(), clock: clock))
        }
        let report = try await phone.receive(push)
        XCTAssertThrowsError(try report.result) { XCTAssertTrue("\($0)".contains("force-quit"), "\($0)") }
    }

    func testAnUntrueAnswerIsAnError() async throws {
        let phone = TestPhone(.suspended) { clock in
            PhoneApp(PushDispatcher(handler: AppHandler(), pending: MemoryPendingStore(), clock: clock)).comparing { 0 }
        }
        try await phone.receive(push)
        do {
            try await phone.check()
            XCTFail("newData was reported without a change")
        } catch let error as PhoneError {
            XCTAssertTrue(error.description.contains("newData"), error.description)
        }
    }
}

/// A double of the app's handler.
struct AppHandler: HintHandler {
    func handle(_ hint: Hint, _ context: HandlerContext) -> HandlerReport { HandlerReport(changed: hint.records.count) }
}
