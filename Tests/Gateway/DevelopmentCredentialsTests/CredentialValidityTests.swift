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

    @Test func `the end of a certificate is said a week before and when it has come, each once`() throws {
        let credentials = try Self.credentials.get()
        let end = Self.now + 825 * 86_400
        #expect(credentials.validUntil == end)
        var watch = CertificateWatch(until: credentials.validUntil)
        let week: Int64 = 7 * 86_400
        let steps: [(at: Int64, phase: CertificateWatch.Phase?)] = [
            (Self.now, nil), (end - week, nil), (end - week + 1, .ending), (end, nil), (end + 1, .expired),
            (end + 2, nil),
            // The clock is set back.
            (Self.now, .valid), (end, .ending),
        ]
        for step in steps {
            let begun = watch.pass(to: step.at)
            #expect(begun == step.phase, "\(step.at - end)")
        }
    }

    @Test func `the notice says until when, and what to do`() throws {
        let credentials = try Self.credentials.get()
        let until = "valid until 2029-04-19T08:00:00.000Z; renew it with: apns credentials --renew"
        #expect(credentials.notice(at: Self.now) == "the server certificate is \(until)")
        #expect(credentials.notice(at: credentials.validUntil + 1) == "the server certificate was \(until)")
    }
}
