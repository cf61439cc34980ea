import PushDispatch
import PushDispatchTesting
import Testing

struct PhoneComments {
    @Test func `a phone delivers a push to a dispatcher`() async throws {
        let store = AccountStore()
        let handler = AccountHandler(store: store)

        let phone = TestPhone(.suspended) { clock in
            PhoneApp(PushDispatcher(handler: handler, pending: store, clock: clock))
        }
        let report = try await phone.receive(Push(file: "account.apns"))
        #expect(try report.result == .newData)
        try await phone.check()
    }

    @Test func `an answer is compared with the app's contents`() async throws {
        let store = AccountStore()
        let phone = TestPhone { clock in
            let dispatcher = PushDispatcher(handler: StoringHandler(), pending: store, clock: clock)
            return
                PhoneApp(dispatcher).comparing { await store.records(of: "Account") }
        }
        try await phone.receive(Push(file: "account.apns"))
        // It reported newData and stored nothing.
        await #expect(throws: PhoneError.self) { try await phone.check() }
    }

    @Test func `an app without a dispatcher passes its callbacks`() async throws {
        struct AppDelegate {
            @MainActor
            func receive(_ userInfo: [AnyHashable: Any], _ completion: @Sendable (PushResult) -> Void) {
                completion(userInfo["type"] == nil ? .failed : .noData)
            }
        }
        let appDelegate = AppDelegate()
        let phone = TestPhone { _ in
            PhoneApp(fetch: { push, completion in appDelegate.receive(push.userInfo, completion) })
        }
        #expect(try await phone.receive(Push(file: "account.apns")).result == .noData)
    }
}
