import PushDispatch
import PushDispatchTesting
import Testing

/// Which callbacks run: the table of docs/reference/selective-sync.md 8.1.
struct TestPhoneTests {
    @Test(arguments: [TestPhone.AppState.foreground, .background, .suspended, .terminated])
    func `a silent push runs only the fetch callback`(state: TestPhone.AppState) async throws {
        let handler = CountingHandler()
        let phone = TestPhone(state) { handler.app($0) }
        let report = try await phone.receive(.silent())
        #expect(report.callbacks == [.background] && !report.isShown)
        #expect(try report.result == .newData)
        #expect(report.hasLaunched == (state == .terminated))
        #expect(await phone.app == (state == .foreground ? .foreground : .suspended))
        #expect(handler.count == 1)
        try await phone.check()
    }

    @Test func `a force-quit app gets a silent push when it is opened`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone(.forceQuit) { handler.app($0) }
        let report = try await phone.receive(.silent())
        #expect(report.isHeld && report.callbacks.isEmpty && handler.count == 0)
        let error = #expect(throws: PhoneError.self) { try report.result }
        #expect(error?.detail.contains("open it first") == true)
        try await phone.open()
        #expect(await phone.reports.map(\.callbacks) == [[], [.background]])
        #expect(await phone.launches == 1 && handler.count == 1)
    }

    @Test func `a force-quit drops the held push, a restart of the phone delivers a later one`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone { handler.app($0) }
        try await phone.change { $0.isBackgroundRefreshOn = false }
        try await phone.receive(.silent(1))
        try await phone.move(to: .forceQuit)
        #expect(await phone.held == nil)
        try await phone.change { $0.isBackgroundRefreshOn = true }
        try await phone.receive(.silent(2))
        #expect(handler.count == 0)
        try await phone.restart()
        #expect(handler.records == [[.test(2)]])
    }

    @Test(arguments: [TestPhone.AppState.background, .suspended, .terminated, .forceQuit])
    func `a visible push is shown, and runs a callback only when it is tapped`(state: TestPhone.AppState) async throws {
        let handler = CountingHandler()
        let phone = TestPhone(state) { handler.app($0) }
        let report = try await phone.receive(.visible())
        #expect(report.isShown && report.callbacks.isEmpty)
        #expect(await phone.app == state)
        let error = #expect(throws: PhoneError.self) { try report.result }
        #expect(error?.detail.contains("content-available") == true)
        let tap = try await phone.tap()
        #expect(tap.callbacks == [.tap])
        #expect(try tap.result == .newData)
        #expect(await phone.app == .foreground)
        #expect(await phone.notifications.isEmpty)
        await #expect(throws: PhoneError.self) { try await phone.tap() }
    }

    @Test func `a visible push on screen runs willPresent, and the app decides whether it is shown`() async throws {
        let handler = CountingHandler()
        let quiet = TestPhone(.foreground) { PhoneApp(handler.dispatcher($0), presents: { _ in false }) }
        let hidden = try await quiet.receive(.visible())
        #expect(hidden.callbacks == [.foreground] && !hidden.isShown)
        let loud = TestPhone(.foreground) { PhoneApp(handler.dispatcher($0), presents: { _ in true }) }
        #expect(try await loud.receive(.visible()).isShown)
        // Without a choice a type that names records shows nothing; any other is shown.
        let usual = TestPhone(.foreground) { PhoneApp(handler.dispatcher($0)) }
        #expect(try await !usual.receive(.visible()).isShown)
        #expect(try await usual.receive(Push(["aps": ["alert": "Hello"], "type": "TEST"])).isShown)
    }

    @Test(arguments: [TestPhone.AppState.background, .suspended, .terminated])
    func `a visible push with content-available is shown and fetched, and fetched again with the tap`(
        state: TestPhone.AppState
    ) async throws {
        let handler = CountingHandler()
        let phone = TestPhone(state) { handler.app($0) }
        let report = try await phone.receive(.visible(isSilentToo: true))
        #expect(report.isShown && report.callbacks == [.background])
        #expect(try report.result == .newData)
        try await phone.pass(minutes: 1)
        let tap = try await phone.tap()
        #expect(tap.callbacks == [.tap, .background])
        // Both arrive before the handler starts, so it runs once for both.
        #expect(handler.count == 2)
        #expect(tap.answers.map(\.result) == [.newData, .newData])
    }

    @Test func `two callbacks of one push run the handler once, together or one after the other`() async throws {
        let together = CountingHandler()
        let first = try await TestPhone(.foreground) { together.app($0) }.receive(.visible(isSilentToo: true))
        #expect(first.callbacks == [.foreground, .background] && together.count == 1)
        #expect(first.answers.map(\.result) == [.newData, .newData])

        let apart = CountingHandler()
        let phone = TestPhone(.foreground, secondCallback: .apart(milliseconds: 900)) { apart.app($0) }
        let second = try await phone.receive(.visible(isSilentToo: true))
        #expect(second.answers.map(\.result) == [.newData, .noData] && apart.count == 1)

        let late = CountingHandler()
        let slow = TestPhone(.foreground, secondCallback: .apart(milliseconds: 1_100)) { late.app($0) }
        #expect(try await slow.receive(.visible(isSilentToo: true)).answers.map(\.result) == [.newData, .newData])
        #expect(late.count == 2)
    }

    @Test func `a force-quit app is not woken by content-available, though the push is shown`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone(.forceQuit) { handler.app($0) }
        let report = try await phone.receive(.visible(isSilentToo: true))
        #expect(report.isShown && report.callbacks.isEmpty && handler.count == 0)
        #expect(report.whyNoFetch?.contains("force-quit") == true)
    }

    @Test func `only the newest of several held pushes is delivered`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone { handler.app($0) }
        try await phone.change { $0.isOnline = false }
        for number in 1...3 { #expect(try await phone.receive(.silent(number)).isHeld) }
        try await phone.change { $0.isOnline = true }
        #expect(handler.records == [[.test(3)]])
    }

    @Test func `low power and background refresh hold silent pushes until the app is opened`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone { handler.app($0) }
        try await phone.change { $0.isLowPower = true }
        #expect(try await phone.receive(.silent(1)).whyNoFetch?.contains("Low Power Mode") == true)
        try await phone.change { $0.isLowPower = false }
        try await phone.change { $0.isBackgroundRefreshOn = false }
        #expect(try await phone.receive(.silent(2)).whyNoFetch?.contains("Background App Refresh") == true)
        #expect(try await phone.receive(.visible(3, isSilentToo: true)).callbacks.isEmpty)
        try await phone.open()
        #expect(handler.records == [[.test(1)], [.test(2)]])
    }

    @Test func `Low Data Mode holds silent pushes and lets visible ones through`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone { handler.app($0) }
        try await phone.change { $0.isLowData = true }
        #expect(try await phone.receive(.silent(1)).whyNoFetch?.contains("Low Data Mode") == true)
        #expect(try await phone.receive(.visible(3, isSilentToo: true)).callbacks == [.background])
        #expect(handler.records == [[.test(3)]])
        try await phone.change { $0.isLowData = false }
        #expect(handler.records == [[.test(3)], [.test(1)]])
    }

    @Test func `each launch creates a new app, and a suspended app continues`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone(.terminated, budget: .unlimited) { handler.app($0) }
        for number in 1...2 { try await phone.receive(.silent(number)) }
        #expect(await phone.launches == 1)
        try await phone.move(to: .terminated)
        try await phone.receive(.silent(3))
        #expect(await phone.launches == 2)
    }

    @Test func `impossible moves are refused with an error`() async throws {
        let phone = TestPhone(.forceQuit) { CountingHandler().app($0) }
        for state in [TestPhone.AppState.background, .suspended, .terminated] {
            let error = await #expect(throws: PhoneError.self) { try await phone.move(to: state) }
            #expect(error?.code == .impossibleMove)
        }
        let error = await #expect(throws: PhoneError.self) { try await phone.tap(.visible()) }
        #expect(error?.code == .nothingShown)
    }

    @Test func `the error of a launch is thrown, and the next push launches again`() async throws {
        let handler = CountingHandler()
        let attempts = Counter()
        let phone = TestPhone(.terminated) { clock in
            if attempts.next() == 1 { throw TestError() }
            return handler.app(clock)
        }
        await #expect(throws: TestError.self) { try await phone.receive(.silent()) }
        #expect(try await phone.receive(.silent()).result == .newData)
    }
}
