import APNSModel
import Testing

@testable import ProviderToken

/// Provider tokens that are signed while the wall clock is wrong, and are never accepted.
@Suite struct ProviderTokenClockTests {
    /// The right time when the machine starts.
    private static let start: Int64 = 1_700_000_000

    private func time(_ seconds: Int64) -> MonotonicTime { .zero + .seconds(1_000 + seconds) }

    /// Signs what `action` asks for.
    private func sign(_ renewal: inout ProviderTokenRenewal, at second: Int64, wallClock: Int64) -> SignedToken? {
        guard case .sign(let issuedAt) = renewal.action(now: time(second), wallClock: wallClock) else { return nil }
        let token = SignedToken("\(second)")
        renewal.signed(token, issuedAt: issuedAt, now: time(second))
        return token
    }

    @Test(
        arguments: [
            (-Self.start, .expiredProviderToken), (-7_200, .expiredProviderToken), (7_200, .invalidProviderToken),
            (86_400, .tooManyProviderTokenUpdates),
        ] as [(Int64, Reason)])
    func `a token of a wrong clock is replaced as soon as the clock is right`(error: Int64, reason: Reason) throws {
        var renewal = ProviderTokenRenewal()
        let wrong = try #require(sign(&renewal, at: 0, wallClock: Self.start + error))
        renewal.refused(wrong, reason)
        #expect(renewal.action(now: time(29), wallClock: Self.start + 29 + error) == .use(wrong))
        #expect(renewal.action(now: time(30), wallClock: Self.start + 30) == .sign(issuedAt: Self.start + 30))
    }

    @Test func `the token after it is kept for 50 minutes once it is accepted`() throws {
        var renewal = ProviderTokenRenewal()
        renewal.refused(try #require(sign(&renewal, at: 0, wallClock: 0)), .expiredProviderToken)
        let right = try #require(sign(&renewal, at: 5, wallClock: Self.start + 5))
        renewal.accepted(right)
        #expect(renewal.replacementDue == nil)
        #expect(renewal.action(now: time(6), wallClock: Self.start + 6) == .use(right))
        #expect(renewal.action(now: time(3_004), wallClock: Self.start + 3_004) == .use(right))
        #expect(renewal.action(now: time(3_005), wallClock: Self.start + 3_005) == .sign(issuedAt: Self.start + 3_005))
    }

    @Test func `a token that was accepted once is kept for 20 minutes, whatever is refused after it`() throws {
        for reason in [Reason.expiredProviderToken, .invalidProviderToken, .tooManyProviderTokenUpdates] {
            var renewal = ProviderTokenRenewal()
            let token = try #require(sign(&renewal, at: 0, wallClock: Self.start))
            renewal.accepted(token)
            renewal.refused(token, reason)
            for second in [1, 60, 1199] as [Int64] {
                #expect(renewal.action(now: time(second), wallClock: Self.start + second + 7_200) == .use(token))
            }
            #expect(sign(&renewal, at: 1200, wallClock: Self.start + 8_400) != nil)
        }
    }

    @Test(arguments: [Reason.badDeviceToken, .topicDisallowed, .forbidden, .tooManyRequests])
    func `refusals for other reasons replace nothing`(reason: Reason) throws {
        var renewal = ProviderTokenRenewal()
        let token = try #require(sign(&renewal, at: 0, wallClock: 0))
        renewal.refused(token, reason)
        #expect(renewal.action(now: time(30), wallClock: Self.start + 30) == .use(token))
    }

    @Test func `without a refusal or a jump nothing is replaced before 20 minutes`() throws {
        var renewal = ProviderTokenRenewal()
        let token = try #require(sign(&renewal, at: 0, wallClock: 0))
        #expect(renewal.action(now: time(30), wallClock: Self.start + 30) == .use(token))
        renewal.refused(token, .expiredProviderToken)
        #expect(renewal.action(now: time(1199), wallClock: 1199) == .use(token))
        #expect(renewal.action(now: time(1200), wallClock: 1200) == .sign(issuedAt: 1200))
    }

    @Test func `the clock may be corrected in steps, each a minute after the last token`() throws {
        var renewal = ProviderTokenRenewal()
        renewal.refused(try #require(sign(&renewal, at: 0, wallClock: 0)), .expiredProviderToken)
        let second = try #require(sign(&renewal, at: 2, wallClock: Self.start / 2))
        renewal.refused(second, .expiredProviderToken)
        #expect(renewal.action(now: time(61), wallClock: Self.start + 61) == .use(second))
        #expect(renewal.action(now: time(62), wallClock: Self.start + 62) == .sign(issuedAt: Self.start + 62))
    }

    @Test func `a clock that keeps jumping while all is refused signs at most once a minute`() {
        var renewal = ProviderTokenRenewal()
        var signed: [Int64] = []
        for second in Int64(0)...3_600 {
            let wallClock = Self.start + second + (second % 7 - 3) * 5_000
            guard let token = sign(&renewal, at: second, wallClock: wallClock) else { continue }
            signed.append(second)
            renewal.refused(token, .expiredProviderToken)
        }
        #expect((50...62).contains(signed.count))
    }

    @Test func `accepted tokens are 20 minutes apart, also with wrong clocks between them`() throws {
        var renewal = ProviderTokenRenewal()
        let first = try #require(sign(&renewal, at: 0, wallClock: Self.start))
        renewal.accepted(first)
        let wrong = try #require(sign(&renewal, at: 1200, wallClock: 0))
        renewal.refused(wrong, .expiredProviderToken)
        renewal.accepted(first)  // a late answer
        #expect(sign(&renewal, at: 1205, wallClock: Self.start + 1205) != nil)
    }
}
