import APNSModel
import Testing

@testable import ProviderToken

@Suite struct ProviderTokenRenewalTests {
    private static let start: Int64 = 1_700_000_000
    private static let token = SignedToken("first")

    private func time(_ seconds: Int64) -> MonotonicTime { .zero + .seconds(1_000 + seconds) }

    /// A renewal whose token was signed at second 0, when the wall clock said `start`.
    private func signed() -> ProviderTokenRenewal {
        var renewal = ProviderTokenRenewal()
        renewal.signed(Self.token, issuedAt: Self.start, now: time(0))
        return renewal
    }

    @Test func `the first token is signed at once, with the time of the wall clock`() {
        #expect(ProviderTokenRenewal().action(now: time(0), wallClock: Self.start) == .sign(issuedAt: Self.start))
    }

    @Test(
        arguments: [
            (0, true), (60, true), (19 * 60, true), (20 * 60, true), (50 * 60 - 1, true), (50 * 60, false),
            (59 * 60, false), (100_000, false),
        ] as [(Int64, Bool)])
    func `a token is used until it is 50 minutes old`(age: Int64, isUsed: Bool) {
        let action = signed().action(now: time(age), wallClock: Self.start + age)
        #expect(action == (isUsed ? .use(Self.token) : .sign(issuedAt: Self.start + age)))
    }

    @Test(arguments: [3_600, -3_600, 7_200, -86_400, 301, -301, .max, .min] as [Int64])
    func `after a jump of the wall clock the token is renewed, but not before it is 20 minutes old`(jump: Int64) {
        let renewal = signed()
        func wallClock(_ age: Int64) -> Int64 { jump == .max || jump == .min ? jump : Self.start + age + jump }
        #expect(renewal.action(now: time(1), wallClock: wallClock(1)) == .use(Self.token))
        #expect(renewal.action(now: time(1199), wallClock: wallClock(1199)) == .use(Self.token))
        #expect(renewal.action(now: time(1200), wallClock: wallClock(1200)) == .sign(issuedAt: wallClock(1200)))
    }

    @Test(arguments: [300, -300, 10, -1] as [Int64])
    func `a small correction of the wall clock renews nothing`(jump: Int64) {
        #expect(signed().action(now: time(2_000), wallClock: Self.start + 2_000 + jump) == .use(Self.token))
    }

    @Test func `a jump that is taken back in time renews nothing`() {
        let renewal = signed()
        #expect(renewal.action(now: time(600), wallClock: Self.start + 9_000) == .use(Self.token))
        #expect(renewal.action(now: time(1_800), wallClock: Self.start + 1_800) == .use(Self.token))
    }

    @Test func `a wall clock that keeps jumping never renews more often than every 20 minutes`() {
        var renewal = signed()
        var signatures: [Int64] = [0]
        for second in Int64(1)...20_000 {
            let wallClock = Self.start + second + (second % 7 - 3) * 5_000
            guard case .sign(let issuedAt) = renewal.action(now: time(second), wallClock: wallClock) else { continue }
            renewal.signed(SignedToken("\(second)"), issuedAt: issuedAt, now: time(second))
            signatures.append(second)
        }
        #expect(signatures.count > 10)
        #expect(zip(signatures.dropFirst(), signatures).allSatisfy { $0 - $1 >= 1200 })
    }

    @Test func `a token refused after 5 minutes is replaced when it is 20 minutes old`() {
        var renewal = signed()
        #expect(renewal.replacementDue == nil)
        renewal.refused(Self.token, .expiredProviderToken)
        #expect(renewal.replacementDue == time(1200))
        #expect(renewal.action(now: time(300), wallClock: Self.start + 300) == .use(Self.token))
        #expect(renewal.action(now: time(1199), wallClock: Self.start + 1199) == .use(Self.token))
        #expect(renewal.action(now: time(1200), wallClock: Self.start + 1200) == .sign(issuedAt: Self.start + 1200))
    }

    @Test func `a token refused after 25 minutes is replaced at once`() {
        var renewal = signed()
        #expect(renewal.action(now: time(1500), wallClock: Self.start + 1500) == .use(Self.token))
        renewal.refused(Self.token, .expiredProviderToken)
        #expect(renewal.action(now: time(1500), wallClock: Self.start + 1500) == .sign(issuedAt: Self.start + 1500))
    }

    @Test func `late refusals of a token that was replaced change nothing`() {
        var renewal = signed()
        renewal.refused(Self.token, .expiredProviderToken)
        let second = SignedToken("second")
        renewal.signed(second, issuedAt: Self.start + 1500, now: time(1500))
        renewal.refused(Self.token, .expiredProviderToken)
        #expect(renewal.replacementDue == nil)
        #expect(renewal.action(now: time(2_800), wallClock: Self.start + 2_800) == .use(second))
    }

    @Test func `a refusal before any token was signed changes nothing`() {
        var renewal = ProviderTokenRenewal()
        renewal.refused(Self.token, .expiredProviderToken)
        #expect(renewal.replacementDue == nil)
        #expect(renewal.action(now: time(0), wallClock: Self.start) == .sign(issuedAt: Self.start))
    }

    @Test func `after a machine slept for hours the token is renewed on waking`() {
        let action = signed().action(now: time(10_000), wallClock: Self.start + 10_000)
        #expect(action == .sign(issuedAt: Self.start + 10_000))
    }

    @Test func `where the monotonic clock stood still in sleep, the token is renewed after 20 minutes of waking`() {
        let renewal = signed()
        #expect(renewal.action(now: time(600), wallClock: Self.start + 10_600) == .use(Self.token))
        #expect(renewal.action(now: time(1200), wallClock: Self.start + 11_200) == .sign(issuedAt: Self.start + 11_200))
    }
}
