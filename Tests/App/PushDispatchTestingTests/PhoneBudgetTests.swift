import PushDispatch
import PushDispatchTesting
import Testing

struct PhoneBudgetTests {
    @Test func `the fourth silent push within an hour waits until the first is an hour old`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone { handler.app($0) }
        for number in 1...3 {
            #expect(try await phone.receive(.silent(number)).result == .newData)
            try await phone.pass(minutes: 10)
        }
        let fourth = try await phone.receive(.silent(4))
        #expect(fourth.isHeld && fourth.whyNoFetch?.contains("for 30 more minutes") == true)
        try await phone.pass(minutes: 29)
        #expect(handler.count == 3)
        try await phone.pass(minutes: 1)
        #expect(handler.records.last == [.test(4)])
        #expect(phone.clock.now().milliseconds == 3_600_000)
    }

    @Test func `on screen no push uses the budget, and opening the app delivers the held push`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone(.foreground) { handler.app($0) }
        for number in 1...10 { try await phone.receive(.silent(number)) }
        try await phone.move(to: .suspended)
        for number in 11...14 { try await phone.receive(.silent(number)) }
        #expect(handler.count == 13)
        try await phone.open()
        #expect(handler.count == 14)
    }

    @Test func `visible pushes are not counted`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone { handler.app($0) }
        for number in 1...10 { try await phone.receive(.visible(number, isSilentToo: true)) }
        #expect(try await phone.receive(.silent()).result == .newData)
    }

    @Test func `a wrong answer costs as much as two`() async throws {
        let phone = TestPhone { _ in PhoneApp(fetch: { _, completion in completion(.newData) }).comparing { 0 } }
        #expect(try await phone.receive(.silent(1)).problems.map(\.code) == [.untruthful])
        #expect(try await phone.receive(.silent(2)).isHeld == false)
        #expect(try await phone.receive(.silent(3)).isHeld)
    }

    @Test func `a budget without limit, and a custom budget`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone(budget: .unlimited) { handler.app($0) }
        for number in 1...20 { try await phone.receive(.silent(number)) }
        #expect(handler.count == 20)
        var short = PhoneBudget(wakesPerHour: 1)
        short.runMilliseconds = 5_000
        let hasty = TestPhone(budget: short, patienceMilliseconds: 1) { _ in PhoneApp(fetch: { _, _ in }) }
        #expect(try await hasty.receive(.silent()).problems.map(\.code) == [.neverAnswered])
        #expect(hasty.clock.now().milliseconds == 5_000)
    }
}
