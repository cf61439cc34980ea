import APNSModel
import ArgumentParser
import Testing

@testable import apns

struct ExpirationArgumentTests {
    @Test(arguments: [
        ("once", Int64(0)), ("0", 0), ("1800000000", 1_800_000_000), ("2027-01-15T08:00:00Z", 1_800_000_000),
        ("+1h", 1_700_003_600), ("+90s", 1_700_000_090), ("+30d", 1_702_592_000), ("+1ms", 1_700_000_001),
    ])
    func `an expiration is a time, a single attempt or a time span from now`(text: String, seconds: Int64) throws {
        #expect(try ExpirationArgument(text).expiration(at: 1_700_000_000)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        ("1h", "did you mean +1h?"), ("+ 1h", "did you mean +1h?"), ("1800000000000", "did you mean 1800000000?"),
        ("soon", "or once"), ("-1", "or once"), ("+1", "or once"), ("+0s", "or once"), ("", "or once"),
    ])
    func `another text is refused with what was meant`(text: String, says: String) {
        let error = #expect(throws: ValidationError.self) { try ExpirationArgument(text) }
        #expect(error?.message.contains(says) == true, "\(String(describing: error))")
    }

    @Test func `a time span has the same fingerprint whenever it starts`() throws {
        #expect(try ExpirationArgument("+1h").fingerprint == ExpirationArgument("+60m").fingerprint)
        #expect(try ExpirationArgument("+1h").fingerprint != ExpirationArgument("3600").fingerprint)
    }
}
