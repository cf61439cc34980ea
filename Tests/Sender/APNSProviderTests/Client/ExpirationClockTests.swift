import APNSModel
import Testing

@testable import APNSProvider

struct ExpirationClockTests {
    @Test func `an expiration is a time from now on`() {
        #expect(Expiration.after(.seconds(3600), now: 1_000_000).secondsSince1970 == 1_003_600)
        #expect(Expiration.after(.milliseconds(999), now: 1_000_000) == .once)
        #expect(Expiration.after(.seconds(-5), now: 1_000_000) == .once)
        #expect(Expiration.after(.seconds(1), now: -100) == .once)
        #expect(Expiration.after(.seconds(Int64.max), now: 1_000_000).secondsSince1970 == 1_000_000 + 30 * 86_400)
        #expect(Expiration.after(.seconds(60)).secondsSince1970 > 1_600_000_000)
    }
}
