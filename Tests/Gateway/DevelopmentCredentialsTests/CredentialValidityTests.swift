import DevelopmentCredentials
import Testing

struct CredentialValidityTests {
    private static let now: Int64 = 1_800_000_000
    private static let credentials = Result { () throws(CredentialsError) in try DevelopmentCredentials.make(at: now) }

    @Test(arguments: [0, -3600, 825 * 86_400] as [Int64])
    func `credentials are good from an hour before they were made to the end of the server certificate`(
        seconds: Int64
    ) throws {
        try Self.credentials.get().checkValidity(at: Self.now + seconds)
    }

    @Test(
        arguments: [
            (-3601, "the server certificate is not valid before 2027-01-15T07:00:00.000Z", "apns credentials --renew"),
            (825 * 86_400 + 1, "the server certificate was valid until", "apns credentials --renew"),
            (3650 * 86_400 + 1, "the certificate authority was valid until", "apns credentials --force"),
        ] as [(Int64, String, String)])
    func `at any other time the error says what to do`(seconds: Int64, wanted: String, remedy: String) throws {
        let credentials = try Self.credentials.get()
        let error = #expect(throws: CredentialsError.self) { try credentials.checkValidity(at: Self.now + seconds) }
        #expect(error?.code == .expiredCredentials)
        #expect(error?.detail.hasPrefix(wanted) == true, "\(error?.detail ?? "")")
        #expect(error?.detail.hasSuffix(remedy) == true, "\(error?.detail ?? "")")
    }
}
