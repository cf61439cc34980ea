import DevelopmentCredentials
import TLSSession
import Testing

struct CertificateRenewalTests {
    private static let now: Int64 = 1_800_000_000
    private static let day: Int64 = 86_400
    private static let credentials = Result { () throws(CredentialsError) in try DevelopmentCredentials.make(at: now) }

    @Test func `a certificate is renewed when a third of its life is left, or the clock is before it`() throws {
        let credentials = try Self.credentials.get()
        let renewal = try #require(credentials.renewal)
        let facts = credentials.server.certificate
        // It began an hour before it was made.
        let third = facts.notAfter - (825 * Self.day + 3600) / 3
        let authorityEnd = Self.now + 3650 * Self.day
        let steps: [(at: Int64, isDue: Bool)] = [
            (facts.notBefore, false), (Self.now, false), (third - 1, false), (third, true), (facts.notAfter, true),
            (facts.notAfter + 1, true), (authorityEnd, true), (authorityEnd + 1, false),
            // Before the authority began nothing helps.
            (facts.notBefore - 1, false),
        ]
        for step in steps { #expect(renewal.isDue(at: step.at) == step.isDue, "\(step.at - Self.now)") }
        let later = try credentials.renewed(at: third)
        #expect(later.renewal?.isDue(at: third) == false)
        // The clock is set back.
        #expect(later.renewal?.isDue(at: Self.now) == true)
    }

    @Test func `a renewed certificate has the names and the authority of the old one, and a new key`() throws {
        let credentials = try DevelopmentCredentials.make(at: Self.now, names: ["push.example.com"])
        let renewed = try credentials.renewed(at: Self.now + 700 * Self.day)
        #expect(renewed.caPEM == credentials.caPEM && renewed.keyID == credentials.keyID)
        let (old, new) = (credentials.server.certificate, renewed.server.certificate)
        #expect(new.names == old.names && new.names.contains("push.example.com"))
        #expect(new.notBefore == Self.now + 700 * Self.day - 3600)
        #expect(new.notAfter == Self.now + 1525 * Self.day)
        #expect(try renewed.server.privateKeyPEM != credentials.server.privateKeyPEM)
        try renewed.checkValidity(at: Self.now + 1525 * Self.day)
    }

    @Test func `it ends with its authority at the latest, and is not renewed any more then`() throws {
        let credentials = try Self.credentials.get()
        let authorityEnd = Self.now + 3650 * Self.day
        let last = try credentials.renewed(at: authorityEnd - 100 * Self.day)
        #expect(last.server.certificate.notAfter == authorityEnd)
        #expect(last.renewal == nil)
    }

    @Test func `a certificate of another authority is not replaced`() throws {
        let credentials = try Self.credentials.get()
        let other = try DevelopmentCredentials.make(at: Self.now)
        let mixed = try DevelopmentCredentials(
            authority: credentials.authority, server: other.server, key: credentials.key, keyID: credentials.keyID,
            teamID: credentials.teamID, topic: credentials.topic, folder: nil)
        #expect(mixed.renewal == nil)
    }
}
