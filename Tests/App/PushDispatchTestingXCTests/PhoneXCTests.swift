import PushDispatch
import PushDispatchTesting
import XCTest

/// The example for XCTest on the page of the library.
final class PhoneXCTests: XCTestCase {
    func testASilentPushWakesTheApp() async throws {
        let phone = TestPhone(.suspended) { clock in
            PhoneApp(PushDispatcher(handler: AppHandler(), pending: MemoryPendingStore(), clock: clock))
        }
        let push = Push(["aps": ["content-available": 1], "type": "INTERACTION", "recordIds": ["0xIxx0000000001EAA"]])
        let report = try await phone.receive(push)
        XCTAssertEqual(report.callbacks, [.background])
        XCTAssertEqual(try report.result, .newData)
        try await phone.check()
    }
}
