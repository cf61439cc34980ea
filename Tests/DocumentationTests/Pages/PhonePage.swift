import PushDispatch
import PushDispatchTesting
import Testing

@Test func `a silent push wakes the app and is answered with the truth`() async throws {
    let phone = TestPhone(.suspended) { clock in
        PhoneApp(PushDispatcher(handler: handler, pending: store, clock: clock))
            .comparing { await store.records(of: "Account") }
    }
    let report = try await phone.receive(Push(file: "account.apns"))
    #expect(report.callbacks == [.background])
    #expect(try report.result == .newData)
    try await phone.check()
}
